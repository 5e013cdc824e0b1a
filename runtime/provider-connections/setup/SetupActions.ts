import type { OperationReply } from "@carteiro/http-edge/Reply.ts"
import type { PixDriver } from "@carteiro/provider/payments/PixProvider.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type {
  CreateSetupSession,
  SetupSession,
  SetupTarget
} from "@carteiro/schema/provider-connections/SetupSession.ts"
import { Context, type Effect } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import type { StoredSetup } from "./SetupState.ts"

/** The targets that this installation can reach in production; a sandbox simulates all of them. M-SETUP-12 */
export const SetupTargets = Context.Reference<ReadonlySet<SetupTarget>>(
  "@carteiro/runtime/provider-connections/setup/SetupTargets",
  { defaultValue: () => new Set() }
)

/** The wire of accounts of pixprov2 that have one key. Decision 0161 */
export const KeyedPixDriver = Context.Reference<PixDriver>(
  "@carteiro/runtime/provider-connections/setup/KeyedPixDriver",
  { defaultValue: () => "bridge" }
)

type SetupCall = ApiCall<"organization_id" | "project_id" | "environment_id" | "environment">

/** A person who decides on a session, and the time in epoch milliseconds. */
export interface Decider {
  readonly organization_id: string
  readonly role: string
  readonly now: number
}

/** Credential setup sessions: an API key makes them, a person decides on them. gaps-2 L "Setup session routes" */
export class SetupActions extends Context.Service<
  SetupActions,
  {
    create(call: SetupCall, body: CreateSetupSession): OperationReply<SetupSession>
    get(call: SetupCall, id: string): OperationReply
    /** Returns the session that a person opens, in any state. */
    find(organizationId: string, id: string): Effect.Effect<StoredSetup, ApiError>
    /** Returns the session while that decision is still possible; refuses otherwise. */
    open(by: Decider, id: string, decision: "complete" | "deny"): Effect.Effect<StoredSetup, ApiError>
    /** Takes the credentials; refused ones leave the session pending. M-SETUP-02 */
    complete(session: StoredSetup, credentials: unknown, by: Decider): Effect.Effect<StoredSetup, ApiError>
    deny(session: StoredSetup, by: Decider): Effect.Effect<StoredSetup, ApiError>
  }
>()("@carteiro/runtime/provider-connections/setup/SetupActions") {}
