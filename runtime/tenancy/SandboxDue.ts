import { Context, type Effect } from "effect"

/** An owner of a sandbox and when it is due first, on the sandbox's time. */
export interface DueThing {
  readonly type: string
  readonly id: string
  readonly due_at: number
}

/** Finds what time moves in a sandbox. A turned clock stops at each due instant that these find. */
export const SandboxDue = Context.Reference<
  ReadonlyArray<(environmentId: string) => Effect.Effect<ReadonlyArray<DueThing>>>
>("@carteiro/runtime/tenancy/SandboxDue", { defaultValue: () => [] })
