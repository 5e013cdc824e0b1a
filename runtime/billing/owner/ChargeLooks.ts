import { commitThen, type Decision, type OwnerHandle } from "@carteiro/owners/Owner.ts"
import { Effect, Fiber } from "effect"
import type { AccountState } from "../account/AccountUnit.ts"
import type { ChargeRepo } from "../charges/ChargeRepo.ts"
import { lookAtCharge } from "../charges/ChargeWrites.ts"

/** How long a request waits for an answer: shorter than its idempotency key is held for it. */
const answerWithin = "16 seconds"

/** Makes charges due for a look-up now; the notice's content is not trusted. gaps-3 G "Trust in webhook content" */
export const lookAtCharges = (
  looks: ReadonlyArray<{ readonly charge_id: string }>,
  state: AccountState,
  owner: OwnerHandle,
  now: number
): ReadonlyArray<Decision<boolean>> =>
  looks.map(({ charge_id }) => {
    state.openCharges.add(charge_id)
    return commitThen({
      rows: [lookAtCharge.row({ account_id: owner.id, id: charge_id, due_at: now })],
      settle: (keys) => {
        // A refunded charge, and one that does not exist, need no look-up.
        if (keys(lookAtCharge.name).has(charge_id)) {
          state.openCharges.add(charge_id)
          owner.dueAt(now)
        } else state.openCharges.delete(charge_id)
        return { ok: true }
      }
    })
  })

/** Waits until an answer about a charge is recorded; false when none is within the time that a request may wait. */
export const awaitAnswer = (
  id: string,
  state: AccountState,
  owner: OwnerHandle,
  repo: ChargeRepo["Service"]
): Effect.Effect<boolean> => {
  const isAnswered = Effect.map(
    repo.find(owner.id, id),
    (charge) => charge === undefined || charge.answered_at !== null
  )
  // The waiter is registered before the row is read, so that an answer in between also wakes it.
  const told = Effect.gen(function* () {
    const waiting = yield* Effect.forkChild(state.waiters.wait(id), { startImmediately: true })
    if (!(yield* isAnswered)) yield* Fiber.join(waiting)
    return true
  })
  return Effect.map(Effect.timeoutOption(told, answerWithin), (answered) => answered._tag === "Some")
}
