import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { IdempotencyKeyConflict, ProviderError } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import {
  BillingProviderNotConfigured,
  CardDeclined,
  InvalidBillingQuery,
  InvalidBillingRequest,
  PaymentMethodRequired,
  RateCardNotFound
} from "./BillingErrors.ts"
import { listTraits, readTraits } from "./BillingTraits.ts"
import {
  PlanAlreadyCurrent,
  PlanOfferingNotFound,
  PlanPhoneLimitReached,
  SubscribeNeedsPaymentMethod,
  SubscriptionAlreadyActive,
  SubscriptionChangePending,
  SubscriptionNotFound
} from "./PlanErrors.ts"

/** The ways to pay for a subscription. C-PLAN-06 */
export const BillingRail = Schema.Literals(["cardproc_card", "pix_annual"]).annotate({
  description: "cardproc_card: each month by the default card. pix_annual: each year by Pix."
})

const planOfferingId = Schema.String.annotate({ description: "Id of a plan of the catalog.", examples: ["plo_growth"] })

const termsFields = {
  throughput_tier: Schema.Literals(["starter", "growth", "scale"]).annotate({
    description: "Messages that each number may send per second: 10, 40 or 80."
  }),
  max_phones: Schema.NullOr(Schema.Int).annotate({
    description: "Maximum number of phone numbers; null for no limit."
  }),
  platform_fee_multiplier: Schema.String.annotate({
    description: "Factor for prices with multiplier_applies.",
    examples: ["0.65"]
  }),
  net_transport_rate_brl: AmountBrl.annotate({ description: "Price of a utility message under the plan." }),
  numprov_byok_enabled: Schema.Boolean.annotateKey({
    description: "Whether you may import numbers of your own number-provider account."
  })
}

/** A plan on offer. C-PLAN-01, gaps-3 E "Plan catalog" */
export const PlanOffering = Schema.Struct({
  id: planOfferingId,
  object: Schema.Literal("plan_offering"),
  code: Schema.String.annotate({ description: "Short name of the plan.", examples: ["growth"] }),
  display_name: Schema.String.annotate({ description: "Display name of the plan." }),
  monthly_fee_brl: AmountBrl.annotate({ description: "Charged each month by card." }),
  annual_fee_brl: AmountBrl.annotate({ description: "Charged each year by Pix." }),
  currency: Schema.Literal("brl"),
  billing_rails: Schema.Array(BillingRail).annotate({ description: "Accepted ways of payment." }),
  ...termsFields
}).annotate({ identifier: "PlanOffering" })

const subscriptionFields = {
  id: id("sub"),
  object: Schema.Literal("subscription"),
  status: Schema.Literals(["active", "past_due", "canceled", "none"]).annotate({
    description: "none: the free tier. past_due: a renewal is unpaid and will be tried again; the plan stays in force."
  }),
  plan_offering_id: Schema.NullOr(planOfferingId),
  display_name: Schema.NullOr(Schema.String).annotate({ description: "Name of the plan; null on the free tier." }),
  billing_rail: Schema.NullOr(BillingRail),
  ...termsFields,
  monthly_fee_brl: Schema.NullOr(AmountBrl).annotate({ description: "Null on the free tier." }),
  current_period_end: Schema.NullOr(Timestamp).annotate({ description: "End of the paid period." }),
  cancel_at_period_end: Schema.Boolean.annotateKey({
    description: "Whether the subscription ends with the current period."
  })
}

/** The subscription in force. C-PLAN-02..10 */
const Subscription = Schema.Struct(subscriptionFields).annotate({ identifier: "Subscription" })
export type Subscription = typeof Subscription.Type

const trace_id = TraceId
const read = Schema.Struct({ ...subscriptionFields, trace_id })

/** The Pix payment of an annual plan. gaps-3 E "Subscribe details" */
const PixCheckout = Schema.Struct({
  pixprov2_charge_id: Schema.String.annotate({ description: "Id of the charge at the payment provider." }),
  amount_brl: AmountBrl,
  pix_copy_paste: Schema.NullOr(Schema.String).annotate({ description: "The Pix code to paste into a bank's app." }),
  pix_qr_code_base64: Schema.NullOr(Schema.String).annotate({ description: "The Pix code as a PNG, in base64." }),
  expires_at: Timestamp
}).annotate({ identifier: "PixCheckout" })
export type PixCheckout = typeof PixCheckout.Type

const checkout = Schema.Struct({
  id: id("sub"),
  object: Schema.Literal("subscription_checkout"),
  subscription: Subscription.annotateKey({ description: "The subscription as it is now." }),
  pix: Schema.NullOr(PixCheckout).annotate({
    description: "Pix payment for the subscription; null when a card is charged."
  }),
  trace_id
})

/** Body of POST /v1/billing/plan/subscribe. C-PLAN-12 */
const SubscribeToPlan = Schema.Struct({ plan_offering_id: planOfferingId, rail: BillingRail }).annotate({
  examples: [{ plan_offering_id: "plo_growth", rail: "cardproc_card" }]
})

/** Body of POST /v1/billing/plan/change. C-PLAN-17 */
const ChangePlan = Schema.Struct({ plan_offering_id: planOfferingId }).annotate({
  examples: [{ plan_offering_id: "plo_scale" }]
})

const writes: OperationTraits = {
  scopes: ["billing:write"],
  rate: "write",
  validation: InvalidBillingRequest.code,
  idempotency: "optional",
  strictBody: true
}

/**
 * Routes of plans and the subscription of the caller's account; open under a credit block. C-PLAN, gaps-3 A "Who owns
 * billing state"
 */
export class PlansApi extends HttpApiGroup.make("plans")
  .annotate(OpenApi.Identifier, "billing.plans")
  .add(
    HttpApiEndpoint.get("list", "/plans", {
      success: Schema.Struct({
        object: Schema.Literal("list"),
        data: Schema.Array(PlanOffering).annotateKey({ description: "All plans, the cheapest first." }),
        has_more: Schema.Literal(false),
        next_cursor: Schema.Null.annotate({ description: "Always null: one page holds all plans." }),
        trace_id
      }),
      error: [InvalidBillingQuery.wire, RateCardNotFound.wire]
    })
      .annotate(Traits, listTraits)
      .annotate(OpenApi.Summary, "List plans")
      .annotate(OpenApi.Description, "All plans that can be subscribed to, on one page. The free tier is not listed."),
    HttpApiEndpoint.get("get", "/plan", { success: read, error: RateCardNotFound.wire })
      .annotate(Traits, readTraits)
      .annotate(OpenApi.Identifier, "billing.plan.get")
      .annotate(OpenApi.Summary, "Read the subscription")
      .annotate(
        OpenApi.Description,
        "The plan in force; a change appears as soon as it is paid. Production keys see the organization's subscription, sandbox keys a simulated one."
      ),
    HttpApiEndpoint.post("subscribe", "/plan/subscribe", {
      payload: SubscribeToPlan,
      success: checkout.pipe(HttpApiSchema.status(201)),
      error: [
        InvalidBillingRequest.wire,
        PlanOfferingNotFound.wire,
        SubscriptionAlreadyActive.wire,
        SubscriptionChangePending.wire,
        PlanPhoneLimitReached.wire,
        SubscribeNeedsPaymentMethod.wire,
        CardDeclined.wire,
        ProviderError.wire,
        BillingProviderNotConfigured.wire,
        RateCardNotFound.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, writes)
      .annotate(OpenApi.Identifier, "billing.plan.subscribe")
      .annotate(OpenApi.Summary, "Subscribe to a plan")
      .annotate(
        OpenApi.Description,
        "By card, the request charges the default card. By Pix, the response holds the charge to pay within 24 hours; the plan applies once it is paid."
      ),
    HttpApiEndpoint.post("change", "/plan/change", {
      payload: ChangePlan,
      success: read,
      error: [
        InvalidBillingRequest.wire,
        SubscriptionNotFound.wire,
        PlanOfferingNotFound.wire,
        SubscriptionChangePending.wire,
        PlanAlreadyCurrent.wire,
        PlanPhoneLimitReached.wire,
        PaymentMethodRequired.wire,
        RateCardNotFound.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, writes)
      .annotate(OpenApi.Identifier, "billing.plan.change")
      .annotate(OpenApi.Summary, "Change the plan")
      .annotate(
        OpenApi.Description,
        "The response shows the current plan. A larger plan is charged to the default card for the rest of the period and applies once paid. A smaller plan applies with the next renewal."
      ),
    HttpApiEndpoint.post("cancel", "/plan/cancel", {
      success: read,
      error: [InvalidBillingRequest.wire, SubscriptionNotFound.wire, RateCardNotFound.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, writes)
      .annotate(OpenApi.Identifier, "billing.plan.cancel")
      .annotate(OpenApi.Summary, "Cancel the subscription")
      .annotate(
        OpenApi.Description,
        "The subscription stays in force until the end of the period. A past-due subscription ends immediately."
      )
  )
  .prefix("/v1/billing")
  .annotate(OpenApi.Title, "Plans")
  .annotate(OpenApi.Description, "Plans with their prices and limits, and the subscription.") {}
