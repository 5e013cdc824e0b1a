import { Effect } from "effect"
import { BillingAccountEntity } from "../../billing/Billing.ts"
import { defineOwner, type OwnerHandle } from "../../platform/owner/Owner.ts"
import { OrderRepo } from "../order/OrderRepo.ts"
import { endOrderName } from "./EndOrder.ts"

/** Brings an approved production order (`pno_…`) to its end. M-ORD-17..19 */
export const PhoneOrderEntity = defineOwner("PhoneOrder", {})

/** When an account that could not answer is asked again, in milliseconds. */
const askAgainMs = 5000

export const phoneOrderOwners = PhoneOrderEntity.toLayer(
  Effect.gen(function* () {
    const orders = yield* OrderRepo
    const accounts = yield* BillingAccountEntity.client
    return {
      load: (owner: OwnerHandle) =>
        Effect.sync(() => {
          owner.dueAt(owner.now() + 1)
          return {}
        }),
      work: Effect.fnUntraced(function* (_state: object, owner: OwnerHandle) {
        const order = yield* orders.findAnywhere(owner.id)
        if (order === undefined || order.due_at === null || order.reservation_id === null) return undefined
        if (order.due_at > owner.now()) return order.due_at
        const request = {
          organization_id: order.organization_id,
          order_id: order.id,
          reservation_id: order.reservation_id,
          at: owner.now(),
          ...noProvider
        }
        const ended = accounts.Act(order.organization_id, { act: endOrderName, request })
        return yield* Effect.matchEffect(ended, {
          onFailure: () => Effect.succeed(owner.now() + askAgainMs),
          onSuccess: () => Effect.succeed(undefined)
        })
      }),
      handlers: {}
    }
  })
)

/** Nobody delivers numbers here: the order fails at once, and its reservation is given back. gaps-2 K "Number provider calls" */
const noProvider = {
  error_code: "number_provider_unavailable",
  error_message: "This installation has no number provider that could deliver the number."
}
