import type { Capability, EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Context, type Effect } from "effect"

/** An environment of a project that is not deleted, for a choice in the console. */
export interface EnvironmentEntry {
  readonly id: string
  readonly kind: EnvironmentKind
  readonly organization_id: string
  readonly project_id: string
  readonly project_name: string
  readonly project_slug: string
  readonly project_archived: boolean
  /** The country in which national phone numbers are read. */
  readonly default_region: string
  readonly capabilities_off: ReadonlyArray<Capability>
  readonly active_api_keys: number
  readonly webhook_endpoints: number
}

/** The environments of an organization, among which a page looks up the one that its address names. Decision 0176 */
export class Environments extends Context.Service<
  Environments,
  {
    /** Returns active projects before archived ones, newest first; of each the sandbox, then production. */
    list(organizationId: string): Effect.Effect<ReadonlyArray<EnvironmentEntry>>
  }
>()("@carteiro/console/ports/Environments") {}
