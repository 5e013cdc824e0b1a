import { standardLandingMs } from "../kit/Landings.ts"
import type { RouteList } from "../kit/Routes.ts"
import { confirmParameters, intentParameters } from "./account/IntentParameters.ts"
import { refundParameters } from "./account/Refunds.ts"
import { isBrowsers, type RouteContext, type RouteParts } from "./RouteParts.ts"
import type { Fields } from "./wire/Fields.ts"

/** Payments. */
export const paymentRoutes = (
  { account, charges, faults, gate }: RouteContext,
  { make, show, act, list, search }: RouteParts
): RouteList => {
  const { intents } = account
  /** Returns the payments that a look-up sees, unless a fault hides or exchanges them. */
  const visible = (fields: Fields) => {
    const wrong = faults.hit(["unfiltered_lookup"], { operation: "charge_lookup" })
    if (wrong !== undefined)
      return intents.objects.list.map((one) => ({ ...one, metadata: {}, customer: fields.text("customer") }))
    const lag = faults.hit(["lagging_lookup"], { operation: "charge_lookup" })
    const lagMs = lag === undefined ? 0 : (lag.value ?? standardLandingMs)
    return intents.objects.list.filter(({ id }) => !intents.objects.isYoungerThan(id, lagMs))
  }
  return [
    [
      "POST /v1/payment_intents",
      gate.route(
        "charge",
        make(
          intentParameters,
          (fields) => intents.create(fields),
          (intent) => charges.shown(intent).status,
          (intent) => ({ ...charges.shown(intent) })
        )
      )
    ],
    ["GET /v1/payment_intents", list("charge_lookup", ["customer"], visible)],
    [
      "GET /v1/payment_intents/search",
      search(
        "charge_search",
        intents.objects,
        ({ amount, created, currency, customer, metadata, status }) => ({
          metadata,
          fields: { amount, created, currency, customer: typeof customer === "string" ? customer : null, status }
        }),
        ["amount", "created", "currency", "customer", "status"]
      )
    ],
    [
      "GET /v1/payment_intents/{}",
      gate.route(
        "charge_status",
        show(
          (id) => {
            const intent = intents.require(id)
            const other = faults.hit(["other_amount"], { operation: "charge_status" })
            return other === undefined ? intent : { ...intent, amount: intent.amount + 1 }
          },
          (id) => {
            const { external_id, status } = charges.shown(intents.require(id))
            return { id, external_id, status }
          }
        ),
        isBrowsers((id) => intents.objects.get(id)?.client_secret)
      )
    ],
    [
      "POST /v1/payment_intents/{}/confirm",
      gate.route(
        "charge_confirm",
        act(confirmParameters, "confirmed", (id, fields) => intents.confirmBy(intents.require(id), fields)),
        isBrowsers((id) => intents.objects.get(id)?.client_secret)
      )
    ],
    [
      "POST /v1/payment_intents/{}/cancel",
      gate.route(
        "charge_cancel",
        act(["cancellation_reason", "expand"], "canceled", (id, fields) =>
          intents.cancel(
            intents.require(id),
            fields.oneOf("cancellation_reason", ["duplicate", "fraudulent", "requested_by_customer", "abandoned"])
          )
        )
      )
    ]
  ]
}

/** Collections, refunds, disputes and events. */
export const moneyRoutes = ({ account, gate }: RouteContext, { make, show, list }: RouteParts): RouteList => {
  const { collections, disputes, events, refunds } = account
  return [
    ["GET /v1/charges", list("collection_lookup", ["customer", "payment_intent"], () => collections.objects.list)],
    [
      "GET /v1/charges/{}",
      gate.route(
        "collection_status",
        show((id) => collections.require(id))
      )
    ],
    [
      "POST /v1/refunds",
      gate.route(
        "refund",
        make(
          refundParameters,
          (fields) => refunds.create(fields),
          ({ status }) => String(status)
        )
      )
    ],
    ["GET /v1/refunds", list("refund_lookup", ["charge", "payment_intent"], () => refunds.objects.list)],
    [
      "GET /v1/refunds/{}",
      gate.route(
        "refund_status",
        show((id) => refunds.require(id))
      )
    ],
    ["GET /v1/disputes", list("dispute_lookup", ["charge", "payment_intent"], () => disputes.objects.list)],
    [
      "GET /v1/disputes/{}",
      gate.route(
        "dispute_status",
        show((id) => disputes.require(id))
      )
    ],
    [
      "GET /v1/events",
      list(
        "event_lookup",
        ["type"],
        (fields) => {
          const types = fields.texts("types")
          return events.objects.list.filter(({ type }) => types.length === 0 || types.includes(type))
        },
        ["types", "delivery_success"]
      )
    ],
    [
      "GET /v1/events/{}",
      gate.route(
        "event_status",
        show((id) => events.require(id))
      )
    ]
  ]
}
