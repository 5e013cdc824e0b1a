import { logAndFaults, refused } from "../kit/Control.ts"
import { isWebAddress, jsonOf, ok, type RouteList, recordOf } from "../kit/Routes.ts"
import { payAtPage } from "./CheckoutPages.ts"
import type { MercadopagoContext } from "./MercadopagoContext.ts"
import type { Merchants } from "./Merchants.ts"
import { hasEnded, type Outcome, type Payment, refundable } from "./Payments.ts"
import type { Preference } from "./Preferences.ts"

const settable: ReadonlySet<unknown> = new Set<Outcome>([
  "paid",
  "failed",
  "expired",
  "cancelled",
  "refunded",
  "charged_back"
])

/** The control routes, which the product never calls: see `README.md`. */
export const mercadopagoControl = (context: MercadopagoContext, merchants: Merchants): RouteList => {
  const { faults, log, payments } = context
  return [
    ...logAndFaults(log, faults),
    [
      "POST /accounts",
      ({ body }) => {
        const { key, webhook_secret, webhook_url } = recordOf(jsonOf(body))
        if (typeof key !== "string" || typeof webhook_secret !== "string" || !isWebAddress(webhook_url)) {
          return refused("key, webhook_secret and webhook_url")
        }
        merchants.setUp({ key, webhook_secret, webhook_url })
        return ok({ ok: true })
      }
    ],
    [
      "POST /outcomes",
      ({ body }) => {
        const { id, status } = recordOf(jsonOf(body))
        if (typeof id !== "string") return refused("id: expected the id, external_reference or code of a payment")
        if (!settable.has(status)) {
          return refused("status: expected paid, failed, expired, cancelled, refunded or charged_back")
        }
        const decision = decide(context, id, status as Outcome)
        return decision === undefined ? refused("id: no payment or preference has it") : ok(decision)
      }
    ],
    [
      "POST /late-payments",
      ({ body }) => {
        const { charge } = recordOf(jsonOf(body))
        const payment = payments.any(String(charge))
        if (payment === undefined) return refused("charge: expected the id of a payment")
        return ok({ moved: payments.payLate(payment), status: payment.outcome })
      }
    ]
  ]
}

/** Ends a payment or preference by a name of it, as its payer or time does; undefined for an unknown name. */
export const decide = (
  context: MercadopagoContext,
  name: string,
  outcome: Outcome
): { readonly moved: boolean; readonly status: string } | undefined => {
  const payment = context.payments.any(name)
  if (payment !== undefined) return { moved: movePayment(context, payment, outcome), status: payment.outcome }
  const preference = context.preferences.any(name)
  return preference && { moved: movePreference(context, preference, outcome), status: outcome }
}

const movePayment = ({ payments }: MercadopagoContext, payment: Payment, outcome: Outcome): boolean => {
  if (outcome === "refunded") {
    const rest = refundable(payment)
    if (rest > 0) payments.refund(payment, rest)
    return rest > 0
  }
  if (outcome === "charged_back") return payments.chargeBack(payment)
  return outcome === "paid" && hasEnded(payment) ? payments.payLate(payment) : payments.end(payment, outcome)
}

/** Moves a preference that nobody began to pay. */
const movePreference = (context: MercadopagoContext, preference: Preference, outcome: Outcome): boolean => {
  if (outcome === "paid" || outcome === "failed") return payAtPage(context, preference, outcome)
  if (outcome !== "expired" && outcome !== "cancelled") return false
  const isOpen = context.preferences.isOpen(preference)
  if (isOpen) context.preferences.close(preference, outcome)
  return isOpen
}
