import { Effect, type Fiber } from "effect"
import { Activations } from "../activation/Activations.ts"
import { OutboundBudget } from "./OutboundBudget.ts"
import { type QueueKind, tracedKind } from "./QueueKind.ts"
import type { QueueRow } from "./QueueRows.ts"

/** Services that the queues of one kind share on a node. */
export interface QueueContext<State, Terms, Row extends QueueRow, Result> {
  readonly kind: QueueKind<State, Terms, Row, Result>
  readonly budget: OutboundBudget["Service"]
  readonly activations: Activations["Service"]
  readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<unknown>
}

/** Makes what the queues of one kind share. */
export const makeQueueContext = Effect.fnUntraced(function* <State, Terms, Row extends QueueRow, Result>(
  kind: QueueKind<State, Terms, Row, Result>
) {
  const context: QueueContext<State, Terms, Row, Result> = {
    kind: yield* tracedKind(kind),
    budget: yield* OutboundBudget,
    activations: yield* Activations,
    fork: Effect.runForkWith(yield* Effect.context<never>())
  }
  return context
})
