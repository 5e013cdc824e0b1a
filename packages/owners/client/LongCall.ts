import { Cause, Effect } from "effect"
import type { Outcome } from "../protocol/Behaviour.ts"
import type { LongCallOptions } from "../protocol/Protocol.ts"

const longCallTimeoutMs = 60_000
/** A waiting call that lasted this long had found its owner. */
const servedMs = 1000
const unavailable = { retry: "unavailable" as const }

/** One call of an operation that may wait. */
export interface LongCall {
  readonly item: unknown
  readonly options: LongCallOptions<unknown, unknown>
  /** Sends it to the owner, wherever that is now. */
  readonly ask: Effect.Effect<Outcome<unknown>, unknown>
  readonly outcomeOf: (cause: Cause.Cause<unknown>) => Outcome<unknown>
  readonly now: () => number
  /** How long owners may be away before the caller is told, in milliseconds. */
  readonly awayMs: number
}

/**
 * Makes a waiting call, again at the new owner when the old one leaves; or answers what the operation says for that
 * case. Never longer than its timeout, and no longer than `awayMs` without an owner that serves it.
 */
export const callLong = (call: LongCall): Effect.Effect<Outcome<unknown>> => {
  const { awayMs, item, now, options } = call
  const asking = (giveUpAt: number): Effect.Effect<Outcome<unknown>> => {
    const startedAt = now()
    return Effect.matchCauseEffect(call.ask, {
      onFailure: (cause) => {
        if (Cause.hasInterrupts(cause) && options.moved !== undefined)
          return Effect.succeed({ ok: options.moved(item) })
        return goOn(call.outcomeOf(cause), startedAt, giveUpAt)
      },
      onSuccess: (outcome) => goOn(outcome, startedAt, giveUpAt)
    })
  }
  const goOn = (outcome: Outcome<unknown>, startedAt: number, giveUpAt: number) => {
    if (!("retry" in outcome) || outcome.retry === "duplicate" || outcome.retry === "leaving")
      return Effect.succeed(outcome)
    const took = now() - startedAt
    // A call that took long because the database did not answer was not served, and would take as long again.
    const away = outcome.retry === "no_database"
    const until = took > servedMs && !away ? now() + awayMs : giveUpAt
    if (now() + (away ? took : 0) >= until) return Effect.succeed(outcome)
    return Effect.andThen(
      Effect.sleep("50 millis"),
      Effect.suspend(() => asking(until))
    )
  }
  return Effect.timeoutOrElse(
    Effect.suspend(() => asking(now() + awayMs)),
    { duration: options.timeoutMs ?? longCallTimeoutMs, orElse: () => Effect.succeed<Outcome<unknown>>(unavailable) }
  )
}
