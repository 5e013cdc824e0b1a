import type { NotSentReason } from "@carteiro/provider/ChatProvider.ts"
import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import type { DueMessage } from "./SendingFacts.ts"
import { retryExhaustedAt } from "./Throughput.ts"

/** A message's definite refusals after which it may be retried. Instants are epoch milliseconds. */
export interface Refusals {
  /** The consecutive refusals by the named limit. */
  readonly refusals: number
  /** `unreached` when no connection to the provider was made. */
  readonly refused_by: DueMessage["refused_by"]
  /** The first refusal for lack of throughput. */
  readonly refused_since: number | null
}

/** The next step of a message that the provider certainly did not accept. */
export type AfterRefusal =
  | { readonly _tag: "Retry"; readonly at: number; readonly refusals: Refusals }
  | { readonly _tag: "Fail"; readonly code: DeliveryCode }

/** The pauses before the attempts after a temporary failure, in seconds. gaps-2 E "Retry policy" */
const transientSeconds = [1, 2, 4, 8, 16, 32] as const
/** The largest share of a pause that is added at random, so that neighbours are not retried together. */
const jitterShare = 0.25

/**
 * Returns when a message that was certainly not accepted is retried, or the code with which it ends. `jitter` is from 0
 * to 1. Temporary failures have six more attempts; a lack of throughput has 15 minutes, whichever limit it was. gaps-2
 * D "Throughput exhaustion", gaps-2 E "Retry policy", M-DLV-06
 */
export const afterRefusal = (
  before: Refusals,
  refusal: { readonly reason: NotSentReason; readonly reached: boolean; readonly code: DeliveryCode },
  jitter: number,
  now: number
): AfterRefusal => {
  const { code, reached, reason } = refusal
  const refused_by = reason === "transient" && !reached ? "unreached" : reason
  const refusals = familyOf(before.refused_by) === familyOf(refused_by) ? before.refusals + 1 : 1
  if (reason === "transient") {
    const seconds = transientSeconds[refusals - 1]
    if (seconds === undefined) return { _tag: "Fail", code }
    const at = now + Math.round(seconds * 1000 * (1 + jitterShare * jitter))
    return { _tag: "Retry", at, refusals: { refusals, refused_by, refused_since: before.refused_since } }
  }
  const refused_since = before.refused_since ?? now
  const at = retryExhaustedAt(reason === "pair" ? "pair" : "number", refusals, refused_since, now)
  return at === undefined
    ? { _tag: "Fail", code: "phone_number_rate_limit_exhausted" }
    : { _tag: "Retry", at, refusals: { refusals, refused_by, refused_since } }
}

/**
 * True when the provider was called and refused temporarily, which is an attempt. gaps-2 C "What counts as an attempt"
 */
export const wasReached = ({ refused_by }: Pick<Refusals, "refused_by">): boolean =>
  refused_by !== null && refused_by !== "unreached"

/** Returns a number from 0 to 1, always equal for a message and its attempt. */
export const jitterOf = (id: string, refusals: number): number => {
  let mixed = refusals * 2_654_435_761
  for (let at = Math.max(0, id.length - 10); at < id.length; at++) mixed = (mixed * 31 + id.charCodeAt(at)) >>> 0
  return (mixed >>> 0) / 0xffffffff
}

// A refused connection and a failing server count as one outage.
const familyOf = (refused_by: Refusals["refused_by"]): string | null =>
  refused_by === "unreached" ? "transient" : refused_by
