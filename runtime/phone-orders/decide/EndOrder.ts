import { Effect, Schema } from "effect"
import type { AccountAct } from "../../billing/Billing.ts"
import { failNumber } from "../../phone-numbers/PhoneNumbers.ts"
import { OrderRepo } from "../order/OrderRepo.ts"
import { type OrderRow, statusOf } from "../order/OrderState.ts"
import { endOrder } from "../order/OrderWrites.ts"

/** An approved order that comes to nothing, and why. Instant in epoch milliseconds. */
const EndRequest = Schema.Struct({
  organization_id: Schema.String,
  order_id: Schema.String,
  reservation_id: Schema.String,
  error_code: Schema.String,
  error_message: Schema.String,
  at: Schema.Number
})
type EndRequest = typeof EndRequest.Type

/** The act's name, for who calls it. */
export const endOrderName = "phone_order.end"

/**
 * Gives the reservation of an order back and fails its number, unless it was delivered or given up meanwhile; one commit of
 * the account. M-ORD-18, M-ORD-19
 */
export const endOrderAct = Effect.gen(function* () {
  const orders = yield* OrderRepo
  return {
    name: endOrderName,
    request: EndRequest,
    ends: ({ reservation_id }) => [reservation_id],
    read: (requests) =>
      Effect.map(
        Effect.forEach(requests, ({ order_id, organization_id }) => orders.findOf(organization_id, order_id)),
        (found) => new Map(found.flatMap((row) => (row === undefined ? [] : [[row.id, row]])))
      ),
    decide: (request, found, desk) => {
      const order = found.get(request.order_id)
      if (order?.phone_number_id == null || order.due_at === null) return { _tag: "Answer", text: request.order_id }
      const { environment_id, id, number_status, phone_number_id } = order
      const status = statusOf(order, request.at)
      if (status !== "fulfilled") desk.release(request.reservation_id)
      if ((status === "approved" || status === "provisioning") && number_status !== null) {
        desk.add(
          failNumber.row({
            environment_id,
            id: phone_number_id,
            from_status: number_status,
            error_code: request.error_code,
            error_message: request.error_message,
            updated_at: request.at
          })
        )
      }
      desk.add(endOrder.row({ environment_id, id }))
      return { _tag: "Write", text: id }
    }
  } satisfies AccountAct<EndRequest, ReadonlyMap<string, OrderRow>>
})
