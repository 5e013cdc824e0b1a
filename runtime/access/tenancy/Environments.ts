import type { Capability, EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Context, type Effect } from "effect"

/** An environment of a project that is not deleted, as people choose it; instants in milliseconds. */
export interface EnvironmentEntry {
  readonly id: string
  readonly kind: EnvironmentKind
  readonly project_id: string
  readonly project_name: string
  readonly project_slug: string
  readonly project_archived: boolean
  readonly capabilities_off: ReadonlyArray<Capability>
  readonly active_api_keys: number
  readonly webhook_endpoints: number
}

/** The environments of an organization and their switches. gaps-1 N "Capability families" */
export class Environments extends Context.Service<
  Environments,
  {
    find(organizationId: string, id: string): Effect.Effect<EnvironmentEntry | undefined>
    /** For operators: by id alone. */
    findAnywhere(id: string): Effect.Effect<EnvironmentEntry | undefined>
    /** Active projects before archived ones, newest first; of each the sandbox, then production. */
    list(organizationId: string): Effect.Effect<ReadonlyArray<EnvironmentEntry>>
    /** Switches exactly these families off; the next request meets it. Unknown ids change nothing. */
    switchOff(organizationId: string, id: string, families: ReadonlyArray<Capability>): Effect.Effect<void>
  }
>()("@carteiro/runtime/access/tenancy/Environments") {}
