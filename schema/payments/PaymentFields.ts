import { Schema } from "effect"
import { codePoints, label } from "../conventions/Text.ts"

/** R$ 1,00 to R$ 999.999,99. gaps-3 C "Amount bounds" */
export const AmountCentavos = Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 99_999_999 })).annotate({
  description: "Amount in centavos of BRL: 100 is R$ 1,00.",
  examples: [12_550]
})

/** Your own reference of a thing. C-PAY-22, C-LIM-04 */
export const ExternalReference = label(1, 255).annotate({ description: "Your own reference, 1 to 255 characters." })

/** Whom a payment is for. C-PAY-18, C-LIM-04 */
export const CustomerName = label(1, 255).annotate({ description: "Name of the payer, 1 to 255 characters." })

/** A person's or a company's number; check digits are not looked at. C-PAY-19, gaps-3 C "Customer field details" */
export const TaxId = Schema.String.check(Schema.isPattern(/^(?:\d{11}|\d{14})$/u)).annotate({
  description: "Tax number of the payer: 11 or 14 digits, nothing else.",
  examples: ["12345678909"]
})

/** What is paid for. C-PAY-17, C-LIM-03 */
export const PaymentDescription = label(1, 500).annotate({
  description: "What is paid for, as the payer reads it, 1 to 500 characters."
})

/** Where a browser goes afterwards. gaps-3 C "provider_options", "Agentic authorizations" */
export const ReturnUrl = Schema.String.annotate({
  description: "Absolute https URL, at most 2048 characters.",
  format: "uri",
  examples: ["https://shop.example.com/thanks"]
}).check(
  Schema.makeFilter(
    (url: string) =>
      codePoints(url, 2048) <= 2048 && /^https:\/\/\S+$/u.test(url) && url.isWellFormed() && URL.canParse(url),
    { expected: "an absolute https URL of at most 2048 characters" }
  )
)
