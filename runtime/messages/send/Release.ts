import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { Effect } from "effect"
import type { HeldRepo } from "../facts/HeldRepo.ts"
import type { NumberFacts, NumberState } from "../facts/SendingFacts.ts"
import type { CountMessage } from "../message/MessageMetrics.ts"
import { allowanceOf } from "../pacing/Allowance.ts"
import type { PacingRepo } from "../pacing/PacingRepo.ts"
import { paceAt, settlePacing } from "../pacing/PacingWrites.ts"
import { nextRelease, SlotLedger } from "../pacing/SlotLedger.ts"
import { judgeSender } from "./Dispatch.ts"
import { afterRefusalMs, countReached, type ProgressDeps, writeProgress } from "./ProgressUnit.ts"
import { beginProgress, refuseHeld, releaseHeld, type SendProgress } from "./SendProgress.ts"

/** The most held messages that one pass reads. */
const atOnce = 256
/** The services that releasing needs. */
export interface ReleaseDeps extends ProgressDeps {
  readonly held: HeldRepo["Service"]
  readonly pacing: PacingRepo["Service"]
  readonly count: CountMessage
}

/**
 * The release loop of a number that holds messages: it runs every 60 seconds, at the earliest end of a slot, and when a
 * change of tier or quality, or a message of a held recipient, made its row due. It releases messages in the order of
 * their creation, as many as there are slots; those that need none besides. A number that is no longer usable fails all
 * its held messages at once. Returns when it runs again. M-MSG-08, gaps-2 K "Release, disconnect, convert"
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
  if (state.slots === undefined) state.slots = new SlotLedger(yield* deps.pacing.readSlots(place, now))
  else state.slots.refresh(yield* deps.pacing.readHeld(place))
  const { slots } = state
  const allowance = allowanceOf(number.messaging_tier, number.quality_rating)
  const held = yield* deps.held.readHeld(place, now, atOnce)
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
  const next = mayBeMore ? now : nextRelease(state.slots, owner.now(), owner.stands())
  // The next pass sends the released messages.
  if (units.length > 0) owner.dueAt(now)
  const { statuses } = yield* owner.commit([...units, { rows: [settle(number, owner, next)] }])
  countReached(units, { statuses }, number, deps.count)
  return statuses.every((status) => status === "committed") ? next : owner.now() + afterRefusalMs
})

/** Returns the due row of a number that has just held messages; none when it did not. */
export const pacingUnits = (
  turns: ReadonlyArray<SendProgress>,
  state: NumberState,
  number: NumberFacts,
  owner: OwnerHandle
) => {
  if (!turns.some(({ message, state }) => message.status_reason === null && state.status_reason !== null)) return []
  const due = nextRelease(state.slots, owner.now(), owner.stands())
  owner.dueAt(due)
  return [{ rows: [paceAt.row({ environment_id: number.environment_id, business_id: owner.id, due_at: due })] }]
}

const settle = (number: NumberFacts, owner: OwnerHandle, due_at: number) =>
  settlePacing.row({ environment_id: number.environment_id, business_id: owner.id, due_at })
