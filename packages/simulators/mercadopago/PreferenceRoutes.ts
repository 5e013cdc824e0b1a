import { type Call, jsonOf, type RouteList, recordOf } from "../kit/Routes.ts"
import { type Done, type NamedMake, vendorRoute } from "../kit/VendorRoute.ts"
import { type MercadopagoContext, pageOf, refuse, searchFilter } from "./MercadopagoContext.ts"
import type { Merchant } from "./Merchants.ts"
import { instantOf } from "./PaymentRules.ts"
import { checkPreference, type Preference, preferenceElement, preferenceView } from "./Preferences.ts"

/** Mercado Pago's routes about hosted checkouts. No key makes a repeated create one preference. */
export const preferenceRoutes = (context: MercadopagoContext): RouteList => {
  const { faults, now, payments, preferences } = context
  const of = vendorRoute(context, "idempotency_key_in_use")
  // Nothing locks a preference: each cut call lands under a name of its own.
  let cutOff = 0
  const landing: NamedMake<Merchant> = { nameOf: () => `preference ${++cutOff}`, factsOf }

  const create = (call: Call, merchant: Merchant): Done => {
    const body = recordOf(jsonOf(call.body))
    const facts = { ...factsOf(call), account: merchant.key.slice(-4) }
    const amountCentavos = checkPreference(body)
    if (typeof amountCentavos !== "number") return { answer: amountCentavos, outcome: "request_invalid", facts }
    const preference = preferences.make(merchant, body, amountCentavos)
    endByItself(preference)
    return {
      answer: { status: 201, body: preferenceView(preference, call.headers.host ?? "") },
      outcome: "made",
      facts: { ...facts, id: preference.id, amount_centavos: amountCentavos }
    }
  }

  const isPaid = ({ id }: Preference): boolean => payments.ofPreference(id).some(({ outcome }) => outcome === "paid")

  /** Looks at the end of the preference's time, which a later change may have moved. */
  const endByItself = (preference: Preference) => {
    const until = preference.body.expires === true ? instantOf(preference.body.expiration_date_to) : undefined
    if (until === undefined || until <= now()) return
    payments.after(until - now(), () => {
      if (!preferences.isOpen(preference) && !isPaid(preference)) preferences.noteEnd(preference, "expired")
    })
  }

  const withPreference =
    (then: (preference: Preference, call: Call) => Done) =>
    (call: Call, merchant: Merchant): Done => {
      const preference = preferences.of(merchant, call.places[0] ?? "")
      return preference === undefined ? refuse("not_found", "preference") : then(preference, call)
    }

  const shown = (preference: Preference, call: Call, outcome: string): Done => ({
    answer: { status: 200, body: preferenceView(preference, call.headers.host ?? "") },
    outcome,
    facts: { id: preference.id, external_id: preference.externalReference, mode: "hosted_checkout" }
  })

  const show = withPreference((preference, call) =>
    shown(preference, call, preferences.isOpen(preference) ? "open" : "closed")
  )

  const change = withPreference((preference, call) => {
    const body = { ...preference.body, ...recordOf(jsonOf(call.body)) }
    const amountCentavos = checkPreference(body)
    if (typeof amountCentavos !== "number") return { answer: amountCentavos, outcome: "request_invalid" }
    if (faults.hit(["stuck_cancel"], { operation: "checkout_cancel" }) === undefined) {
      const wasOpen = preferences.isOpen(preference)
      preferences.change(preference, body, amountCentavos)
      const isClosed = wasOpen && !preferences.isOpen(preference)
      if (isClosed && !isPaid(preference)) preferences.noteEnd(preference, "cancelled")
      if (!isClosed) endByItself(preference)
    }
    return shown(preference, call, preferences.isOpen(preference) ? "changed" : "cancelling")
  })

  const search = (call: Call, merchant: Merchant): Done => {
    const matches = searchFilter(context, call.query)
    const { limit, offset } = pageOf(call.query)
    const found = preferences.ofMerchant(merchant).filter(matches)
    const elements = found.slice(offset, offset + limit).map(preferenceElement)
    const next_offset = Math.min(found.length, offset + limit)
    return {
      answer: { status: 200, body: { elements, next_offset, total: found.length } },
      outcome: found.length === 0 ? "none" : "found",
      facts: { external_id: call.query.get("external_reference"), mode: "hosted_checkout" }
    }
  }

  return [
    ["POST /checkout/preferences", of("checkout", create, landing)],
    // The official client writes a slash at its end.
    ["POST /checkout/preferences/", of("checkout", create, landing)],
    ["GET /checkout/preferences/search", of("checkout_lookup", search)],
    ["GET /checkout/preferences/{}", of("checkout_read", show)],
    ["PUT /checkout/preferences/{}", of("checkout_cancel", change)]
  ]
}

const factsOf = (call: Call): Readonly<Record<string, unknown>> => {
  const body = recordOf(jsonOf(call.body))
  return {
    ...body,
    external_id: body.external_reference ?? null,
    mode: "hosted_checkout",
    idempotency_key: call.headers["x-idempotency-key"] ?? null
  }
}
