import { Effect } from "effect"
import type { OwnerHandle } from "../owner/Owner.ts"
import type { OwnerQueue } from "./OwnerQueue.ts"
import type { QueueRow } from "./QueueRows.ts"

/** All that an owner holds whose one work is its queue. */
export interface Queued<Terms, Row extends QueueRow, Result> {
  readonly queue: OwnerQueue<Queued<Terms, Row, Result>, Terms, Row, Result>
}

/** Loads such an owner, with what is under way when it was loaded before, and looks at its rows at once. */
export const hostedQueue = <Terms, Row extends QueueRow, Result>(
  queueOf: (owner: OwnerHandle) => Queued<Terms, Row, Result>["queue"]
) => ({
  load: (owner: OwnerHandle, _saved: string | undefined, before: Queued<Terms, Row, Result> | undefined) =>
    Effect.sync((): Queued<Terms, Row, Result> => {
      owner.dueAt(owner.now() + 1)
      const state = { queue: before?.queue ?? queueOf(owner) }
      state.queue.follow(owner, state)
      return state
    }),
  work: (state: Queued<Terms, Row, Result>) => state.queue.pass(state),
  handlers: {}
})
