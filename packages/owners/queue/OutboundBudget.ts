import { Context, Effect, Layer } from "effect"
import { Instruments } from "../telemetry/Instruments.ts"
import { FairPool } from "./FairPool.ts"

/** Limits of a node for all outbound calls at one time. */
export interface OutboundLimits {
  /** Calls under way. */
  readonly sockets: number
  /** Bytes of the bodies held for them: read ahead, on the wire, or waiting for their result to be written. */
  readonly bytes: number
}

/** Bytes a queue reserves before it reads; one larger body is held alone. */
export const bytesReadAtOnce = 1_048_576

/** The limits of an installation that sets none. */
const standardLimits: OutboundLimits = { sockets: 1024, bytes: 268_435_456 }

/**
 * Holds the sockets and bytes of a node that all its queues share, whatever they send. When they run out, an owner
 * waits for its turn; this never counts as a failure of the receiver.
 */
export class OutboundBudget extends Context.Service<
  OutboundBudget,
  { readonly sockets: FairPool; readonly bytes: FairPool }
>()("@carteiro/owners/queue/OutboundBudget") {
  static readonly layer = (limits: OutboundLimits = standardLimits) =>
    Layer.effect(
      OutboundBudget,
      Effect.gen(function* () {
        const instruments = yield* Instruments
        const sockets = new FairPool(limits.sockets)
        const bytes = new FairPool(limits.bytes)
        yield* instruments.reading(
          { name: "outbound_calls_in_flight", help: "Calls to the outside under way" },
          () => sockets.used
        )
        yield* instruments.reading(
          { name: "outbound_held_bytes", help: "Bytes of bodies held for calls to the outside" },
          () => bytes.used
        )
        yield* instruments.reading(
          { name: "outbound_waiting_owners", help: "Owners that wait for sockets or bytes" },
          () => sockets.waiting + bytes.waiting
        )
        return OutboundBudget.of({ sockets, bytes })
      })
    )
}
