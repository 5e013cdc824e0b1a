import type { Effect, Fiber } from "effect"
import type { Activations } from "../activation/Activations.ts"
import type { OutboundBudget } from "./OutboundBudget.ts"
import type { QueueKind } from "./QueueKind.ts"
import type { QueueRow } from "./QueueRows.ts"

/** Services that the queues of one kind share on a node. */
export interface QueueContext<State, Terms, Row extends QueueRow, Result> {
  readonly kind: QueueKind<State, Terms, Row, Result>
  readonly budget: OutboundBudget["Service"]
  readonly activations: Activations["Service"]
  readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<unknown>
}
