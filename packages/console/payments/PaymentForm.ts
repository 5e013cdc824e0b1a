import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { CreatePayment } from "@carteiro/schema/payments/PaymentRequest.ts"
import { readPhone } from "@carteiro/spellings/Phone.ts"
import { amountField, readAmount } from "../kit/AmountField.ts"
import { errorAt, field, type Refused } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { type Label, say } from "../kit/Language.ts"
import { input, select } from "../kit/Parts.ts"
import { phoneHint, phoneRefusalText } from "../kit/PhoneText.ts"
import { refusalText } from "../kit/RefusalTexts.ts"

/** A payment as it was typed. */
export interface TypedPayment {
  readonly amount: string
  readonly description: string
  readonly customer_name: string
  readonly customer_phone: string
  readonly customer_email: string
  readonly external_reference: string
  /** Seconds until it can no longer be paid. */
  readonly expires: string
}

/** The part of the form that a refusal is about; `form` stands for all of it. */
export type PaymentField = keyof TypedPayment | "form"

/** The form before anything was typed. */
export const newPayment: TypedPayment = {
  amount: "",
  description: "",
  customer_name: "",
  customer_phone: "",
  customer_email: "",
  external_reference: "",
  expires: "86400"
}

export const typedPayment = (sent: URLSearchParams): TypedPayment => ({
  amount: field(sent, "amount").trim(),
  description: field(sent, "description").trim(),
  customer_name: field(sent, "customer_name").trim(),
  customer_phone: field(sent, "customer_phone").trim(),
  customer_email: field(sent, "customer_email").trim(),
  external_reference: field(sent, "external_reference").trim(),
  expires: field(sent, "expires") || newPayment.expires
})

/** The provider of an environment's payments, and the region in which phones without a country code are read. */
export interface PaymentPlace {
  readonly provider: "pixprov1" | "pixprov2"
  readonly region: string
}

/** Returns the body that a request of the API would carry, or the field that is refused before any call. The operation decodes it. */
export const paymentBody = (
  typed: TypedPayment,
  { provider, region }: PaymentPlace
): CreatePayment | Refused<PaymentField> => {
  const amount = readAmount(typed.amount, amountBounds)
  if (typeof amount !== "number") return { field: "amount", error: amount }
  const { phone, refusal } = readPhone(typed.customer_phone, region)
  if (typed.customer_phone !== "" && refusal !== undefined) {
    return { field: "customer_phone", error: phoneRefusalText(refusal) }
  }
  const { customer_email, customer_name, description, external_reference } = typed
  return {
    amount_brl_centavos: amount / unitsPerCentavo,
    ...(description !== "" && { description }),
    ...(customer_name !== "" && { customer_name }),
    ...(phone !== undefined && { customer_phone: phone }),
    ...(customer_email !== "" && { customer_email }),
    ...(external_reference !== "" && { external_reference }),
    provider_options: { [provider]: { expires_in_seconds: Number(typed.expires) } }
  }
}

/** What the route takes, in 1/10,000 BRL. */
const amountBounds = { least: 10_000, most: 9_999_999_900 }
const unitsPerCentavo = 100

/** Returns the field that a refusal of the API is about. */
export const refusedPaymentField = (refusal: ApiError): Refused<PaymentField> => {
  const member = refusal.param ?? ""
  const known = members.find((name) => name === member)
  if (member.endsWith("expires_in_seconds")) {
    return { field: "expires", error: say("Choose another time: the payment account does not take this one.") }
  }
  return { field: fields[member] ?? known ?? "form", error: refusalText(refusal) }
}

const members = ["description", "customer_name", "customer_phone", "customer_email", "external_reference"] as const
const fields: Readonly<Record<string, PaymentField>> = { amount_brl_centavos: "amount" }

const hour = 3_600
const day = 24 * hour

/** How long a payment may be paid, in seconds. */
const expiries: ReadonlyArray<readonly [value: string, text: Label]> = [
  [String(hour), "1 hour"],
  [String(6 * hour), "6 hours"],
  [String(day), "1 day"],
  [String(3 * day), "3 days"],
  [String(7 * day), "7 days"],
  [String(30 * day), "30 days"]
]

/** The fields of a new payment, empty or as they were sent. */
export const paymentFields = (
  typed: TypedPayment,
  region: string,
  refused: Refused<PaymentField> | undefined
): Html => html`<div class="card"><div class="pair">
${amountField({
  name: "amount",
  label: "Amount in reais",
  value: typed.amount,
  hint: say("Such as 50,00 or 1.234,56."),
  error: errorAt(refused, "amount"),
  required: true
})}
${select({ name: "expires", label: "It can be paid for", choices: expiries, chosen: typed.expires, error: errorAt(refused, "expires") })}
</div>
${input({
  name: "description",
  label: "What it is for",
  value: typed.description,
  hint: say("Your customer reads it on the payment page."),
  error: errorAt(refused, "description"),
  maxLength: 500
})}
<div class="pair">
${input({
  name: "customer_name",
  label: "Customer's name (optional)",
  value: typed.customer_name,
  error: errorAt(refused, "customer_name"),
  maxLength: 255
})}
${input({
  name: "customer_phone",
  label: "Customer's phone (optional)",
  value: typed.customer_phone,
  hint: phoneHint(region),
  error: errorAt(refused, "customer_phone"),
  plain: true,
  maxLength: 64
})}
${input({
  name: "customer_email",
  label: "Customer's e-mail (optional)",
  value: typed.customer_email,
  type: "email",
  hint: say("Some payment accounts demand it for a Pix code."),
  error: errorAt(refused, "customer_email"),
  plain: true,
  maxLength: 255
})}
${input({
  name: "external_reference",
  label: "Your reference (optional)",
  value: typed.external_reference,
  hint: say("Such as the number of the order. You find the payment by it."),
  error: errorAt(refused, "external_reference"),
  plain: true,
  maxLength: 255
})}
</div></div>`
