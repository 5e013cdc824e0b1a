import { Schema } from "effect"
import { defineEvent } from "../conventions/Event.ts"
import { id } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

const nullableText = Schema.NullOr(Schema.String)

/** The operation that changed the payment. gaps-3 C "Payment event details" */
export const PaymentOperation = Schema.Literals(["create", "link", "cancel", "provider_outcome", "sandbox_status"])

/**
 * An outcome that the provider showed after the payment had ended otherwise. `at` is when it was seen. gaps-3 "Amendments
 * of November 2026"
 */
export const LateOutcome = Schema.Struct({
  status: Schema.Literals(["paid", "failed", "expired", "cancelled"]).annotate({
    description: "The outcome that the provider showed; paid means that money arrived."
  }),
  at: Timestamp.annotate({ description: "When it was seen." })
}).annotate({ identifier: "PaymentLateOutcome" })

/**
 * The payment as it was at the change, never in a later state; without tax id, raw callback and provider metadata.
 * C-PEVT-07..17, gaps-3 C "Payment event details"
 */
const data = <Status extends Schema.Top, Link extends Schema.Top>(status: Status, payment_link_url: Link) =>
  Schema.Struct({
    id: id("pay"),
    object: Schema.Literal("payment_request"),
    payment_request_id: id("pay").annotate({ description: "Equal to id." }),
    status,
    amount_brl: Schema.NullOr(AmountBrl),
    currency: Schema.Literal("BRL"),
    description: nullableText.annotate({ description: "Description of the payment, shown to the payer." }),
    customer_name: nullableText.annotate({ description: "Name of the payer." }),
    customer_phone: nullableText.annotate({ description: "Phone number of the payer." }),
    customer_email: nullableText.annotate({ description: "Email address of the payer." }),
    external_reference: nullableText.annotate({ description: "Your own reference." }),
    metadata: Schema.NullOr(Schema.Unknown).annotateKey({ description: "Your metadata of the payment." }),
    payment_link_url: payment_link_url.annotateKey({ description: "Payment link; null while there is none." }),
    provider: nullableText.annotate({ description: "Provider that collects the payment." }),
    provider_payment_id: nullableText.annotate({ description: "The provider's id of the payment." }),
    provider_approval_id: nullableText.annotate({ description: "The provider's id of the approval." }),
    provider_event_id: Schema.optionalKey(nullableText).annotate({ description: "The provider's id of its event." }),
    provider_event_type: Schema.optionalKey(Schema.String).annotate({
      description: "The provider's name for its event."
    }),
    operation: Schema.optionalKey(PaymentOperation).annotate({ description: "Operation that changed the payment." }),
    error_code: Schema.optionalKey(Schema.String).annotate({
      description: "Code of the failure; new codes may appear."
    }),
    error_message: Schema.optionalKey(Schema.String).annotate({ description: "The failure in a sentence." }),
    sandbox_simulator: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "True when the sandbox status route changed the payment."
    }),
    sandbox_pay_page: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "True when the sandbox payment page changed the payment."
    })
  })

const ready = data(Schema.Literal("link_generated"), Schema.String)
const options = { source_type: "payment_request", timed: true } as const
/** The link gives anyone who knows it access to the payment's page. */
const linked = { ...options, sealed: true } as const

/** C-PEVT-02 */
export const PaymentCreated = defineEvent("payment.created", data(Schema.Literal("link_pending"), Schema.Null), {
  ...options,
  description: "A payment was accepted; its link does not exist yet."
})

/** C-PEVT-03, C-PEVT-04 */
export const PaymentApprovalAvailable = defineEvent("payment.approval_available", ready, {
  ...linked,
  description: "The link of a payment is ready to be sent."
})

/** C-PEVT-03, C-PEVT-04 */
export const PaymentLinkGenerated = defineEvent("payment.link_generated", ready, {
  ...linked,
  description: "Equal to payment.approval_available; both events are raised together."
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
  description: "A payment expired before it was paid."
})

/** C-PEVT-05 */
export const PaymentCancelled = defineEvent("payment.cancelled", data(Schema.Literal("cancelled"), nullableText), {
  ...linked,
  description: "A payment was cancelled."
})

/**
 * The status is the final one that the payment keeps; `late_outcome` is what the provider showed after it. gaps-3
 * "Amendments of November 2026"
 */
export const PaymentLateOutcome = defineEvent(
  "payment.late_outcome",
  data(
    Schema.Literals(["paid", "failed", "expired", "cancelled"]).annotate({
      description: "Final status, which the payment keeps."
    }),
    nullableText
  ).mapFields((fields) => ({
    ...fields,
    late_outcome: LateOutcome.annotateKey({ description: "The outcome that the provider showed after the end." })
  })),
  {
    ...linked,
    description: "The provider showed another outcome of a payment that had ended, such as money after expiry."
  }
)
