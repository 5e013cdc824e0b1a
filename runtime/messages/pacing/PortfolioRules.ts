import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"

const minuteMs = 60_000

/** How long a number counts as waiting after it got less than it wanted; it asks again each minute meanwhile. */
const waitingMs = 2 * minuteMs
/** The interval at which a number is recalled at most, and asked for at most by one that gets nothing. */
const recallEveryMs = minuteMs
/** How soon a number asks again when others were recalled for it. */
const afterRecallMs = 1000
/** Slots that a number opened in a portfolio have ended so long after it was seen to have left. */
const leavingMs = dayMs + minuteMs

/** A number of a portfolio, or one that left it, with its lease and its live slots. Instants in epoch milliseconds. */
export interface LeasedNumber {
  readonly business_id: string
  /** Its present environment; null for a number that is gone. */
  readonly environment_id: string | null
  readonly is_member: boolean
  readonly quota: number
  readonly cap: number | null
  readonly short_at: number | null
  readonly recalled_at: number | null
  readonly left_at: number | null
  readonly live: number
}

/**
 * The request of a number: its slots, taken and promised, how many it needs to have now, and how many it wants, so that
 * it need not ask soon again.
 */
export interface LeaseRequest {
  readonly business_id: string
  readonly used: number
  readonly needed: number
  readonly wanted: number
}

/** The decision about a request. */
export interface Grant {
  readonly quota: number
  /** False while all quotas together exceed the allowance: the quota then allows nothing. */
  readonly is_confirmed: boolean
  readonly cap: number | null
  /** True when the number gets less than it needs. */
  readonly is_short: boolean
  /** In how many milliseconds it may ask again; null when it got what it needs. */
  readonly retry_ms: number | null
  /** True when the number itself is to return what it does not use, because all quotas together are too many. */
  readonly is_recalled: boolean
  /** The other numbers that are to return what they do not use, with their caps. */
  readonly recalls: ReadonlyArray<Recall>
}

interface Recall {
  readonly number: LeasedNumber
  readonly cap: number | null
}

/** Returns the slots that a number holds of its portfolio's allowance. */
export const heldOf = ({ is_member, left_at, live, quota }: LeasedNumber, now: number): number =>
  !is_member && left_at !== null && left_at + leavingMs <= now ? 0 : Math.max(quota, live)

const isWaiting = ({ is_member, short_at }: LeasedNumber, now: number): boolean =>
  is_member && short_at !== null && short_at + waitingMs > now

const absent = (business_id: string): LeasedNumber => ({
  business_id,
  environment_id: null,
  is_member: true,
  quota: 0,
  cap: null,
  short_at: null,
  recalled_at: null,
  left_at: null,
  live: 0
})

/**
 * Decides how many slots a number of a portfolio may have. All numbers together never hold more than the allowance,
 * unless it was lowered or a report proved more recipients; then nobody gets any. While others wait, a number gets at
 * most an equal share beyond what it has. Decision 0150, U-LIM-01
 */
export const grantLease = (
  { business_id, needed, used, wanted }: LeaseRequest,
  numbers: ReadonlyArray<LeasedNumber>,
  allowance: number,
  now: number
): Grant => {
  const own = numbers.find((number) => number.business_id === business_id) ?? absent(business_id)
  const others = numbers.filter((number) => number.business_id !== business_id)
  const floor = Math.max(own.quota, own.live, used)
  const room = allowance - others.reduce((sum, other) => sum + heldOf(other, now), 0)
  const waiting = others.filter((other) => isWaiting(other, now))
  const sharing =
    1 + others.filter((other) => other.is_member && (heldOf(other, now) > 0 || isWaiting(other, now))).length
  const share = Math.max(1, Math.floor(allowance / sharing))
  const cap = waiting.length > 0 ? share : null
  const is_confirmed = room >= floor
  const quota = Math.max(floor, Math.min(wanted, room, cap === null ? wanted : Math.max(cap, floor)))
  const usable = !is_confirmed ? used : cap === null ? quota : Math.min(quota, Math.max(cap, used))
  const is_short = usable < needed
  const is_recalled = is_short && !is_confirmed && own.quota > Math.max(used, own.live) && !isRecalled(own, now)
  const recalls = (is_short && room < needed ? others.filter((other) => mayReturn(other, share, now)) : []).map(
    (number): Recall => ({ number, cap: number.is_member ? share : null })
  )
  const isSoon = is_recalled || recalls.length > 0
  const retry_ms = is_short ? (isSoon ? afterRecallMs : recallEveryMs) : null
  return { quota, is_confirmed, cap, is_short, retry_ms, is_recalled, recalls }
}

const isRecalled = ({ recalled_at }: LeasedNumber, now: number): boolean =>
  recalled_at !== null && recalled_at + recallEveryMs > now

/**
 * True for a number that has unused slots, or more than its share without knowing that others wait. One that left is
 * recalled once that is recorded.
 */
const mayReturn = (other: LeasedNumber, share: number, now: number): boolean =>
  other.environment_id !== null &&
  (other.is_member || other.left_at !== null) &&
  heldOf(other, now) > 0 &&
  !isRecalled(other, now) &&
  (other.quota > other.live || (other.is_member && other.live > share && other.cap !== share))
