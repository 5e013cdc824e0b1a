import type { DecidedOrder } from "@carteiro/schema/phone-orders/PhoneOrderDecisionsApi.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { html } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { organizationList } from "../kit/ListPage.ts"
import { positionOf } from "../kit/Lists.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { instant, none, personText, table } from "../kit/Parts.ts"
import { orderBadge, ordersAddress } from "./OrderParts.ts"

/** Orders of all projects, those that wait for a decision among them. */
export const OrdersHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { phoneOrderDecisions: orders } = yield* Operations
    const { routes } = yield* organizationList({
      operation: "phoneOrders",
      path: ordersAddress,
      title: "Number orders",
      section: "orders",
      filters: {},
      read: (_place, _search, before, count, visit) =>
        Effect.map(orders.list(asVisitor(visit), { query: positionOf(before, count) }), ({ data }) => ({
          rows: data,
          walked_to: null
        })),
      idOf: ({ id }) => id,
      table: (rows, _, nothing) =>
        table(
          "Orders of numbers, newest first",
          ["Order", "Area", "Name", "Environment", "Status", "Charges", "Ordered"],
          rows.map((order) => [
            html`<a href="${ordersAddress}/${order.id}"><code>${order.id}</code></a>`,
            order.ddd,
            order.display_name === null ? none("none") : personText(order.display_name),
            contractWord(order.environment),
            orderBadge(order.status),
            order.preview.free ? none("nothing") : html`${formatReais(order.preview.amount_brl)} a month`,
            instant(order.created_at)
          ]),
          nothing
        ),
      file: {
        ...membersOf((order: DecidedOrder) => order, "id"),
        kind: ({ environment }) => environment,
        ...membersOf((order: DecidedOrder) => order, "ddd", "display_name", "status"),
        monthly_brl: ({ preview }) => (preview.free ? "0.0000" : preview.amount_brl),
        ...membersOf((order: DecidedOrder) => order, "created_at")
      },
      empty: () => ({
        purpose: say(
          "Numbers that keys asked to rent. An owner or admin approves or declines each one here, since it costs money every month."
        ),
        operation: "phoneNumbers.orders.create"
      })
    })
    return routes
  })
)
