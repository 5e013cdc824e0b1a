import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { PhoneNumberOrderNotFound, PhoneNumberOrderNotOpen } from "@carteiro/schema/phone-orders/PhoneOrderErrors.ts"
import { Effect, Layer } from "effect"
import { OrderRepo } from "../order/OrderRepo.ts"
import { OrderRequirements } from "../order/OrderRequirements.ts"
import { type OrderRow, sameTerms, statusOf } from "../order/OrderState.ts"
import { closeOrder } from "../order/OrderWrites.ts"
import { approveOrder } from "./ApproveOrder.ts"
import { Deciding, type Decision } from "./Deciding.ts"
import { PhoneOrderWorker } from "./PhoneOrderWorker.ts"

export const decidingLayer = Layer.effect(
  Deciding,
  Effect.gen(function* () {
    const orders = yield* OrderRepo
    const requirements = yield* OrderRequirements
    const approve = yield* approveOrder.caller
    const workers = yield* PhoneOrderWorker.client
    const commit = yield* Commit
    const ids = yield* Ids

    const open = Effect.fnUntraced(function* ({ now, order_id, organization_id }: Decision) {
      const order = yield* orders.findOf(organization_id, order_id)
      if (order === undefined) return yield* new PhoneNumberOrderNotFound()
      if (statusOf(order, now) !== "awaiting_approval") return yield* new PhoneNumberOrderNotOpen()
      return order
    })

    /** Ends an open order without a number. */
    const close = Effect.fnUntraced(function* (
      order: OrderRow,
      decision: "declined" | "terms_changed",
      { member_id, now }: Decision
    ) {
      const { environment_id, id } = order
      const row = closeOrder.row({ environment_id, id, decision, decided_by: member_id, decided_at: now })
      const written = yield* commit.write([row])
      if (!written(closeOrder.name).has(id)) return yield* new PhoneNumberOrderNotOpen()
      return { ...order, decision, decided_by: member_id, decided_at: now } satisfies OrderRow
    })

    return Deciding.of({
      approve: Effect.fnUntraced(function* (decision) {
        const order = yield* open(decision)
        const { now, organization_id } = decision
        // A concurrent approval may already hold the number and the credit; the refusal must then be that the order is
        // decided, so a refusal reads it again.
        const { max_phones, plan } = yield* Effect.tapError(requirements.check(order), () => open(decision))
        if (!sameTerms(order, yield* requirements.terms(now))) return yield* close(order, "terms_changed", decision)
        const request = {
          organization_id,
          order_id: order.id,
          phone_number_id: ids.mint("pn", now),
          reservation_id: ids.mint("rsv", now),
          member_id: decision.member_id,
          max_phones,
          throughput_plan: plan.throughput_tier,
          trace_id: ids.traceId(),
          at: now
        }
        yield* Effect.tapError(approve(organization_id, request), () => open(decision))
        workers.wake(order.id)
        return (yield* orders.findOf(organization_id, order.id)) ?? order
      }),
      decline: (decision) => Effect.flatMap(open(decision), (order) => close(order, "declined", decision))
    })
  })
)
