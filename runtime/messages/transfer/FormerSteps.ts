import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { Effect } from "effect"
import type { NumberState } from "../facts/SendingFacts.ts"
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
}

/**
 * Advances sandbox messages in environments that their number has left: they continue there. Returns when the next pass
 * is due. Most numbers never left an environment, which is read once. gaps-2 K "Transfer fields"
 */
export const stepFormer = Effect.fnUntraced(function* (state: NumberState, owner: OwnerHandle, deps: FormerDeps) {
  const due = state.former === "none" ? undefined : yield* deps.transfers.nextFormer(owner.id)
  if (due === undefined) {
    // Nothing is sent there any more: once all messages are final, none can change until the number moves again.
    state.former = "none"
    return undefined
  }
  const now = owner.now()
  if (due > now) return due
  const { number } = yield* deps.repo.readFacts(owner.id, [], [], [])
  if (number === undefined) return undefined
  const messages = yield* deps.transfers.formerSteps(owner.id, now, passLimit)
  const moved = messages.map((message) => ({
    place: { ...number, environment_id: message.environment_id },
    progress: applyReports(beginProgress(message), deps.unitMs, now)
  }))
  const units = moved.map(({ place, progress }) => writeProgress(progress, place, owner.id, now, deps))
  const completed = yield* Effect.forEach(moved, ({ place, progress }) =>
    completionUnits([progress], place, owner, deps)
  )
  const { statuses } = yield* owner.commit([...units, ...completed.flat()])
  countReached(units, { statuses }, number, deps.count)
  return statuses.every((status) => status === "committed") ? owner.now() : owner.now() + afterRefusalMs
})
