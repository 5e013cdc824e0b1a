import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import type { HeldRepo } from "../facts/HeldRepo.ts"
import type { NumberFacts, NumberState } from "../facts/SendingFacts.ts"
import type { CountMessage } from "../message/MessageMetrics.ts"
import { slotLimit } from "../pacing/Lease.ts"
import { adoptLease, loadSlots, requestRows, returnUnused, type SlotDeps } from "../pacing/NumberSlots.ts"
import { paceAt, settlePacing } from "../pacing/PacingWrites.ts"
import { nextRelease } from "../pacing/SlotLedger.ts"
import { judgeSender } from "./Dispatch.ts"
import { afterRefusalMs, countReached, type ProgressDeps, writeProgress } from "./ProgressUnit.ts"
import { beginProgress, refuseHeld, releaseHeld, type SendProgress } from "./SendProgress.ts"

/** The most held messages that one pass reads. */
const atOnce = 256
/** The services that releasing needs. */
export interface ReleaseDeps extends ProgressDeps, SlotDeps {
  readonly held: HeldRepo["Service"]
  readonly count: CountMessage
  /** Wakes the owner of a portfolio, which decides what numbers have requested. */
  readonly wakePortfolio: (portfolioId: string) => void
}

/**
 * The release loop of a number that holds messages: it runs every 60 seconds, at the earliest end of a slot, and when a
 * change of tier or quality, or a message of a held recipient, made its row due. It releases messages in the order of
 * their creation, as many as there are slots; those that need none besides. A number that is no longer usable fails all
 * its held messages at once. A number that its portfolio recalled returns what it does not use. Returns when it runs
 * again. M-MSG-08, U-LIM-01, gaps-2 K "Release, disconnect, convert"
 */
export const releaseDue = Effect.fnUntraced(function* (
  state: NumberState,
  number: NumberFacts,
  dueAt: number,
  owner: OwnerHandle,
  deps: ReleaseDeps
) {
  const now = owner.now()
  const unusable = judgeSender(number, now)
  if (unusable === undefined && dueAt > now) return dueAt
  const place = { environment_id: number.environment_id, id: owner.id }
  const slots = yield* loadSlots(state, number, owner, deps.pacing)
  const { leases, ...present } = yield* deps.pacing.readHeld(place)
  slots.refresh(present)
  adoptLease(state, number, leases)
  const held = yield* deps.held.readHeld(place, now, atOnce)
  const allowance = slotLimit(state, number, now)
  const released = held.filter((message) => {
    if (unusable !== undefined) return true
    const promised = message.needs_slot && allowance !== undefined
    if (promised && !slots.isPromised(message.customer_key) && slots.free(allowance, now) === 0) return false
    slots.release(message.id, message.customer_key, promised)
    return true
  })
  const units = released.map((message) => {
    const before = beginProgress(message)
    const progress = unusable === undefined ? releaseHeld(before, now) : refuseHeld(before, unusable, now)
    return writeProgress(progress, number, owner.id, now, deps)
  })
  const mayBeMore = released.length > 0 && held.length >= atOnce
  const next = mayBeMore ? now : nextRelease(slots, owner.now(), owner.stands())
  const returned = returnUnused(state, number, leases, owner.id, now)
  const { heldRecipients } = slots
  const mayRequest = unusable === undefined && heldRecipients > 0
  const requested = mayRequest ? requestRows(state, number, owner.id, heldRecipients, now) : []
  // The next pass sends the released messages.
  if (units.length > 0) owner.dueAt(now)
  // A return and a request change one row: they are two units.
  const { statuses } = yield* owner.commit([
    ...units,
    { rows: [settle(number, owner, next), ...returned.rows] },
    ...(requested.length === 0 ? [] : [{ rows: requested }])
  ])
  countReached(units, { statuses }, number, deps.count)
  for (const portfolio of returned.portfolios) deps.wakePortfolio(portfolio)
  if (requested.length > 0 && number.portfolio_id !== null) deps.wakePortfolio(number.portfolio_id)
  return statuses.every((status) => status === "committed") ? next : owner.now() + afterRefusalMs
})

/** The changes of a number's pacing after turns. */
interface PacingChange {
  readonly units: ReadonlyArray<{ readonly rows: ReadonlyArray<Row> }>
  /** The portfolio to wake once they are written; undefined when nothing is requested of it. */
  readonly portfolio: string | undefined
}

/**
 * Returns the due row of a number that has just held messages, and its request to its portfolio when its lease runs low.
 * U-LIM-01, gaps-2 D "How pacing holds and releases"
 */
export const pacingChange = (
  turns: ReadonlyArray<SendProgress>,
  state: NumberState,
  number: NumberFacts,
  owner: OwnerHandle
): PacingChange => {
  const hasHeld = turns.some(({ message, state }) => message.status_reason === null && state.status_reason !== null)
  if (!hasHeld && !turns.some(({ slot }) => slot === "opening")) return { units: [], portfolio: undefined }
  const now = owner.now()
  const requested = requestRows(state, number, owner.id, state.slots?.heldRecipients ?? 0, now)
  const rows = hasHeld ? [pace(number, owner, nextRelease(state.slots, now, owner.stands())), ...requested] : requested
  return {
    units: rows.length === 0 ? [] : [{ rows }],
    portfolio: requested.length === 0 ? undefined : (number.portfolio_id ?? undefined)
  }
}

const pace = (number: NumberFacts, owner: OwnerHandle, due_at: number): Row => {
  owner.dueAt(due_at)
  return paceAt.row({ environment_id: number.environment_id, business_id: owner.id, due_at })
}

const settle = (number: NumberFacts, owner: OwnerHandle, due_at: number) =>
  settlePacing.row({ environment_id: number.environment_id, business_id: owner.id, due_at })
