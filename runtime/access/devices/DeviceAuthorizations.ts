import type { CreateDeviceAuthorization } from "@carteiro/schema/access/DeviceAuthorization.ts"
import type { EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { Reply } from "../../platform/http/contract/Reply.ts"

/** A call without a key. */
export interface DeviceCall {
  readonly ip: string
  readonly now: number
  readonly traceId: string
}

/** What the approver sees. gaps-1 E "Verification page"; instants in milliseconds. */
export interface OpenDeviceRequest {
  readonly id: string
  readonly user_code: string
  /** As the client calls itself; nobody verified it. */
  readonly client_name: string
  readonly environment: EnvironmentKind
  readonly scopes: ReadonlyArray<KeyScope>
  readonly key_expires_at: number | null
  readonly source_ip: string
  readonly created_at: number
}

/** Who decides, as signed in. */
export interface Decider {
  readonly organization_id: string
  readonly member_id: string
  readonly role: string
}

/** How a decision ended: `gone` when it is decided, expired or unknown by then. */
export type Decided = "done" | "gone" | "forbidden" | "project_not_found"

/** Keys for devices: a client asks, an owner or admin decides, one poll takes the key. A-DEV-01..24, gaps-1 E */
export class DeviceAuthorizations extends Context.Service<
  DeviceAuthorizations,
  {
    create(call: DeviceCall, body: CreateDeviceAuthorization): Effect.Effect<Reply, ApiError>
    /** 202 while pending; 200 with the key once; afterwards its terminal refusal. */
    poll(call: DeviceCall, deviceCode: string): Effect.Effect<Reply, ApiError>
    /** The open request of a user code as a person typed it; looking decides nothing. */
    findOpen(typed: string, now: number): Effect.Effect<OpenDeviceRequest | undefined>
    /** Grants the ticked scopes of those asked for, in the picked project's environment of the asked kind. */
    approve(
      id: string,
      by: Decider,
      choice: { readonly project_id: string; readonly scopes: ReadonlyArray<string> },
      now: number
    ): Effect.Effect<Decided>
    deny(id: string, by: Decider, now: number): Effect.Effect<Decided>
  }
>()("@carteiro/runtime/access/devices/DeviceAuthorizations") {}
