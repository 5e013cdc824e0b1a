import { Context, Effect } from "effect"

/** An owner of a sandbox and when it is due first, on the sandbox's time. */
export interface DueThing {
  readonly type: string
  readonly id: string
  readonly due_at: number
}

/**
 * Finds what time moves in a sandbox, in one statement and so in one snapshot: what goes from one table to another is in
 * one of them. A turned clock stops at each due instant that it finds.
 */
export const SandboxDue = Context.Reference<(environmentId: string) => Effect.Effect<ReadonlyArray<DueThing>>>(
  "@carteiro/runtime/tenancy/SandboxDue",
  { defaultValue: () => () => Effect.succeed([]) }
)

/** Does what age alone brings about in one sandbox up to `now`, its own time in epoch milliseconds. */
export const SandboxUpkeep = Context.Reference<(environmentId: string, now: number) => Effect.Effect<void>>(
  "@carteiro/runtime/tenancy/SandboxUpkeep",
  { defaultValue: () => () => Effect.void }
)
