import type { PixCheckout, PixCheckoutOrder } from "@carteiro/provider/payments/PixProvider.ts"
import { centavosOfReais, reaisNumber } from "@carteiro/vendor-http/Reais.ts"
import { memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { instantOf, pageOf } from "@carteiro/vendor-http/VendorJson.ts"
import type { PreferenceRequest, PreferenceResponse } from "mercadopago/dist/clients/preference/commonTypes.js"
import { idText } from "./Answers.ts"
import { identificationOf, namesOf, noticeUrlOf, pixExpiry, type VendorPayment, vendorTime } from "./Payments.ts"

/** The longest title of an item, in characters. */
const mostTitle = 256

/** Returns the request for a page of payment: the whole amount as one item, paid until the order's expiry. */
export const pageRequest = (order: PixCheckoutOrder, now: number): PreferenceRequest => {
  const { amount_centavos, customer, description, expires_in_seconds, external_id, notice_url, success_url } = order
  const names = namesOf(customer?.name)
  const title = [...(description ?? external_id)].slice(0, mostTitle).join("")
  return {
    items: [{ id: external_id, title, quantity: 1, currency_id: "BRL", unit_price: reaisNumber(amount_centavos) }],
    external_reference: external_id,
    expires: true,
    expiration_date_from: vendorTime(now),
    expiration_date_to: vendorTime(now + expires_in_seconds * 1000),
    // A code that a payer takes from the page ends with it, as far as the vendor lets codes end.
    date_of_expiration: vendorTime(pixExpiry(expires_in_seconds, now)),
    ...(success_url === null ? undefined : { back_urls: { success: success_url }, auto_return: "approved" }),
    ...(customer === null
      ? undefined
      : {
          payer: {
            ...(names === undefined ? undefined : { name: names[0] }),
            ...(names?.[1] === undefined ? undefined : { surname: names[1] }),
            ...(customer.email === null ? undefined : { email: customer.email }),
            ...identificationOf(customer.tax_id)
          }
        }),
    ...noticeUrlOf(notice_url)
  }
}

/** The member of a preference's metadata that says that this service ended it. */
const endedMark = "ended_by_seller"

/** Returns the change that ends a page now; the vendor has no other way to take one back. */
export const endRequest = (now: number): Omit<PreferenceRequest, "items"> => ({
  expires: true,
  expiration_date_to: vendorTime(now),
  metadata: { [endedMark]: true }
})

/** A page of payment at the vendor. */
export interface VendorPage {
  readonly id: string
  readonly external_reference: string
  readonly amount_centavos: number | null
  readonly payment_url: string | null
  /** Epoch milliseconds. */
  readonly expires_at: number | null
  readonly isEnded: boolean
}

const member = (json: unknown, name: keyof PreferenceResponse) => memberOf(json, name)

/** Reads a page of payment; undefined for any other value, and for an amount that cannot be compared. */
export const readPage = (json: unknown): VendorPage | undefined => {
  const id = idText(member(json, "id"))
  const external_reference = member(json, "external_reference") ?? ""
  const amount_centavos = amountOf(member(json, "items"))
  if (id === undefined || typeof external_reference !== "string" || amount_centavos === undefined) return undefined
  return {
    id,
    external_reference,
    amount_centavos,
    payment_url: pageOf(json, "init_point" satisfies keyof PreferenceResponse),
    expires_at:
      member(json, "expires") === true
        ? instantOf(json, "expiration_date_to" satisfies keyof PreferenceResponse)
        : null,
    isEnded: memberOf(member(json, "metadata"), endedMark) === true
  }
}

const amountOf = (items: unknown): number | null | undefined => {
  if (!Array.isArray(items)) return null
  let sum = 0
  for (const item of items) {
    const price = centavosOfReais(memberOf(item, "unit_price"))
    const quantity = memberOf(item, "quantity") ?? 1
    if (price === null || price === undefined || typeof quantity !== "number") return undefined
    sum += price * quantity
  }
  return Number.isSafeInteger(sum) ? sum : undefined
}

/**
 * Returns a page as a charge, by the payments that payers tried there. A page without a payment has ended once its time and
 * that of the lagging search are over; while a payment is undecided it has not. An attempt that failed ends nothing: the
 * payer may try again.
 */
export const chargeOfPage = (
  page: VendorPage,
  payments: ReadonlyArray<VendorPayment>,
  now: number,
  settlesMs: number
): PixCheckout | undefined => {
  const own = payments.filter(({ external_reference }) => external_reference === page.external_reference)
  const paid = own.find(({ status }) => status === "paid")
  const isOver = page.expires_at !== null && now >= page.expires_at + settlesMs
  const isOpen = own.some(({ status }) => status === "pending")
  const status = paid !== undefined ? "paid" : isOver && !isOpen ? (page.isEnded ? "cancelled" : "expired") : "pending"
  const amount_centavos = paid === undefined ? page.amount_centavos : paid.amount_centavos
  if (amount_centavos === undefined) return undefined
  return {
    _tag: "Charge",
    id: page.id,
    external_id: page.external_reference,
    amount_centavos,
    status,
    payment_url: page.payment_url,
    pix_copy_paste: null,
    pix_qr_code_base64: null,
    expires_at: page.expires_at
  }
}
