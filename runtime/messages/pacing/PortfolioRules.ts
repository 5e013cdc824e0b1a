import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"

const minuteMs = 60_000

/** How long a request, or a number that got less than it needs, counts as waiting; it requests again each minute. */
const waitingMs = 2 * minuteMs
/** How soon a request that was not granted is decided again. */
const decideAgainMs = minuteMs
/** How soon that is when other numbers were recalled for it, and how often one is recalled at most. */
const recallEveryMs = 5000
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
  /** Null once it was granted. */
  readonly request: LeaseRequest | null
}

/** The request of a number: how many slots it needs to have, and how many it wants, so that it need not ask soon again. */
export interface LeaseRequest {
  readonly needed: number
  readonly wanted: number
  /** The portfolio's allowance as the number knows it. */
  readonly allowance: number
  readonly requested_at: number
}

/** The decision about a request. */
export interface Grant {
  readonly quota: number
  /** False while all quotas together exceed the allowance: the quota then allows nothing. */
  readonly is_confirmed: boolean
  readonly cap: number | null
  /** True when the number gets less than it needs. */
  readonly is_short: boolean
  /** The numbers that are to return what they do not use, with their caps; the number itself when all are too many. */
  readonly recalls: ReadonlyArray<Recall>
}

/** A recall of what a number does not use. */
export interface Recall {
  readonly number: LeasedNumber
  readonly cap: number | null
}

/** A decided request, with what is written of it. */
export interface DecidedRequest {
  readonly number: LeasedNumber
  readonly request: LeaseRequest
  /** The allowance under which the quota is confirmed; null when it is not. */
  readonly allowance: number | null
  readonly grant: Grant
  /** That of the grant, unless the number was recalled afterwards. */
  readonly cap: number | null
  readonly is_recalled: boolean
  /** When it is decided again; null once it is granted or has lapsed. */
  readonly due_at: number | null
}

/** The decisions of one pass over a portfolio. */
export interface PortfolioDecision {
  readonly requests: ReadonlyArray<DecidedRequest>
  /** The recalls of numbers without a request. */
  readonly recalls: ReadonlyArray<Recall>
}

/** True once the slots that a number opened in a portfolio have ended, after it was seen to have left. */
export const hasEnded = ({ left_at }: { readonly left_at: number | null }, now: number): boolean =>
  left_at !== null && left_at + leavingMs <= now

/**
 * Returns the slots that a number holds of its portfolio's allowance. One that left holds its quota until its owner has
 * returned it, because it may come back and go on with it; one that is gone holds none once its slots have ended.
 */
export const heldOf = (number: LeasedNumber, now: number): number => {
  const { environment_id, is_member, live, quota } = number
  const isOver = !is_member && hasEnded(number, now) && (quota === 0 || environment_id === null)
  return isOver ? 0 : Math.max(quota, live)
}

const isWaiting = ({ is_member, short_at }: LeasedNumber, now: number): boolean =>
  is_member && short_at !== null && short_at + waitingMs > now

/**
 * Decides how many slots a number of a portfolio may have. While others wait, it gets at most its share beyond what it
 * has.
 *
 * The rule that a decision keeps: what all numbers hold, each the greater of its quota and its live slots, is at most the
 * allowance afterwards, or is no more than it was before. It was more before only when the allowance was lowered, a number
 * came with live slots of its own, or a report proved a recipient whose slot had been given back; then the decision raises
 * nothing, and the quota allows nothing until all fit. So the recipients of any 24 hours, which are the live slots, stay
 * within the allowance: a number opens a slot only below the quota in its memory, its memory is a stored quota or less, and
 * a stored quota is raised here alone and lowered only by the number, after its memory. Decision 0150, U-LIM-01
 */
export const grantLease = (
  own: LeasedNumber,
  { needed, wanted }: Pick<LeaseRequest, "needed" | "wanted">,
  others: ReadonlyArray<LeasedNumber>,
  allowance: number,
  now: number
): Grant => {
  const floor = Math.max(own.quota, own.live)
  const room = allowance - others.reduce((sum, other) => sum + heldOf(other, now), 0)
  const share = shareOf(others, allowance, now)
  const cap = others.some((other) => isWaiting(other, now)) ? share : null
  const is_confirmed = room >= floor
  const quota = is_confirmed ? Math.max(floor, Math.min(wanted, room, cap ?? wanted)) : own.quota
  const usable = !is_confirmed ? own.live : cap === null ? quota : Math.min(quota, Math.max(cap, own.live))
  const is_short = usable < needed
  const recalls =
    is_short && room < needed
      ? others.filter((other) => mayReturn(other, share, now)).map((number) => recallOf(number, share))
      : []
  const isOver = is_short && !is_confirmed && own.quota > own.live && !isRecalled(own, now)
  return { quota, is_confirmed, cap, is_short, recalls: isOver ? [...recalls, { number: own, cap }] : recalls }
}

/**
 * Returns the share of a number that waits, and of each other one that does: what numbers that do not wait hold below an
 * equal share is divided among those that do. Rounded up: what is free bounds a grant besides.
 */
const shareOf = (others: ReadonlyArray<LeasedNumber>, allowance: number, now: number): number => {
  const members = others.filter(({ is_member }) => is_member)
  const former = others.filter(({ is_member }) => !is_member).reduce((sum, other) => sum + heldOf(other, now), 0)
  const content = members
    .flatMap((other) => (isWaiting(other, now) ? [] : [heldOf(other, now)]))
    .sort((one, two) => one - two)
  let left = Math.max(0, allowance - former)
  let sharing = 1 + members.length
  for (const held of content) {
    if (held * sharing > left) break
    left -= held
    sharing--
  }
  return Math.max(1, Math.ceil(left / sharing))
}

const recallOf = (number: LeasedNumber, share: number): Recall => ({ number, cap: number.is_member ? share : null })

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
  (other.quota > other.live ||
    (!other.is_member && hasEnded(other, now)) ||
    (other.is_member && other.live > share && other.cap !== share))

/**
 * Decides the requests of a portfolio's numbers, the oldest first, each on what the ones before it got. `limit` is the
 * reported allowance, undefined while there is none: then each number counts by the one that it knows. Decision 0150
 */
export const decideRequests = (
  numbers: ReadonlyArray<LeasedNumber>,
  limit: number | undefined,
  now: number
): PortfolioDecision => {
  const known = new Map(numbers.map((number) => [number.business_id, number]))
  const recalls = new Map<string, Recall>()
  const open = numbers
    .flatMap(({ business_id, is_member, request }) => (is_member && request !== null ? [{ business_id, request }] : []))
    .sort((one, other) => one.request.requested_at - other.request.requested_at)
  const decided = open.flatMap(({ business_id, request }) => {
    const number = known.get(business_id)
    if (number === undefined) return []
    const others = [...known.values()].filter((one) => one.business_id !== business_id)
    // A number that has read a smaller limit than is stored decides by that one.
    const allowance = Math.min(limit ?? request.allowance, request.allowance)
    const hasLapsed = request.requested_at + waitingMs <= now
    const grant = hasLapsed ? lapsed(number) : grantLease(number, request, others, allowance, now)
    known.set(business_id, {
      ...number,
      quota: grant.quota,
      cap: grant.cap,
      short_at: grant.is_short ? now : null,
      left_at: null
    })
    for (const { cap, number: other } of grant.recalls) {
      const present = known.get(other.business_id) ?? other
      known.set(other.business_id, { ...present, cap, recalled_at: now })
      recalls.set(other.business_id, { number: other, cap })
    }
    const again = grant.recalls.length > 0 ? recallEveryMs : decideAgainMs
    const confirmed = grant.is_confirmed ? allowance : null
    return [{ number, request, allowance: confirmed, grant, due_at: grant.is_short ? now + again : null }]
  })
  return {
    requests: decided.map((one) => {
      const recall = recalls.get(one.number.business_id)
      return { ...one, cap: recall === undefined ? one.grant.cap : recall.cap, is_recalled: recall !== undefined }
    }),
    recalls: [...recalls.values()].filter(({ number }) => number.request === null || !number.is_member)
  }
}

/** The decision about a request that its number no longer repeats: nothing changes but that it does not wait. */
const lapsed = ({ cap, quota }: LeasedNumber): Grant => ({
  quota,
  is_confirmed: false,
  cap,
  is_short: false,
  recalls: []
})
