import { Schema } from "effect"
import { id, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { label } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { Ddd } from "../phone-numbers/Region.ts"

/** Where an order stands. M-ORD-02 */
export const OrderStatus = Schema.Literals([
  "awaiting_approval",
  "approved",
  "declined",
  "expired",
  "provisioning",
  "fulfilled",
  "failed"
]).annotate({ description: "awaiting_approval until an owner or admin decides, for 24 hours at most." })
export type OrderStatus = typeof OrderStatus.Type

/** Why an order came to nothing. M-ORD-07 */
export const OrderFailureCode = Schema.Literals([
  "phone_number_order_declined",
  "phone_number_order_expired",
  "phone_number_order_terms_changed"
]).annotate({ description: "Why nothing came of it." })
export type OrderFailureCode = typeof OrderFailureCode.Type

const instant = (description: string) => Schema.NullOr(Timestamp).annotate({ description })

/** What an approval charges, as computed when the order was made. M-ORD-03, gaps-2 K "Orders: preview and decision channel" */
export const OrderPreview = Schema.Struct({
  amount_brl: AmountBrl.annotate({ description: "What is reserved at approval and charged at delivery." }),
  monthly_fee_brl: AmountBrl.annotate({ description: "What every later month costs." }),
  currency: Schema.Literal("brl"),
  first_charge_at: instant("When the first month is charged at the earliest; null in sandbox."),
  next_charge_at: instant("When the next month is charged: 00:05 UTC on the 1st; null in sandbox."),
  terms_version: Schema.String.annotateKey({ description: "The terms of the rental." }),
  free: Schema.Boolean.annotateKey({ description: "Whether nothing is charged." })
}).annotate({ identifier: "PhoneNumberOrderPreview" })
export type OrderPreview = typeof OrderPreview.Type

const orderFields = {
  id: id("pno"),
  object: Schema.Literal("phone_number_order"),
  status: OrderStatus,
  project_id: id("prj"),
  environment_id: id("env"),
  ddd: Schema.String.annotateKey({ description: "The area code it asks for." }),
  display_name: Schema.NullOr(Schema.String).annotate({ description: "The name customers will see." }),
  purpose: Schema.NullOr(Schema.String).annotate({ description: "What it is for, as whoever approves reads it." }),
  preview: OrderPreview.annotateKey({ description: "What will be charged, and when, as computed at creation." }),
  terms_version: Schema.String.annotateKey({ description: "The terms of the rental." }),
  approval_url: Schema.NullOr(Schema.String).annotate({
    description: "Where an owner or admin decides; null once that is done or too late."
  }),
  expires_at: Timestamp,
  phone_number_id: Schema.NullOr(id("pn")).annotate({ description: "The number; null before approval." }),
  failure: Schema.NullOr(
    Schema.Struct({
      code: OrderFailureCode,
      message: Schema.String.annotateKey({ description: "For a person to read." })
    }).annotate({ identifier: "PhoneNumberOrderFailure" })
  ).annotate({ description: "Why it came to nothing; null otherwise." }),
  created_at: Timestamp,
  approved_at: instant("When it was approved."),
  declined_at: instant("When it was declined.")
}

/** An order of a number. M-ORD-01..08 */
export const PhoneNumberOrder = Schema.Struct(orderFields).annotate({ identifier: "PhoneNumberOrder" })
export type PhoneNumberOrder = typeof PhoneNumberOrder.Type

/** An order as it is answered alone. */
export const PhoneNumberOrderRead = Schema.Struct({ ...orderFields, trace_id: TraceId })

const displayName = nullableOptional(
  label(1, 255).annotate({ description: "The name customers will see, 1 to 255 characters after trimming." })
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
    label(1, 500).annotate({ description: "What it is for, shown to whoever approves, 1 to 500 characters." })
  )
}).annotate({
  identifier: "CreatePhoneNumberOrder",
  examples: [{ ddd: "11", display_name: "Loja Aurora", purpose: "Orders of the new shop." }]
})
export type CreatePhoneNumberOrder = typeof CreatePhoneNumberOrder.Type
