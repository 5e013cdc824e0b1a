import type { NotSentReason } from "@carteiro/provider/ChatProvider.ts"
import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import type { DueMessage } from "./SendingFacts.ts"
import { retryExhaustedAt } from "./Throughput.ts"

/** A message's record of definite refusals after which it may be tried again. Instants are epoch milliseconds. */
export interface Refusals {
  /** In a row, of the limit named. */
  readonly refusals: number
  /** `unreached` when the provider was not even connected. */
  readonly refused_by: DueMessage["refused_by"]
  /** The first for want of throughput. */
  readonly refused_since: number | null
}

/** The next step of a message that the provider certainly did not take. */
export type AfterRefusal =
  | { readonly _tag: "Retry"; readonly at: number; readonly refusals: Refusals }
  | { readonly _tag: "Fail"; readonly code: DeliveryCode }

/** Pauses before the attempts after a passing failure, in seconds. gaps-2 E "Retry policy" */
const transientSeconds = [1, 2, 4, 8, 16, 32] as const
/** Share of a pause that is added at most, so that neighbours do not come back together. */
const jitterShare = 0.25

/**
 * When a message that was certainly not taken is tried again, or the code it ends with. `jitter` is from 0 to 1. Passing
 * failures have six more attempts; want of throughput has 15 minutes, whichever limit it was. gaps-2 D "Throughput
 * exhaustion", gaps-2 E "Retry policy", M-DLV-06
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

/** True when the provider was called and refused for now: an attempt of its own. gaps-2 C "What counts as an attempt" */
export const wasReached = ({ refused_by }: Pick<Refusals, "refused_by">): boolean =>
  refused_by !== null && refused_by !== "unreached"

/** From 0 to 1, always the same for a message and its try. */
export const jitterOf = (id: string, refusals: number): number => {
  let mixed = refusals * 2_654_435_761
  for (let at = Math.max(0, id.length - 10); at < id.length; at++) mixed = (mixed * 31 + id.charCodeAt(at)) >>> 0
  return (mixed >>> 0) / 0xffffffff
}

// Whether a connection was refused or a server failed, it is the same outage.
const familyOf = (refused_by: Refusals["refused_by"]): string | null =>
  refused_by === "unreached" ? "transient" : refused_by
