import { Schema } from "effect"
import { id, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { label } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { Ddd } from "../phone-numbers/Region.ts"

/** The status of an order. M-ORD-02 */
export const OrderStatus = Schema.Literals([
  "awaiting_approval",
  "approved",
  "declined",
  "expired",
  "provisioning",
  "fulfilled",
  "failed"
]).annotate({ description: "awaiting_approval until an owner or admin decides, for at most 24 hours." })
export type OrderStatus = typeof OrderStatus.Type

/** The reason why an order failed. M-ORD-07 */
export const OrderFailureCode = Schema.Literals([
  "phone_number_order_declined",
  "phone_number_order_expired",
  "phone_number_order_terms_changed"
]).annotate({ description: "Code of the failure." })
export type OrderFailureCode = typeof OrderFailureCode.Type

const instant = (description: string) => Schema.NullOr(Timestamp).annotate({ description })

/**
 * The charges of an approval, as computed when the order was created. M-ORD-03, gaps-2 K "Orders: preview and decision
 * channel"
 */
export const OrderPreview = Schema.Struct({
  amount_brl: AmountBrl.annotate({ description: "Amount reserved at approval and charged at delivery." }),
  monthly_fee_brl: AmountBrl.annotate({ description: "Price of every later month." }),
  currency: Schema.Literal("brl"),
  first_charge_at: instant("Earliest time of the first charge; null in sandbox."),
  next_charge_at: instant("Time of the next monthly charge: 00:05 UTC on the 1st; null in sandbox."),
  terms_version: Schema.String.annotateKey({ description: "The terms of the rental." }),
  free: Schema.Boolean.annotateKey({ description: "True when the order is free of charge." })
}).annotate({ identifier: "PhoneNumberOrderPreview" })
export type OrderPreview = typeof OrderPreview.Type

const orderFields = {
  id: id("pno"),
  object: Schema.Literal("phone_number_order"),
  status: OrderStatus,
  project_id: id("prj"),
  environment_id: id("env"),
  ddd: Schema.String.annotateKey({ description: "Requested area code." }),
  display_name: Schema.NullOr(Schema.String).annotate({ description: "Name that customers will see." }),
  purpose: Schema.NullOr(Schema.String).annotate({ description: "Purpose, shown to the person who approves." }),
  preview: OrderPreview.annotateKey({ description: "Charges and their times, as computed at creation." }),
  terms_version: Schema.String.annotateKey({ description: "The terms of the rental." }),
  approval_url: Schema.NullOr(Schema.String).annotate({
    description: "Page on which an owner or admin decides; null once decided or expired."
  }),
  expires_at: Timestamp,
  phone_number_id: Schema.NullOr(id("pn")).annotate({ description: "Id of the number; null before approval." }),
  failure: Schema.NullOr(
    Schema.Struct({
      code: OrderFailureCode,
      message: Schema.String.annotateKey({ description: "Text for people." })
    }).annotate({ identifier: "PhoneNumberOrderFailure" })
  ).annotate({ description: "Reason of the failure; null otherwise." }),
  created_at: Timestamp,
  approved_at: instant("Time of approval."),
  declined_at: instant("Time of the refusal.")
}

/** An order of a number. M-ORD-01..08 */
export const PhoneNumberOrder = Schema.Struct(orderFields).annotate({ identifier: "PhoneNumberOrder" })
export type PhoneNumberOrder = typeof PhoneNumberOrder.Type

/** An order as a response of its own. */
export const PhoneNumberOrderRead = Schema.Struct({ ...orderFields, trace_id: TraceId })

const displayName = nullableOptional(
  label(1, 255).annotate({ description: "Name that customers will see, 1 to 255 characters after trimming." })
)

/** Body of POST /v1/phone-numbers/provision. M-PHN-45 */
export const ProvisionPhoneNumber = Schema.Struct({ ddd: Ddd, display_name: displayName }).annotate({
  identifier: "ProvisionPhoneNumber",
  examples: [{ ddd: "11", display_name: "Loja Aurora" }]
})
export type ProvisionPhoneNumber = typeof ProvisionPhoneNumber.Type

/** Body of POST /v1/phone-numbers/orders. M-ORD-09 */
export const CreatePhoneNumberOrder = Schema.Struct({
  ddd: Ddd,
  display_name: displayName,
  purpose: nullableOptional(
    label(1, 500).annotate({ description: "Purpose, shown to the person who approves, 1 to 500 characters." })
  )
}).annotate({
  identifier: "CreatePhoneNumberOrder",
  examples: [{ ddd: "11", display_name: "Loja Aurora", purpose: "Orders of the new shop." }]
})
export type CreatePhoneNumberOrder = typeof CreatePhoneNumberOrder.Type
