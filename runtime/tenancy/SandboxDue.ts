import { Context, Effect } from "effect"

/** An owner of a sandbox and its first due time, on the sandbox's clock. */
export interface DueThing {
  readonly type: string
  readonly id: string
  readonly due_at: number
}

/**
 * Finds everything in a sandbox that has a due time, in one statement and so in one snapshot: a row that moves between
 * tables is in one of them. A turned clock stops at each due time found.
 */
export const SandboxDue = Context.Reference<(environmentId: string) => Effect.Effect<ReadonlyArray<DueThing>>>(
  "@carteiro/runtime/tenancy/SandboxDue",
  { defaultValue: () => () => Effect.succeed([]) }
)

/** Runs the upkeep by age in one sandbox up to `now`, on the sandbox's clock, in epoch milliseconds. */
export const SandboxUpkeep = Context.Reference<(environmentId: string, now: number) => Effect.Effect<void>>(
  "@carteiro/runtime/tenancy/SandboxUpkeep",
  { defaultValue: () => () => Effect.void }
)
