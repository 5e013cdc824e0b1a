import { reais } from "../../kit/Reais.ts"
import type { Fields } from "../wire/Fields.ts"
import { invalid } from "../wire/Refusal.ts"

/** The parameters of a new payment intent; `payment_method_types` went with the version of September 2026. */
export const intentParameters = [
  ..."amount currency allowed_payment_method_types amount_details application_fee_amount".split(" "),
  ..."automatic_payment_methods capture_method confirm confirmation_method confirmation_token customer".split(" "),
  ..."customer_account description error_on_requires_action excluded_payment_method_types expand hooks".split(" "),
  ..."mandate mandate_data metadata off_session on_behalf_of payment_details payment_method".split(" "),
  ..."payment_method_configuration payment_method_data payment_method_options radar_options".split(" "),
  ..."receipt_email return_url setup_future_usage shipping statement_descriptor".split(" "),
  ..."statement_descriptor_suffix transfer_data transfer_group use_stripe_sdk".split(" ")
]

/** The parameters of its confirmation, by the account or by the cardholder's browser. */
export const confirmParameters = [
  ..."allowed_payment_method_types amount_details amount_to_confirm capture_method client_secret".split(" "),
  ..."confirmation_token error_on_requires_action excluded_payment_method_types expand hooks key".split(" "),
  ..."mandate mandate_data off_session payment_details payment_method payment_method_data".split(" "),
  ..."payment_method_options radar_options receipt_email return_url setup_future_usage shipping".split(" "),
  "use_stripe_sdk"
]

/** The least and the greatest amount of a charge in reais, in centavos. */
const leastAmount = 50
const greatestAmount = 99_999_999

/** Returns the amount of a payment intent in centavos, within the bounds of the currency. */
export const amountOf = (fields: Fields): number => {
  fields.required("amount")
  const amount = fields.whole("amount") ?? 0
  const currency = fields.required("currency").toLowerCase()
  if (currency !== "brl") {
    throw invalid(`Invalid currency: ${currency}. This simulated account charges in brl only.`, "currency")
  }
  if (amount < 1) throw invalid("This value must be greater than or equal to 1.", "amount", "parameter_invalid_integer")
  if (amount < leastAmount) {
    throw invalid(`Amount must be at least ${reais(leastAmount)} brl`, "amount", "amount_too_small")
  }
  if (amount > greatestAmount) {
    throw invalid(`Amount must be no more than ${reais(greatestAmount)} brl`, "amount", "amount_too_large")
  }
  return amount
}

/** How a payment intent is to be confirmed. */
export interface Confirmation {
  readonly method: string | null
  readonly isOffSession: boolean
  readonly returnUrl: string | null
  /** A waiting cardholder is a decline. */
  readonly refusesAction: boolean
}

/** Returns how a call confirms; refuses one that may send the cardholder away without a way back. */
export const confirmationOf = (fields: Fields, canRedirect: boolean): Confirmation => {
  const offSession = fields.oneOf("off_session", ["true", "false", "one_off", "recurring"])
  const returnUrl = fields.text("return_url")
  if (returnUrl !== null && !URL.canParse(returnUrl)) throw invalid("Not a valid URL", "return_url", "url_invalid")
  if (canRedirect && returnUrl === null) {
    throw invalid(
      "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these " +
        "payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't " +
        "want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and " +
        "`automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
      "return_url"
    )
  }
  return {
    method: fields.text("payment_method"),
    isOffSession: offSession !== null && offSession !== "false",
    returnUrl,
    refusesAction: fields.flag("error_on_requires_action") === true
  }
}

/** True when the parameters of a payment intent let in ways to pay that lead to another page. */
export const canRedirect = (fields: Fields): boolean => {
  const types = fields.texts("allowed_payment_method_types")
  if (types.length > 0) return types.some((type) => type !== "card")
  return fields.record("automatic_payment_methods").allow_redirects !== "never"
}
