import type { PixCheckout, PixCheckoutOrder, PixProvider } from "@carteiro/provider/payments/PixProvider.ts"
import { Effect, Redacted } from "effect"
import { idOf, memberOf } from "./VendorAnswers.ts"
import type { VendorCalls } from "./VendorCalls.ts"
import { broughtBy, callJson, centavosOf, foundBy, instantOf, madeBy, pageOf, textOf } from "./VendorJson.ts"

const statuses = ["pending", "approved", "paid", "failed", "expired", "cancelled"] as const

/**
 * Makes the charges of the Pix providers, whose wires differ in the place of charges and in the further members of an
 * order. gaps-3 G "pixprov1 and pixprov2 calls"
 */
export const pixWire = (
  calls: VendorCalls,
  path: `/v1/${string}`,
  more: (order: PixCheckoutOrder) => object
): Pick<PixProvider, "create" | "read" | "lookUp"> => ({
  create: (key, order) => {
    const { amount_centavos, customer, description, expires_in_seconds, external_id } = order
    const json = { external_id, amount_centavos, description, customer, expires_in_seconds, ...more(order) }
    return Effect.map(
      callJson(calls, { method: "POST", at: path, key: Redacted.value(key), json, idempotencyKey: external_id }),
      (result) => madeBy(result, readCheckout)
    )
  },
  read: (key, id) =>
    Effect.map(
      callJson(calls, { method: "GET", at: `${path}/${encodeURIComponent(id)}`, key: Redacted.value(key) }),
      (result) => broughtBy(result, readCheckout)
    ),
  lookUp: (key, externalId) =>
    Effect.map(
      callJson(calls, {
        method: "GET",
        at: `${path}?external_id=${encodeURIComponent(externalId)}`,
        key: Redacted.value(key)
      }),
      (result) => foundBy(result, externalId, readCheckout)
    )
})

/** Reads a charge from the wire; undefined for any other value. */
export const readCheckout = (json: unknown): PixCheckout | undefined => {
  const id = idOf(json)
  const external_id = textOf(json, "external_id")
  const status = statuses.find((one) => one === memberOf(json, "status"))
  const amount_centavos = centavosOf(json, "amount_centavos")
  if (id === undefined || external_id === null || status === undefined || amount_centavos === undefined)
    return undefined
  return {
    _tag: "Charge",
    id,
    external_id,
    status,
    amount_centavos,
    payment_url: pageOf(json, "payment_url"),
    pix_copy_paste: textOf(json, "pix_copy_paste"),
    pix_qr_code_base64: textOf(json, "pix_qr_code_base64"),
    expires_at: instantOf(json, "expires_at")
  }
}
