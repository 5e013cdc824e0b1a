import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { pageQuery } from "../conventions/Page.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { Metadata } from "../messages/Metadata.ts"
import { LateOutcome } from "./PaymentEvents.ts"
import { PaymentFees } from "./PaymentFees.ts"
import {
  AmountCentavos,
  CustomerEmail,
  CustomerName,
  CustomerPhone,
  ExternalReference,
  PaymentDescription,
  ProviderOptions,
  TaxId
} from "./PaymentFields.ts"

/** C-PAY-02 */
export const PaymentStatus = Schema.Literals([
  "link_pending",
  "link_generated",
  "approval_requested",
  "approved",
  "paid",
  "failed",
  "expired",
  "cancelled"
]).annotate({
  description: "Status of the payment; paid, failed, expired and cancelled are final."
})
export type PaymentStatus = typeof PaymentStatus.Type

const nullableText = Schema.NullOr(Schema.String)
const reached = (what: string) => Schema.NullOr(Timestamp).annotate({ description: `When ${what}.` })
const freeMap = Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))

/** A request for a payment. C-PAY-01..13 */
export const PaymentRequest = Schema.Struct({
  id: id("pay"),
  object: Schema.Literal("payment_request"),
  status: PaymentStatus,
  environment: EnvironmentKind,
  amount_brl: AmountBrl,
  currency: Schema.Literal("BRL"),
  description: nullableText.annotate({ description: "Description of the payment, shown to the payer." }),
  customer_name: nullableText.annotate({ description: "Name of the payer." }),
  customer_tax_id: nullableText.annotate({ description: "Tax number of the payer." }),
  customer_phone: nullableText.annotate({ description: "Phone number of the payer." }),
  customer_email: nullableText.annotate({ description: "Email address of the payer." }),
  external_reference: nullableText.annotate({ description: "Your own reference." }),
  metadata: Schema.NullOr(Metadata).annotate({ description: "Your metadata." }),
  payment_link_url: nullableText.annotate({ description: "Payment link; null until it exists." }),
  pix_copy_paste: nullableText.annotate({ description: "The Pix code, to be pasted into a bank's app." }),
  pix_qr_code_base64: nullableText.annotate({ description: "The Pix code as a PNG in base64." }),
  provider: Schema.Literals(["pixprov1", "pixprov2"]).annotate({ description: "Provider that collects the payment." }),
  provider_connection_id: nullableText.annotate({ description: "Id of the provider connection." }),
  provider_payment_id: nullableText.annotate({ description: "The provider's id of the payment." }),
  provider_approval_id: nullableText.annotate({ description: "The provider's id of the approval." }),
  provider_metadata: freeMap.annotate({ description: "Further facts about the payment; members may change." }),
  trace_id: TraceId.annotate({ description: "Trace of the request that created the payment." }),
  created_at: Timestamp,
  updated_at: Timestamp,
  link_generated_at: reached("its link was made"),
  approval_requested_at: reached("an approval was asked for"),
  approved_at: reached("it was approved"),
  paid_at: reached("it was paid"),
  failed_at: reached("it failed"),
  expired_at: reached("it was over"),
  cancelled_at: reached("it was cancelled"),
  late_outcome: Schema.optionalKey(LateOutcome).annotateKey({
    description:
      "Outcome that the provider showed after the payment had ended otherwise; absent without one. The status stays final, so money that arrives late has to be handed back or booked by you."
  }),
  fees: Schema.NullOr(PaymentFees)
}).annotate({ identifier: "PaymentRequest" })
export type PaymentRequest = typeof PaymentRequest.Type

/** Body of POST /v1/payments. C-PAY-16..23 */
export const CreatePayment = Schema.Struct({
  amount_brl_centavos: AmountCentavos,
  description: nullableOptional(PaymentDescription),
  customer_name: nullableOptional(CustomerName),
  customer_tax_id: nullableOptional(TaxId),
  customer_phone: nullableOptional(CustomerPhone),
  customer_email: nullableOptional(CustomerEmail),
  external_reference: nullableOptional(ExternalReference),
  metadata: nullableOptional(Metadata),
  provider_options: nullableOptional(ProviderOptions)
}).annotate({
  identifier: "CreatePayment",
  examples: [
    {
      amount_brl_centavos: 12_550,
      description: "Order 42",
      customer_name: "Ana Souza",
      external_reference: "order-42",
      metadata: { order: "42" }
    }
  ]
})
export type CreatePayment = typeof CreatePayment.Type

/** Body of the request-approval route; both members are kept with the approval. C-PAY-32, C-LIM-03 */
export const RequestApproval = Schema.Struct({
  note: nullableOptional(
    PaymentDescription.annotate({ description: "Text shown to the approver, 1 to 500 characters." })
  ),
  metadata: nullableOptional(Metadata)
}).annotate({ identifier: "RequestPaymentApproval", examples: [{ note: "Above the usual amount." }] })

/** Body of the sandbox status route. C-PSBX-02..04, C-LIM-05 */
export const SetPaymentStatus = Schema.Struct({
  status: Schema.Literals(["paid", "failed", "expired", "cancelled"]).annotate({
    description: "Outcome of the payment."
  }),
  provider_event_id: nullableOptional(
    text(1, 255).annotate({ description: "Provider event id of the payment's event; generated by default." })
  ),
  metadata: nullableOptional(Metadata)
}).annotate({ identifier: "SetSandboxPaymentStatus", examples: [{ status: "paid" }] })

/** Query of the list. C-PAY-30 */
export const listPaymentsQuery = {
  ...pageQuery(),
  status: Schema.optionalKey(PaymentStatus.annotate({ description: "Only payments with this status." }))
}
