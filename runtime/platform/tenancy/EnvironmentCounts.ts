import { Context, Effect } from "effect"

/** What an environment has to work with; `undefined` where nothing can tell. */
export interface EnvironmentCounts {
  readonly active_senders: number | undefined
  readonly webhook_endpoints: number | undefined
}

/** Counts the preflight of a new key shows; rooms that own the rows are heard through it. gaps-1 E "200 body" */
export const CountEnvironment = Context.Reference<(environmentId: string) => Effect.Effect<EnvironmentCounts>>(
  "@carteiro/runtime/platform/tenancy/CountEnvironment",
  { defaultValue: () => () => Effect.succeed({ active_senders: undefined, webhook_endpoints: undefined }) }
)
