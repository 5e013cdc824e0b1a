import { Claim } from "@carteiro/owners/Idempotency.ts"
import { Schema } from "effect"

/** A purchase as the edge sends it. */
export const PackagePurchase = Schema.Struct({
  topup_id: Schema.String,
  package_code: Schema.String,
  payment_method_id: Schema.NullOr(Schema.String),
  request: Schema.UndefinedOr(Schema.Struct({ key: Schema.String, fingerprint: Schema.String }))
})
export type PackagePurchase = typeof PackagePurchase.Type

/** The top-up of the response: for a repeated request, the one that the first request began. */
export const PurchaseBegun = Schema.Struct({ topup_id: Schema.String })

const caller = { traceId: Schema.String, claim: Schema.UndefinedOr(Claim) }
const nullableText = Schema.NullOr(Schema.String)
const nullableInt = Schema.NullOr(Schema.Int)

/** Saves a card that the processor has collected and attached to the account's customer. */
export const Save = Schema.TaggedStruct("Save", {
  ...caller,
  id: Schema.String,
  customer: Schema.String,
  card: Schema.String,
  brand: nullableText,
  last4: nullableText,
  exp_month: nullableInt,
  exp_year: nullableInt,
  set_default: Schema.Boolean
})
const SetDefault = Schema.TaggedStruct("SetDefault", { ...caller, id: Schema.String })
const Delete = Schema.TaggedStruct("Delete", { ...caller, id: Schema.String })

/** A command about an account's saved cards. C-CARD-08..12 */
export const CardCommand = Schema.Union([Save, SetDefault, Delete])
export type CardCommand = typeof CardCommand.Type

/** A call of an act on its way to the account, with the request as the act's schema encodes it. */
export const ActCall = Schema.Struct({ act: Schema.String, request: Schema.Unknown })
export type ActCall = typeof ActCall.Type

/** The settings of automatic top-up as the edge sends them; amounts in 1/10,000 BRL. */
export const AutoTopupSetting = Schema.Struct({
  enabled: Schema.Boolean,
  threshold: Schema.Int,
  amount: Schema.Int,
  payment_method_id: Schema.NullOr(Schema.String),
  traceId: Schema.String,
  claim: Schema.UndefinedOr(Claim)
})
export type AutoTopupSetting = typeof AutoTopupSetting.Type

/** A top-up to be paid by Pix; the amount in 1/10,000 BRL, whole centavos. */
export const PixTopup = Schema.Struct({
  topup_id: Schema.String,
  amount: Schema.Int,
  // A node of release 0.1.0 leaves it out.
  request: Schema.optional(Schema.Struct({ key: Schema.String, fingerprint: Schema.String }))
})
export type PixTopup = typeof PixTopup.Type

/** A subscription as the edge sends it. C-PLAN-12 */
export const PlanSubscription = Schema.Struct({
  invoice_id: Schema.String,
  plan_offering_id: Schema.String,
  rail: Schema.Literals(["cardproc_card", "pix_annual"]),
  request: Schema.UndefinedOr(Schema.Struct({ key: Schema.String, fingerprint: Schema.String }))
})
export type PlanSubscription = typeof PlanSubscription.Type

/** The invoice of the response: for a repeated request, the one that the first request began. */
export const SubscriptionBegun = Schema.Struct({ invoice_id: Schema.String })

/** A command about a subscription; its invoice, if any, is charged later. C-PLAN-17, C-PLAN-20 */
export const PlanCommand = Schema.Union([
  Schema.TaggedStruct("Change", { ...caller, plan_offering_id: Schema.String }),
  Schema.TaggedStruct("Cancel", caller)
])
export type PlanCommand = typeof PlanCommand.Type
