import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { Effect } from "effect"
import { type ForeignInstant, type ForeignTimes, inForeignTime } from "../../tenancy/EnvironmentTime.ts"
import type { NumberFacts, NumberState } from "../facts/SendingFacts.ts"
import type { SendingRepo } from "../facts/SendingRepo.ts"
import { completionUnits } from "../send/FlowCompletion.ts"
import { afterRefusalMs, countReached, writeProgress } from "../send/ProgressUnit.ts"
import { passLimit, type SendDeps } from "../send/SendCalls.ts"
import { applyReports, beginProgress } from "../send/SendProgress.ts"
import type { TransferRepo } from "./TransferRepo.ts"

/** The services that advance messages that a number left behind. */
interface FormerDeps extends SendDeps {
  readonly repo: SendingRepo["Service"]
  readonly transfers: TransferRepo["Service"]
  readonly times: ForeignTimes
}

/**
 * Advances sandbox messages in environments that their number has left: they continue there, at the time there. Returns
 * when the next pass is due. Most numbers never left an environment, which is read once. gaps-2 K "Transfer fields"
 */
export const stepFormer = Effect.fnUntraced(function* (state: NumberState, owner: OwnerHandle, deps: FormerDeps) {
  const left = state.former === "none" ? [] : yield* deps.transfers.nextFormer(owner.id)
  if (left.length === 0) {
    // Nothing is sent there any more: once all messages are final, none can change until the number moves again.
    state.former = "none"
    return undefined
  }
  const places = yield* Effect.forEach(left, ({ due_at, environment_id }) =>
    Effect.map(deps.times(environment_id, owner), (time) => ({ environment_id, time, dueAt: due_at - time.aheadMs }))
  )
  const now = owner.now()
  const due = places.filter(({ dueAt }) => dueAt <= now)
  // Where time stands, the clock there wakes this owner.
  if (due.length === 0) return earliest(places.filter(({ time }) => !time.stands).map(({ dueAt }) => dueAt))
  const { number } = yield* deps.repo.readFacts(owner.id, [], [], [])
  if (number === undefined) return undefined
  for (const { environment_id, time } of due) {
    const place = { ...number, environment_id }
    if (!(yield* stepIn(place, inForeignTime(now, time), owner, deps))) return owner.now() + afterRefusalMs
  }
  return owner.now()
})

/** Advances messages in one environment up to its time; false when a row was not written. */
const stepIn = Effect.fnUntraced(function* (
  place: NumberFacts,
  at: ForeignInstant,
  owner: OwnerHandle,
  deps: FormerDeps
) {
  const messages = yield* deps.transfers.formerSteps(owner.id, place.environment_id, at, passLimit)
  const moved = messages.map((message) => applyReports(beginProgress(message), deps.unitMs, at))
  const units = moved.map((progress) => writeProgress(progress, place, owner.id, at, deps))
  const completed = yield* completionUnits(moved, place, { id: owner.id, now: () => at }, deps)
  const { statuses } = yield* owner.commit([...units, ...completed])
  countReached(units, { statuses }, place, deps.count)
  return statuses.every((status) => status === "committed")
})

const earliest = (instants: ReadonlyArray<number>): number | undefined =>
  instants.length === 0 ? undefined : Math.min(...instants)
