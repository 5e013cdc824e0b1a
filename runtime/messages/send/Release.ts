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

/** Held messages that one pass looks at. */
const atOnce = 256
/** What releasing needs. */
export interface ReleaseDeps extends ProgressDeps {
  readonly held: HeldRepo["Service"]
  readonly pacing: PacingRepo["Service"]
  readonly count: CountMessage
}

/**
 * The release loop of a number that holds messages: every 60 seconds, at the earliest end of a slot, and when its row was
 * made due by a change of tier or quality or by a held recipient who wrote. Messages go in the order of their creation,
 * as many as there are slots for; those that need none go beside them. A number that is not usable any more fails all that
 * it holds at once. Answers when it runs again. M-MSG-08, gaps-2 K "Release, disconnect, convert"
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
  const next = mayBeMore ? now : nextRelease(state.slots, owner.now())
  // Their turns come in the next pass.
  if (units.length > 0) owner.dueAt(now)
  const { statuses } = yield* owner.commit([...units, { rows: [settle(number, owner, next)] }])
  countReached(units, { statuses }, number, deps.count)
  return statuses.every((status) => status === "committed") ? next : owner.now() + afterRefusalMs
})

/** The due row of a number that has just held messages; none when it did not. */
export const pacingUnits = (
  turns: ReadonlyArray<SendProgress>,
  state: NumberState,
  number: NumberFacts,
  owner: OwnerHandle
) => {
  if (!turns.some(({ message, state }) => message.status_reason === null && state.status_reason !== null)) return []
  const due = nextRelease(state.slots, owner.now())
  owner.dueAt(due)
  return [{ rows: [paceAt.row({ environment_id: number.environment_id, business_id: owner.id, due_at: due })] }]
}

const settle = (number: NumberFacts, owner: OwnerHandle, due_at: number) =>
  settlePacing.row({ environment_id: number.environment_id, business_id: owner.id, due_at })
