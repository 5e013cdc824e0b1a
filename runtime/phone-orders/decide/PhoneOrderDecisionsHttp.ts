import { callingMember } from "@carteiro/http-edge/Admission.ts"
import { reply, valueReply } from "@carteiro/http-edge/Reply.ts"
import { type RequestOf, Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { type DecidedOrder, PhoneOrderDecisionsApi } from "@carteiro/schema/phone-orders/PhoneOrderDecisionsApi.ts"
import { PhoneNumberOrderNotFound } from "@carteiro/schema/phone-orders/PhoneOrderErrors.ts"
import { Effect } from "effect"
import { OrderReads } from "../order/OrderReads.ts"
import { type OrderRow, orderBody } from "../order/OrderState.ts"
import { Deciding, type Decision } from "./Deciding.ts"

type DecisionRequest = RequestOf<(typeof PhoneOrderDecisionsApi)["endpoints"]["approve"]>

/** Operations of people about orders of numbers. M-ORD-12..16, M-ORD-34, decision 0155 */
export const PhoneOrderDecisionsHttp = Routes.group(
  PhoneOrderDecisionsApi,
  Effect.gen(function* () {
    const orders = yield* OrderReads
    const deciding = yield* Deciding

    return Routes.handlers(PhoneOrderDecisionsApi, {
      list: Effect.fnUntraced(function* ({ caller, query, realNow, traceId }) {
        const rows = yield* orders.list(caller.organization_id, query.before, Number(query.limit))
        return valueReply({ traceId }, 200, { object: "list", data: rows.map((row) => readOrder(row, realNow)) })
      }),

      get: Effect.fnUntraced(function* ({ caller, params, realNow, traceId }) {
        const { order_id } = params
        const row = parseId("pno", order_id) ? yield* orders.findOf(caller.organization_id, order_id) : undefined
        if (row === undefined) return yield* new PhoneNumberOrderNotFound()
        return reply({ traceId }, 200, readOrder(row, realNow))
      }),

      approve: (request) =>
        Effect.map(deciding.approve(decisionOf(request)), (row) =>
          reply(request, 200, readOrder(row, request.realNow))
        ),

      decline: (request) =>
        Effect.map(deciding.decline(decisionOf(request)), (row) => reply(request, 200, readOrder(row, request.realNow)))
    })
  })
)

const decisionOf = ({ caller, params, realNow }: DecisionRequest): Decision => ({
  organization_id: caller.organization_id,
  member_id: callingMember(caller).id,
  order_id: params.order_id,
  now: realNow
})

// The person is on the page already to which an order's address leads.
const readOrder = (row: OrderRow, now: number): DecidedOrder => ({
  ...orderBody(row, "", now),
  environment: row.environment
})
