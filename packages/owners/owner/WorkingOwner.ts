import { Effect } from "effect"
import type { OwnerHandle } from "./Owner.ts"

/**
 * An owner that holds nothing in memory and takes no calls: it looks at its rows as soon as it is here, and again when
 * `work` says; `work` answers the epoch millisecond of its next look, if there is one.
 */
export const workingOwner = (work: (owner: OwnerHandle) => Effect.Effect<number | undefined>) => ({
  load: (owner: OwnerHandle) =>
    Effect.sync(() => {
      owner.dueAt(owner.now() + 1)
      return {}
    }),
  work: (_state: object, owner: OwnerHandle) => work(owner),
  handlers: {}
})
