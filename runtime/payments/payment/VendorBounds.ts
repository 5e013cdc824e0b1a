import { type BrokenBound, brokenBound, type PixBounds, type PixMode } from "@carteiro/provider/payments/PixBounds.ts"
import type { PixVendor } from "@carteiro/provider/payments/PixProvider.ts"
import { InvalidPaymentRequest } from "@carteiro/schema/payments/PaymentErrors.ts"
import { centavosOf } from "../agentic/AgenticPayment.ts"
import type { PaymentRow } from "./Payment.ts"

/** The members of a payment that an account's vendor may bound. Amount in 1/10,000 BRL. */
type Bounded = Pick<
  PaymentRow,
  "amount" | "customer_name" | "customer_tax_id" | "customer_email" | "mode" | "expires_in_seconds"
>

/**
 * Returns the refusal of a payment that its vendor would not take, before anything is charged; undefined when it would.
 * Issue "Cards, Pix, numbers and speech", "The rules that real vendors bend"
 */
export const boundRefusal = (
  bounds: PixBounds,
  provider: PixVendor,
  payment: Bounded
): InvalidPaymentRequest | undefined => {
  const { amount, customer_email, customer_name, customer_tax_id, expires_in_seconds, mode } = payment
  const broken = brokenBound(bounds, {
    amount_centavos: centavosOf(amount),
    mode,
    expires_in_seconds,
    customer: { name: customer_name, tax_id: customer_tax_id, email: customer_email }
  })
  return broken && new InvalidPaymentRequest(toldOf(broken, `provider_options.${provider}`, mode))
}

/** Names of the payer's members, as sentences have them. */
const payerNames = { name: "name", tax_id: "tax id", email: "e-mail address" } as const

const toldOf = (
  broken: BrokenBound,
  options: string,
  mode: PixMode
): { readonly param: string; readonly message: string } => {
  switch (broken._tag) {
    case "mode":
      return {
        param: `${options}.mode`,
        message: `The account of this environment does not take ${mode}; leave mode out to use the one that it takes.`
      }
    case "least_amount":
    case "most_amount": {
      const word = broken._tag === "least_amount" ? "least" : "most"
      return {
        param: "amount_brl_centavos",
        message: `The account of this environment takes ${broken.centavos} centavos at ${word} for ${mode}.`
      }
    }
    case "least_expiry":
    case "most_expiry": {
      const word = broken._tag === "least_expiry" ? "least" : "most"
      return {
        param: `${options}.expires_in_seconds`,
        message: `The account of this environment takes ${broken.seconds} seconds at ${word} for ${mode}.`
      }
    }
    case "payer":
      return {
        param: `customer_${broken.field}`,
        message: `The account of this environment demands the payer's ${payerNames[broken.field]} for ${mode}: send customer_${broken.field}.`
      }
  }
}
