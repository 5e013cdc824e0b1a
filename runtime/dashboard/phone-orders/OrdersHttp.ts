import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import { formatReais } from "../../locale/Reais.ts"
import { OrderReads, orderBody } from "../../phone-orders/PhoneOrders.ts"
import { asked } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import { addressOf, cutPage, pageRows } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { given, instant, none, pager, table } from "../kit/Parts.ts"
import { orderBadge, ordersAddress } from "./OrderParts.ts"

/** Orders of all projects, those that wait for a decision among them. M-ORD-34 */
export const OrdersHttp = Layer.unwrap(
  Effect.gen(function* () {
    const orders = yield* OrderReads

    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const before = asked(visit.request, "before")
      const { last, shown } = cutPage(yield* orders.list(visit.organizationId, before, pageRows + 1))
      const rows = shown.map((row) => ({ kind: row.environment, ...orderBody(row, "", visit.now) }))
      return {
        title: "Number orders",
        section: "orders",
        body: html`${table(
          "Orders of numbers, newest first",
          ["Order", "Area", "Name", "Environment", "Status", "Charges", "Ordered"],
          rows.map((order) => [
            html`<a href="${ordersAddress}/${order.id}"><code>${order.id}</code></a>`,
            order.ddd,
            order.display_name === null ? none("none") : given(order.display_name),
            order.kind,
            orderBadge(order.status),
            order.preview.free ? none("nothing") : `${formatReais(order.preview.amount_brl)} a month`,
            instant(order.created_at)
          ]),
          html`There is no order yet. A key makes one with <code>POST /v1/phone-numbers/orders</code>.`
        )}
${pager("orders", before && ordersAddress, last && addressOf(ordersAddress, { before: last.id }))}`
      }
    })

    return page({ operation: "phoneOrders", path: ordersAddress, handler: list })
  })
)
