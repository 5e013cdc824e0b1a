import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"

/** Recipients fed with one claim: few enough that a neighbour's send never waits long for their commit. */
export const claimSize = 128

/** Messages of a batch that may wait for a token of their number, where the number has no limit. */
const widestWindow = 2048
/** Seconds of the number's rate that may wait: a single send queues behind no more than that. */
const windowSeconds = 2
/** Pause before the next look at a full queue of a number without a limit, in milliseconds. */
const shortestPauseMs = 100

/**
 * Messages of a batch that may wait while the clock of a sandbox stands: no token holds them back there, and a window of
 * the rate would stop an advance for every twenty messages. They are few enough for ten batches to feed at one instant
 * within the minute that it may take. gaps-1 "Sandbox clock"
 */
const standingWindow = 2 * claimSize

/**
 * How many messages of a batch may wait at its number, which sends `perMillis`; undefined is as fast as it can. `stands` is
 * true while the clock of its sandbox stands, as in an advance.
 */
export const feedWindow = (perMillis: number | undefined, stands = false): number => {
  if (perMillis === undefined) return widestWindow
  const ofRate = Math.min(widestWindow, Math.max(1, Math.ceil(perMillis * 1000 * windowSeconds)))
  return stands ? Math.max(standingWindow, ofRate) : ofRate
}

/** When a full queue has room again for half of its window, from now; milliseconds. */
export const refillPauseMs = (perMillis: number | undefined): number =>
  perMillis === undefined
    ? shortestPauseMs
    : Math.max(shortestPauseMs, Math.ceil(feedWindow(perMillis) / 2 / perMillis))

const firstLookMs = 250
const lastLookMs = 60_000

/** Pause before the next look at a batch that only waits, after so many looks without any change; milliseconds. */
export const quietPauseMs = (quietLooks: number): number => Math.min(lastLookMs, firstLookMs * 2 ** quietLooks)

/** Looks without any change after which its messages are counted anew. */
export const recountAfterLooks = 5

/** How long a recipient whose guards could not decide is tried again, in milliseconds. gaps-2 H "Recipient refusals inside a batch" */
const retryBoundMs = 15 * 60_000
const firstRetryMs = 5000
const lastRetryMs = 60_000

/** The outcome of a recipient that was fed. Instants are epoch milliseconds. */
export type FeedOutcome =
  | { readonly _tag: "Enqueued" }
  | {
      readonly _tag: "Refused"
      readonly code: string
      readonly message: string
      /** The reason of the guards, when they refused. */
      readonly guard_reason: string | null
      readonly next_allowed_at: number | null
      readonly isSkip: boolean
    }
  | { readonly _tag: "Retry"; readonly at: number; readonly since: number }
  /** No decision was made: the recipient is fed again under the same claim. */
  | { readonly _tag: "Again"; readonly afterMs: number }

/** Refusals of the marketing guards. M-GRD-15, M-GRD-16, M-BAT-23 */
const guardCodes: ReadonlySet<string> = new Set(["recipient_duplicate_message", "recipient_frequency_capped"])
/** The guards could not decide. M-GRD-21..23 */
const undecided = "recipient_cadence_policy_unavailable"

/**
 * Decides on a recipient that the number's owner refused: guards that cannot decide are asked again for 15 minutes, a
 * number without an owner, or with an empty bucket, is asked again without end; any other refusal is final.
 * gaps-2 H "Recipient refusals inside a batch"
 */
export const outcomeOfRefusal = (error: ApiError, firstRefusedAt: number | null, now: number): FeedOutcome => {
  const code = error._tag
  if (code === undecided) {
    const since = firstRefusedAt ?? now
    const waited = now - since
    if (waited < retryBoundMs) {
      const pause = Math.min(lastRetryMs, Math.max(firstRetryMs, waited))
      return { _tag: "Retry", since, at: Math.min(now + pause, since + retryBoundMs) }
    }
  } else if (error.status === 503 || error.status === 429) {
    return { _tag: "Again", afterMs: Math.max(shortestPauseMs, error.retry_after_ms ?? 1000) }
  }
  const { guard_reason, next_allowed_at } = error.details ?? {}
  return {
    _tag: "Refused",
    code,
    message: error.message,
    guard_reason: typeof guard_reason === "string" ? guard_reason : null,
    next_allowed_at: typeof next_allowed_at === "string" ? (parseTimestamp(next_allowed_at) ?? null) : null,
    isSkip: guardCodes.has(code)
  }
}
