import { Schema } from "effect"
import { defineEvent } from "../conventions/Event.ts"
import { id } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"

const nullableText = Schema.NullOr(Schema.String)

/** What moved the payment. gaps-3 C "Payment event details" */
export const PaymentOperation = Schema.Literals(["create", "link", "cancel", "provider_outcome", "sandbox_status"])

/**
 * The payment as it was when it happened, never later state; no tax id, no raw callback and no provider metadata.
 * C-PEVT-07..17, gaps-3 C "Payment event details"
 */
const data = <Status extends Schema.Top, Link extends Schema.Top>(status: Status, payment_link_url: Link) =>
  Schema.Struct({
    id: id("pay"),
    object: Schema.Literal("payment_request"),
    payment_request_id: id("pay").annotate({ description: "The same as id." }),
    status,
    amount_brl: Schema.NullOr(AmountBrl),
    currency: Schema.Literal("BRL"),
    description: nullableText.annotate({ description: "What is paid for, as the payer reads it." }),
    customer_name: nullableText.annotate({ description: "Name of the payer." }),
    customer_phone: nullableText.annotate({ description: "Phone number of the payer." }),
    customer_email: nullableText.annotate({ description: "Address of the payer." }),
    external_reference: nullableText.annotate({ description: "Your own reference." }),
    metadata: Schema.NullOr(Schema.Unknown).annotateKey({ description: "What you attached to the payment." }),
    payment_link_url: payment_link_url.annotateKey({ description: "Where the payer pays; null while there is none." }),
    provider: nullableText.annotate({ description: "Who collects the payment." }),
    provider_payment_id: nullableText.annotate({ description: "The provider's id of the payment." }),
    provider_approval_id: nullableText.annotate({ description: "The provider's id of the approval." }),
    provider_event_id: Schema.optionalKey(nullableText).annotate({ description: "The provider's id of its event." }),
    provider_event_type: Schema.optionalKey(Schema.String).annotate({
      description: "The provider's name of its event."
    }),
    operation: Schema.optionalKey(PaymentOperation).annotate({ description: "What moved the payment." }),
    error_code: Schema.optionalKey(Schema.String).annotate({ description: "Why it failed; more codes may follow." }),
    error_message: Schema.optionalKey(Schema.String).annotate({ description: "The same in a sentence." }),
    sandbox_simulator: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "True when the sandbox status route moved it."
    }),
    sandbox_pay_page: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "True when the sandbox pay page moved it."
    })
  })

const ready = data(Schema.Literal("link_generated"), Schema.String)
const options = { source_type: "payment_request", timed: true } as const
/** Whoever knows the link of a payment opens its page. */
const linked = { ...options, sealed: true } as const

/** C-PEVT-02 */
export const PaymentCreated = defineEvent("payment.created", data(Schema.Literal("link_pending"), Schema.Null), {
  ...options,
  description: "A payment was accepted; its link is not made yet."
})

/** C-PEVT-03, C-PEVT-04 */
export const PaymentApprovalAvailable = defineEvent("payment.approval_available", ready, {
  ...linked,
  description: "The link of a payment is ready to be sent."
})

/** C-PEVT-03, C-PEVT-04 */
export const PaymentLinkGenerated = defineEvent("payment.link_generated", ready, {
  ...linked,
  description: "Another name of payment.approval_available; both are raised together."
})

/** C-PEVT-05 */
export const PaymentPaid = defineEvent("payment.paid", data(Schema.Literal("paid"), nullableText), {
  ...linked,
  description: "A payment was paid."
})

/** C-PEVT-05 */
export const PaymentFailed = defineEvent("payment.failed", data(Schema.Literal("failed"), nullableText), {
  ...linked,
  description: "A payment failed."
})

/** C-PEVT-05 */
export const PaymentExpired = defineEvent("payment.expired", data(Schema.Literal("expired"), nullableText), {
  ...linked,
  description: "A payment was not paid in time."
})

/** C-PEVT-05 */
export const PaymentCancelled = defineEvent("payment.cancelled", data(Schema.Literal("cancelled"), nullableText), {
  ...linked,
  description: "A payment was cancelled."
})
