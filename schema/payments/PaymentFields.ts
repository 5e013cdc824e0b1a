import { Schema } from "effect"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { strictStruct } from "../conventions/StrictStruct.ts"
import { codePoints, isPlain, label } from "../conventions/Text.ts"

/** R$ 1,00 to R$ 999.999,99. gaps-3 C "Amount bounds" */
export const AmountCentavos = Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 99_999_999 })).annotate({
  description: "Amount in centavos of BRL: 100 is R$ 1,00.",
  examples: [12_550]
})

/** A caller's own reference. C-PAY-22, C-LIM-04 */
export const ExternalReference = label(1, 255).annotate({ description: "Your own reference, 1 to 255 characters." })

/** The payer's name. C-PAY-18, C-LIM-04 */
export const CustomerName = label(1, 255).annotate({ description: "Name of the payer, 1 to 255 characters." })

/**
 * A tax number of a person or a company; one whose check digits do not fit is taken with a warning. C-PAY-19, gaps-3 C
 * "Customer field details", gaps-3 "Amendments of November 2026"
 */
export const TaxId = Schema.String.check(
  Schema.isPattern(/^(?:\d{11}|[0-9A-Z]{12}\d{2})$/u, {
    expected:
      "11 digits of a CPF, or 14 digits, or 12 digits or capital letters and 2 digits, of a CNPJ; no punctuation"
  })
).annotate({
  description:
    "Tax number of the payer without punctuation: a CPF of 11 digits, or a CNPJ of 14 digits or of 12 digits or capital letters and 2 digits. Wrong check digits are told by the header svc-warning.",
  examples: ["12345678909"]
})

/** The purpose of the payment. C-PAY-17, C-LIM-03 */
export const PaymentDescription = label(1, 500).annotate({
  description: "Description of the payment, shown to the payer, 1 to 500 characters."
})

/** The address that the browser returns to. gaps-3 C "provider_options", "Agentic authorizations" */
export const ReturnUrl = Schema.String.annotate({
  description: "Absolute https URL, at most 2048 characters.",
  format: "uri",
  examples: ["https://shop.example.com/thanks"]
}).check(
  Schema.makeFilter(
    (url: string) => codePoints(url, 2048) <= 2048 && /^https:\/\/\S+$/u.test(url) && isPlain(url) && URL.canParse(url),
    { expected: "an absolute https URL of at most 2048 characters" }
  )
)

/** The payer's phone number. C-PAY-20 */
export const CustomerPhone = Schema.String.check(
  Schema.isPattern(/^\+[0-9]{8,15}$/u, { expected: "a + and 8 to 15 digits" })
).annotate({
  description: "Phone number of the payer: a plus sign and 8 to 15 digits.",
  examples: ["+5511912345678"]
})

const address = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/u

/** An address in ordinary syntax; the empty text means none. C-PAY-21, gaps-3 C "Customer field details" */
export const CustomerEmail = Schema.String.annotate({
  description: "Email address of the payer, at most 255 characters; empty for none.",
  examples: ["ana@example.com"]
}).check(
  Schema.makeFilter(
    (email: string) => email === "" || (codePoints(email, 255) <= 255 && isPlain(email) && address.test(email)),
    { expected: "an e-mail address of at most 255 characters", toJsonSchema: () => ({ maxLength: 255 }) }
  )
)

/** A page of the provider, or a code for a bank's app. gaps-3 C "provider_options" */
const PaymentMode = Schema.Literals(["hosted_checkout", "transparent_pix"]).annotate({
  description: "hosted_checkout (a page, the default) or transparent_pix (a code)."
})

/** Seconds until a payment can no longer be paid: five minutes to 30 days. gaps-3 C "provider_options" */
const ExpiresInSeconds = Schema.Int.check(Schema.isBetween({ minimum: 300, maximum: 2_592_000 })).annotate({
  description: "Seconds until the payment can no longer be paid, 300 to 2592000; 86400 by default."
})

/** Options of a single provider. gaps-3 C "provider_options" */
export const ProviderOptions = strictStruct({
  pixprov1: nullableOptional(
    strictStruct({ expires_in_seconds: nullableOptional(ExpiresInSeconds) }).annotate({
      description: "Options of pixprov1."
    })
  ),
  pixprov2: nullableOptional(
    strictStruct({
      mode: nullableOptional(PaymentMode),
      expires_in_seconds: nullableOptional(ExpiresInSeconds),
      success_url: nullableOptional(ReturnUrl)
    }).annotate({ description: "Options of pixprov2." })
  )
})
  .annotate({ description: "Options of the provider in use: at most one member." })
  .check(
    Schema.makeFilter(({ pixprov1, pixprov2 }) => pixprov1 === undefined || pixprov2 === undefined, {
      expected: "one provider's options"
    })
  )
