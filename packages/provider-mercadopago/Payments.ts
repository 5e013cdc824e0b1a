import type { PixCheckout, PixCheckoutOrder } from "@carteiro/provider/payments/PixProvider.ts"
import { centavosOfReais, reaisNumber } from "@carteiro/vendor-http/Reais.ts"
import { memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { instantOf, textOf } from "@carteiro/vendor-http/VendorJson.ts"
import type { PaymentResponse } from "mercadopago/dist/clients/payment/commonTypes.js"
import type { PaymentCreateRequest } from "mercadopago/dist/clients/payment/create/types.js"
import { idText } from "./Answers.ts"

/** The least seconds for which the vendor lets a Pix code be paid. */
export const leastPixSeconds = 1800
/** The most seconds by which the vendor's clock is ahead of ours, travel of the call included. */
const slackSeconds = 60

/** Returns until when a Pix code may be paid, in epoch milliseconds; never sooner than the vendor allows. */
export const pixExpiry = (seconds: number, now: number): number =>
  now + Math.max(seconds, leastPixSeconds + slackSeconds) * 1000

/** Returns an instant in the vendor's format, which has an offset and no Z. */
export const vendorTime = (at: number): string => new Date(at).toISOString().replace("Z", "+00:00")

/** Returns an address that the vendor can call back; nothing for one that only this machine can reach. */
export const noticeUrlOf = (url: string | null | undefined) =>
  url?.startsWith("https://") ? { notification_url: url } : undefined

/** Returns a payer's number with its kind: 11 digits are a person's. */
export const identificationOf = (tax_id: string | null | undefined) =>
  tax_id ? { identification: { type: tax_id.length === 11 ? "CPF" : "CNPJ", number: tax_id } } : undefined

/** Returns the first word of a name, and the others. */
export const namesOf = (
  name: string | null | undefined
): readonly [first: string, others: string | undefined] | undefined => {
  const [first, ...others] = (name ?? "").split(" ").filter((word) => word !== "")
  return first === undefined ? undefined : [first, others.length === 0 ? undefined : others.join(" ")]
}

/** Returns the request for a payment by code. */
export const codeRequest = (order: PixCheckoutOrder, now: number): PaymentCreateRequest => {
  const { amount_centavos, customer, description, expires_in_seconds, external_id, notice_url } = order
  const names = namesOf(customer?.name)
  const email = customer?.email ?? null
  return {
    transaction_amount: reaisNumber(amount_centavos),
    description: description ?? external_id,
    payment_method_id: "pix",
    external_reference: external_id,
    date_of_expiration: vendorTime(pixExpiry(expires_in_seconds, now)),
    payer: {
      ...(email === null ? undefined : { email }),
      ...(names === undefined ? undefined : { first_name: names[0] }),
      ...(names?.[1] === undefined ? undefined : { last_name: names[1] }),
      ...identificationOf(customer?.tax_id)
    },
    ...noticeUrlOf(notice_url)
  }
}

/** A payment at the vendor, of a code or of an attempt at its page. */
export interface VendorPayment {
  readonly id: string
  readonly external_reference: string
  readonly status: PixCheckout["status"]
  /** Undefined for an amount that cannot be compared. */
  readonly amount_centavos: number | null | undefined
  readonly detail: string | null
  readonly expires_at: number | null
  readonly qr_code: string | null
  readonly qr_code_base64: string | null
}

const member = (json: unknown, name: keyof PaymentResponse) => memberOf(json, name)

/** Reads a payment, of an answer or of a page of a search; undefined for any other value. */
export const readPayment = (json: unknown): VendorPayment | undefined => {
  const id = idText(member(json, "id"))
  const external_reference = member(json, "external_reference") ?? ""
  const detail = textOf(json, "status_detail" satisfies keyof PaymentResponse)
  const status = statusOf(member(json, "status"), detail)
  if (id === undefined || typeof external_reference !== "string" || status === undefined) return undefined
  const transaction = memberOf(member(json, "point_of_interaction"), "transaction_data")
  return {
    id,
    external_reference,
    status,
    amount_centavos: centavosOfReais(member(json, "transaction_amount")),
    detail,
    expires_at: instantOf(json, "date_of_expiration" satisfies keyof PaymentResponse),
    qr_code: textOf(transaction, "qr_code"),
    qr_code_base64: textOf(transaction, "qr_code_base64")
  }
}

/**
 * Returns the status in the contract's words. Money that was given back, or is argued about, was paid. A cancelled payment
 * is over by time where the vendor says so.
 */
const statusOf = (status: unknown, detail: string | null): PixCheckout["status"] | undefined => {
  switch (status) {
    case "pending":
    case "authorized":
    case "in_process":
      return "pending"
    case "approved":
    case "in_mediation":
    case "refunded":
    case "charged_back":
      return "paid"
    case "rejected":
      return "failed"
    case "cancelled":
      return detail === "expired" ? "expired" : "cancelled"
    default:
      return undefined
  }
}

/** Returns a payment by code as a charge; undefined for an amount that cannot be compared. */
export const chargeOfPayment = (payment: VendorPayment): PixCheckout | undefined => {
  const { amount_centavos, detail, expires_at, external_reference, id, qr_code, qr_code_base64, status } = payment
  if (amount_centavos === undefined) return undefined
  return {
    _tag: "Charge",
    id,
    external_id: external_reference,
    amount_centavos,
    status,
    payment_url: null,
    pix_copy_paste: qr_code,
    pix_qr_code_base64: qr_code_base64,
    expires_at,
    ...(status === "failed" && detail !== null ? { failure_code: detail } : undefined)
  }
}
