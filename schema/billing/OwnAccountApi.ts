import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { IdempotencyKeyConflict, ProviderError } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { AutoTopupConfig, TopupAmount } from "./AutoTopup.ts"
import { BillingProviderNotConfigured, InvalidBillingRequest } from "./BillingErrors.ts"
import { ListedTopup } from "./CreditTopup.ts"
import { ListedPaymentMethod } from "./PaymentMethod.ts"
import { TopupNotFound } from "./TopupErrors.ts"

/** The saved cards of the organization and how it tops itself up. C-CARD-01..12, C-ATOP-01..14 */
export const PaymentSettings = Schema.Struct({
  object: Schema.Literal("payment_settings"),
  /** Active cards, the default first. */
  cards: Schema.Array(ListedPaymentMethod),
  /** True when the card processor collects cards on pages of its own. */
  has_card_pages: Schema.Boolean,
  auto_topup: Schema.Struct({
    ...AutoTopupConfig.fields,
    /** True while it is off because a top-up failed. */
    has_failed: Schema.Boolean
  }).mapFields(({ trace_id: _, ...fields }) => fields),
  trace_id: TraceId
})

/** One top-up with what only people of the organization see. */
export const Topup = Schema.Struct({
  ...ListedTopup.fields,
  decline_code: Schema.NullOr(Schema.String),
  /** Where the cardholder proves to the bank who they are; null when that is not asked for. */
  authentication_url: Schema.NullOr(Schema.String)
})
export type Topup = typeof Topup.Type

/** A plan, and what a change to it would cost at present. gaps-3 E "Subscribe details", "Change details" */
export const PlanCost = Schema.Struct({
  plan_offering_id: Schema.String,
  display_name: Schema.String,
  monthly_fee_brl: AmountBrl,
  annual_fee_brl: AmountBrl,
  max_phones: Schema.NullOr(Schema.Int),
  /** Part of the list price that a message costs, in ten-thousandths. */
  multiplier: Schema.Int,
  /** `now`: charged at once; `renewal`: the plan applies when the period ends; `current`: it is in force. */
  when: Schema.Literals(["now", "renewal", "current", "refused"]),
  amount_brl: AmountBrl
})
export type PlanCost = typeof PlanCost.Type

/** The plan of the organization, and what each plan on offer would cost now. C-PLAN-01..23 */
export const PlanStanding = Schema.Struct({
  object: Schema.Literal("plan_standing"),
  status: Schema.Literals(["active", "past_due", "canceled", "none"]),
  /** Null on the free tier. */
  current: Schema.NullOr(Schema.Struct({ display_name: Schema.String, monthly_fee_brl: AmountBrl })),
  /** The name of the plan that applies with the next period. */
  pending_display_name: Schema.NullOr(Schema.String),
  current_period_end: Schema.NullOr(Timestamp),
  cancel_at_period_end: Schema.Boolean,
  /** True while an invoice is being paid. */
  has_open_invoice: Schema.Boolean,
  costs: Schema.Array(PlanCost),
  trace_id: TraceId
})
export type PlanStanding = typeof PlanStanding.Type

/** A page of the card processor on which a card is collected. */
const CardPage = Schema.Struct({
  object: Schema.Literal("card_page"),
  url: Schema.String,
  trace_id: TraceId
})

/** A card that such a page collected, before it is saved. */
const CollectedCard = Schema.Struct({
  object: Schema.Literal("collected_card"),
  cardproc_payment_method_id: Schema.String,
  brand: Schema.NullOr(Schema.String),
  last4: Schema.NullOr(Schema.String),
  exp_month: Schema.NullOr(Schema.Int),
  exp_year: Schema.NullOr(Schema.Int),
  trace_id: TraceId
})

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["billing:read"],
  rate: "read",
  validation: InvalidBillingRequest.code,
  realTime: true
}
const topup = Schema.Struct({ ...Topup.fields, trace_id: TraceId })

/** What people see and do of the organization's own account beside the API. C-PKG-11..13, decision 0155 */
export class OwnAccountApi extends HttpApiGroup.make("ownAccount")
  .add(
    HttpApiEndpoint.get("paymentSettings", "/payment-settings", { success: PaymentSettings }).annotate(Traits, traits),
    HttpApiEndpoint.post("openCardPage", "/card-pages", {
      success: CardPage.pipe(HttpApiSchema.status(201)),
      error: [BillingProviderNotConfigured.wire, ProviderError.wire]
    }).annotate(Traits, { ...traits, scopes: ["billing:write"], rate: "write" }),
    HttpApiEndpoint.get("collectedCard", "/collected-card", {
      query: { page_id: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255)) },
      success: CollectedCard,
      error: [InvalidBillingRequest.wire, BillingProviderNotConfigured.wire, ProviderError.wire]
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("plan", "/plan", { success: PlanStanding }).annotate(Traits, traits),
    HttpApiEndpoint.get("projectSpend", "/projects/:project_id/spend", {
      params: { project_id: pathId("prj") },
      /** A UTC month, such as `2026-01`. */
      query: { month: Schema.String },
      success: Schema.Struct({ object: Schema.Literal("project_spend"), amount_brl: AmountBrl, trace_id: TraceId })
    }).annotate(Traits, traits),
    /** The most that a message of a category costs now: under the plan, before any package. C-PLAN-09 */
    HttpApiEndpoint.get("messagePrice", "/message-price", {
      query: { category: Schema.Literals(["marketing", "utility", "authentication", "service"]) },
      success: Schema.Struct({
        object: Schema.Literal("message_price"),
        /** Null while no price is in effect. */
        amount_brl: Schema.NullOr(AmountBrl),
        trace_id: TraceId
      })
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("topup", "/top-ups/:topup_id", {
      params: { topup_id: pathId("ctu") },
      success: topup,
      error: TopupNotFound.wire
    }).annotate(Traits, traits),
    HttpApiEndpoint.post("topUpByPix", "/top-ups", {
      payload: Schema.Struct({ amount_brl: TopupAmount }),
      success: topup.pipe(HttpApiSchema.status(201)),
      error: [InvalidBillingRequest.wire, BillingProviderNotConfigured.wire, IdempotencyKeyConflict.wire]
    }).annotate(Traits, { ...traits, scopes: ["billing:write"], rate: "write", idempotency: "optional" })
  )
  .prefix("/people/account") {}
