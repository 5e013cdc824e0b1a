import { isWebAddress, recordOf, type SimulatedAnswer } from "../kit/Routes.ts"
import { badParameter, refusalOf } from "./MercadopagoErrors.ts"

/** A Pix payment as a caller asks for it. */
export interface PaymentRequest {
  readonly amountCentavos: number
  readonly description: string | null
  readonly externalReference: string | null
  readonly notificationUrl: string | null
  readonly metadata: unknown
  readonly payer: PayerRequest
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** The payer that a request names. */
export interface PayerRequest {
  readonly email: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly identification: { readonly type: string; readonly number: string } | null
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** How long a Pix can be paid: by default, at least and at most, in milliseconds. */
export const pixLifetime = { standard: dayMs, least: 30 * minuteMs, most: 30 * dayMs } as const

/** The members of a request for a payment; Mercado Pago refuses any other name. */
const paymentMembers: ReadonlySet<string> = new Set(
  (
    "additional_info application_fee binary_mode callback_url campaign_id capture coupon_amount coupon_code " +
    "date_of_expiration description differential_pricing_id external_reference installments issuer_id metadata " +
    "notification_url payment_method_id payment_method statement_descriptor token transaction_amount " +
    "three_d_secure_mode payer forward_data point_of_interaction sponsor_id transaction_details"
  ).split(" ")
)

const payerMembers: ReadonlySet<string> = new Set(
  "type id email identification phone first_name last_name entity_type address".split(" ")
)

/** Returns the request in a body, or Mercado Pago's refusal of it. */
export const paymentRequestOf = (
  body: Readonly<Record<string, unknown>>,
  now: number
): PaymentRequest | SimulatedAnswer => {
  const payer = recordOf(body.payer)
  const strange = [
    ...Object.keys(body).filter((name) => !paymentMembers.has(name)),
    ...Object.keys(payer)
      .filter((name) => !payerMembers.has(name))
      .map((name) => `payer.${name}`)
  ]
  if (strange.length > 0) {
    return badParameter(8, `The name of the following parameters is wrong : [${strange.join(", ")}]`)
  }
  const amountCentavos = centavosOf(body.transaction_amount)
  if (amountCentavos === undefined) return refusalOf("amount_invalid")
  if (body.payment_method_id === undefined) return badParameter(2131, "Cannot infer Payment Method")
  if (body.payment_method_id !== "pix") return badParameter(3011, "Not found payment_method")
  const person = payerOf(payer)
  if ("status" in person) return person
  const { description, external_reference, metadata, notification_url } = body
  if (notification_url !== undefined && !isWebAddress(notification_url)) {
    return badParameter(4020, "notificaction_url attribute must be url valid")
  }
  if (!isReference(external_reference)) return badReference
  const expiresAt = expirationOf(body.date_of_expiration, now)
  if (typeof expiresAt !== "number") return expiresAt
  return {
    amountCentavos,
    description: typeof description === "string" ? description : null,
    externalReference: typeof external_reference === "string" ? external_reference : null,
    notificationUrl: notification_url ?? null,
    metadata: metadata ?? {},
    payer: person,
    expiresAt
  }
}

/** Returns an amount in centavos; undefined for one that is no positive number of two decimals at most. */
export const centavosOf = (amount: unknown): number | undefined => {
  if (typeof amount !== "number" || !(amount > 0)) return undefined
  const centavos = Math.round(amount * 100)
  return Math.abs(amount * 100 - centavos) < 1e-6 && Number.isSafeInteger(centavos) ? centavos : undefined
}

/** True for a reference that Mercado Pago takes: 64 letters, digits, hyphens and underscores at most. */
export const isReference = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(value))

export const badReference = badParameter(1, "external_reference: 64 letters, numbers, hyphens and underscores at most")

/** Returns an instant of Mercado Pago's form, which has milliseconds and an offset, in epoch milliseconds. */
export const instantOf = (value: unknown): number | undefined => {
  const isWritten =
    typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/.test(value)
  const at = isWritten ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

const expirationOf = (value: unknown, now: number): number | SimulatedAnswer => {
  if (value === undefined) return now + pixLifetime.standard
  const at = instantOf(value)
  const format = "The following parameters must be valid date and format (yyyy-MM-dd'T'HH:mm:ssz): date_of_expiration"
  if (at === undefined) return badParameter(23, format)
  // The time of travel of a request for the least or the most is the vendor's loss.
  const isWithin = at >= now + pixLifetime.least - minuteMs && at <= now + pixLifetime.most
  return isWithin ? at : badParameter(23, `${format}, between 30 minutes and 30 days from now`)
}

const payerOf = (payer: Readonly<Record<string, unknown>>): PayerRequest | SimulatedAnswer => {
  const { email, first_name, last_name } = payer
  if (typeof email !== "string" || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) {
    return badParameter(4050, "payer.email must be a valid email")
  }
  const names = {
    email,
    first_name: typeof first_name === "string" ? first_name : null,
    last_name: typeof last_name === "string" ? last_name : null
  }
  // The tax id of a payer may be left out, and is checked where it is there.
  if (payer.identification === undefined) return { ...names, identification: null }
  const { number, type } = recordOf(payer.identification)
  const isKnown = (type === "CPF" || type === "CNPJ") && typeof number === "string" && isTaxId(type, number)
  return isKnown
    ? { ...names, identification: { type, number } }
    : badParameter(2067, "Invalid user identification number")
}

/** True for a tax id whose two check digits are right. */
const isTaxId = (type: "CPF" | "CNPJ", number: string): boolean => {
  const length = type === "CPF" ? 11 : 14
  if (number.length !== length || !/^\d+$/.test(number) || /^(\d)\1*$/.test(number)) return false
  const heaviest = type === "CPF" ? Number.POSITIVE_INFINITY : 9
  return [length - 2, length - 1].every((at) => Number(number[at]) === checkDigit(number.slice(0, at), heaviest))
}

/** Returns a check digit modulo 11: weights rise from 2 at the last digit and begin again after the heaviest. */
const checkDigit = (digits: string, heaviest: number): number => {
  const sum = [...digits].reverse().reduce((total, digit, at) => total + Number(digit) * (2 + (at % (heaviest - 1))), 0)
  const rest = (sum * 10) % 11
  return rest === 10 ? 0 : rest
}
