import { reais } from "../kit/Reais.ts"
import { type Call, type RouteList, recordOf, type SimulatedAnswer } from "../kit/Routes.ts"
import { escaped, formField, page, seeOther } from "../pix/Pages.ts"
import type { MercadopagoContext } from "./MercadopagoContext.ts"
import type { Payment } from "./Payments.ts"
import type { Preference } from "./Preferences.ts"

const missing: SimulatedAnswer = { ...page("No such payment", "<h1>No such payment</h1>"), status: 404 }

const button = (outcome: string, label: string): string => `<button name="outcome" value="${outcome}">${label}</button>`

/**
 * The pages on which people pay: that of a preference, that of a payment, and a bank's app that takes the code of a
 * Pix. Their buttons act as the payer.
 */
export const checkoutPages = (context: MercadopagoContext): RouteList => {
  const { payments, preferences } = context
  const preferenceOf = (call: Call) => preferences.any(call.query.get("pref_id") ?? "")
  return [
    [
      "GET /checkout/v1/redirect",
      (call) => {
        const preference = preferenceOf(call)
        return preference === undefined ? missing : preferencePage(context, preference)
      }
    ],
    [
      "POST /checkout/v1/redirect",
      (call) => {
        const preference = preferenceOf(call)
        if (preference === undefined) return missing
        payAtPage(context, preference, formField(call, "outcome"))
        return seeOther(`/checkout/v1/redirect?pref_id=${preference.id}`)
      }
    ],
    [
      "GET /payments/{}/ticket",
      ({ places: [id = ""] }) => {
        const payment = payments.any(id)
        return payment === undefined ? missing : paymentPage(payment)
      }
    ],
    [
      "POST /payments/{}/ticket",
      (call) => {
        const payment = payments.any(call.places[0] ?? "")
        if (payment === undefined) return missing
        const outcome = formField(call, "outcome")
        if (outcome === "paid" || outcome === "failed") payments.end(payment, outcome)
        return seeOther(`/payments/${payment.id}/ticket`)
      }
    ],
    ["GET /pay/{}", ({ places: [name = ""] }) => seeOther(addressOf(context, name))],
    [
      "POST /pay/{}",
      (call) => {
        const name = call.places[0] ?? ""
        const outcome = formField(call, "outcome")
        const payment = payments.any(name)
        const preference = preferences.any(name)
        if (payment === undefined && preference !== undefined) payAtPage(context, preference, outcome)
        if (payment !== undefined && (outcome === "paid" || outcome === "failed")) payments.end(payment, outcome)
        return seeOther(addressOf(context, name))
      }
    ],
    [
      "GET /bank",
      () =>
        page(
          "Bank",
          `<h1>Pay a Pix</h1><form method="post" action="/bank"><label>Pix code <input name="code"></label>` +
            `<button>Continue</button></form>`
        )
    ],
    [
      "POST /bank",
      (call) => {
        const payment = payments.any(formField(call, "code").trim())
        return payment === undefined ? missing : seeOther(`/payments/${payment.id}/ticket`)
      }
    ]
  ]
}

/** Returns the page of a payment or preference by a name of it, as the other Pix simulators have it at `/pay/{name}`. */
const addressOf = ({ payments, preferences }: MercadopagoContext, name: string): string => {
  const payment = payments.any(name)
  if (payment !== undefined && payment.preferenceId === null) return `/payments/${payment.id}/ticket`
  const id = payment?.preferenceId ?? preferences.any(name)?.id
  return `/checkout/v1/redirect?pref_id=${id ?? ""}`
}

/** Acts as the payer at the page of a preference: begins a Pix, and pays or declines it; false when it is closed. */
export const payAtPage = ({ payments, preferences }: MercadopagoContext, preference: Preference, outcome: string) => {
  const before = payments.ofPreference(preference.id)
  if (before.some((payment) => payment.outcome === "paid")) return false
  const open = before.find((payment) => payment.outcome === "pending")
  if (open === undefined && !preferences.isOpen(preference)) return false
  const payment = open ?? payments.make(preference.merchant, preferences.paymentOf(preference), preference.id)[0]
  if (outcome === "paid" || outcome === "failed") payments.end(payment, outcome)
  return true
}

const preferencePage = async (
  { payments, preferences }: MercadopagoContext,
  preference: Preference
): Promise<SimulatedAnswer> => {
  const { amountCentavos, body, externalReference, id } = preference
  const tries = payments.ofPreference(id)
  const paid = tries.find(({ outcome }) => outcome === "paid")
  const pending = tries.find(({ outcome }) => outcome === "pending")
  const status = (paid ?? pending ?? tries.at(-1))?.outcome ?? (preferences.isOpen(preference) ? "pending" : "expired")
  const titles = (Array.isArray(body.items) ? body.items : []).map((item) => escaped(String(recordOf(item).title)))
  const { success } = recordOf(body.back_urls)
  const isPayable = paid === undefined && (pending !== undefined || preferences.isOpen(preference))
  const begin = pending === undefined ? button("begin", "Show the Pix code") : ""
  const form =
    `<form method="post" action="/checkout/v1/redirect?pref_id=${id}">${button("paid", "Pay")}` +
    `${button("failed", "Decline")}${begin}</form>`
  const back = new URLSearchParams({
    payment_id: String(paid?.id),
    status: "approved",
    external_reference: externalReference ?? "",
    preference_id: id
  })
  const backLink = paid !== undefined && typeof success === "string" && success !== "" ? withQuery(success, back) : null
  return page(
    "Payment",
    `<h1>${reais(amountCentavos)}</h1><p>${titles.join(", ")}</p><p>Status: <strong id="status">${status}</strong></p>` +
      (pending === undefined ? "" : await codeOf(pending)) +
      (isPayable ? form : "") +
      (backLink === null ? "" : `<p><a href="${escaped(backLink)}">Back</a></p>`)
  )
}

const withQuery = (url: string, query: URLSearchParams): string => `${url}${url.includes("?") ? "&" : "?"}${query}`

const codeOf = async ({ code, qrCode }: Payment): Promise<string> =>
  `<p><img alt="QR code" width="200" src="data:image/png;base64,${await qrCode()}"></p><p><code id="code">${code}</code></p>`

const paymentPage = async (payment: Payment): Promise<SimulatedAnswer> => {
  const { amountCentavos, description, id, outcome } = payment
  const buttons =
    `<form method="post" action="/payments/${id}/ticket">` +
    `${button("paid", "Pay")}${button("failed", "Decline")}</form>`
  return page(
    "Payment",
    `<h1>${reais(amountCentavos)}</h1><p>${escaped(description ?? "")}</p>` +
      `<p>Status: <strong id="status">${outcome}</strong></p>${await codeOf(payment)}` +
      (outcome === "pending" ? buttons : "")
  )
}
