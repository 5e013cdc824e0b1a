import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { ProviderError } from "../conventions/SharedErrors.ts"
import { text } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import {
  BillingProviderNotConfigured,
  CardDeclined,
  InvalidBillingQuery,
  InvalidBillingRequest,
  PaymentMethodLimitReached,
  PaymentMethodNotActive,
  PaymentMethodNotFound
} from "./BillingErrors.ts"
import { listTraits } from "./BillingTraits.ts"

const nullableText = Schema.NullOr(Schema.String)

const fields = {
  id: id("bpm"),
  object: Schema.Literal("billing_payment_method"),
  type: Schema.Literal("card"),
  brand: nullableText.annotate({ description: "The card's brand.", examples: ["visa"] }),
  last4: nullableText.annotate({ description: "Last four digits of the card.", examples: ["4242"] }),
  exp_month: Schema.NullOr(Schema.Int).annotate({ description: "Month of expiry, 1 to 12." }),
  exp_year: Schema.NullOr(Schema.Int).annotate({ description: "Year of expiry." }),
  is_default: Schema.Boolean.annotateKey({
    description: "Whether it is the default card; an account has at most one."
  }),
  status: Schema.Literals(["active", "deleted"]).annotate({
    description: "Status of the card. A deleted card stays on record and cannot be charged."
  }),
  created_at: Timestamp,
  updated_at: Timestamp
}

/** A saved card. C-CARD-01..03 */
export const ListedPaymentMethod = Schema.Struct(fields).annotate({ identifier: "ListedPaymentMethod" })
export type ListedPaymentMethod = typeof ListedPaymentMethod.Type

/** A saved card as a response of its own. */
export const PaymentMethod = Schema.Struct({ ...fields, trace_id: TraceId }).annotate({ identifier: "PaymentMethod" })
export type PaymentMethod = typeof PaymentMethod.Type

/** All active cards on one page. C-CARD-04 */
const PaymentMethodList = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(ListedPaymentMethod).annotateKey({ description: "The default first, then the newest." }),
  has_more: Schema.Literal(false),
  next_cursor: Schema.Null.annotate({ description: "Always null: one page holds all cards." }),
  trace_id: TraceId
}).annotate({ identifier: "PaymentMethodList" })

/** A card in collection. C-CARD-06, gaps-3 A "Resources printed without id" */
const SetupIntent = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the setup intent at the card processor." }),
  object: Schema.Literal("billing_payment_method_setup_intent"),
  cardproc_customer_id: Schema.String.annotate({ description: "Id of your customer record at the card processor." }),
  cardproc_setup_intent_id: Schema.String.annotate({ description: "Id of the setup intent at the card processor." }),
  cardproc_client_secret: nullableText.annotate({
    description: "For use only in the card processor's form in the browser; never store it."
  }),
  trace_id: TraceId
}).annotate({ identifier: "PaymentMethodSetupIntent" })

/** The longest accepted id of the card processor. */
const mostIdLength = 255

/** Body of POST /v1/billing/payment-methods. C-CARD-08 */
const SavePaymentMethod = Schema.Struct({
  cardproc_payment_method_id: text(1, mostIdLength).annotate({
    description:
      "Id of the collected card at the card processor. In sandbox sbpm_ok, sbpm_declined or sbpm_authentication.",
    examples: ["sbpm_ok"]
  }),
  set_default: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).annotate({
    description: "Whether the card becomes the default; the first card always does."
  })
}).annotate({
  identifier: "SavePaymentMethod",
  examples: [{ cardproc_payment_method_id: "sbpm_ok", set_default: true }]
})

const write = {
  scopes: ["billing:write"],
  rate: "write",
  validation: InvalidBillingRequest.code,
  strictBody: true
} as const

/** Saved cards; open under a credit block. C-CARD-01..12 */
export class PaymentMethodsApi extends HttpApiGroup.make("billing-payment-methods")
  .annotate(OpenApi.Identifier, "billing.paymentMethods")
  .add(
    HttpApiEndpoint.get("list", "/", { success: PaymentMethodList, error: InvalidBillingQuery.wire })
      .annotate(Traits, listTraits)
      .annotate(OpenApi.Summary, "List saved cards")
      .annotate(OpenApi.Description, "Every active card, all on one page."),
    HttpApiEndpoint.post("setupIntent", "/setup-intent", {
      success: SetupIntent.pipe(HttpApiSchema.status(201)),
      error: [InvalidBillingRequest.wire, BillingProviderNotConfigured.wire, ProviderError.wire]
    })
      .annotate(Traits, write)
      .annotate(OpenApi.Summary, "Begin collecting a card")
      .annotate(
        OpenApi.Description,
        "Charges nothing. The client secret is for the card processor's form in the browser; no read shows it again."
      ),
    HttpApiEndpoint.post("save", "/", {
      payload: SavePaymentMethod,
      success: PaymentMethod.pipe(HttpApiSchema.status(201)),
      error: [
        InvalidBillingRequest.wire,
        CardDeclined.wire,
        PaymentMethodLimitReached.wire,
        BillingProviderNotConfigured.wire,
        ProviderError.wire
      ]
    })
      .annotate(Traits, { ...write, idempotency: "optional" })
      .annotate(OpenApi.Summary, "Save a card")
      .annotate(
        OpenApi.Description,
        "Saves a card that the card processor has collected. Saving a card again returns its existing record."
      ),
    HttpApiEndpoint.post("setDefault", "/:payment_method_id/default", {
      params: { payment_method_id: pathId("bpm") },
      success: PaymentMethod,
      error: [InvalidBillingRequest.wire, PaymentMethodNotFound.wire, PaymentMethodNotActive.wire]
    })
      .annotate(Traits, { ...write, idempotency: "optional" })
      .annotate(OpenApi.Summary, "Make a card the default")
      .annotate(OpenApi.Description, "Plans and packages are charged to this card unless another is named."),
    HttpApiEndpoint.delete("remove", "/:payment_method_id", {
      params: { payment_method_id: pathId("bpm") },
      success: PaymentMethod,
      error: [
        InvalidBillingRequest.wire,
        PaymentMethodNotFound.wire,
        BillingProviderNotConfigured.wire,
        ProviderError.wire
      ]
    })
      .annotate(Traits, { ...write, idempotency: "optional" })
      .annotate(OpenApi.Summary, "Delete a card")
      .annotate(OpenApi.Description, "The record is kept with status deleted. No other card becomes the default.")
  )
  .prefix("/v1/billing/payment-methods")
  .annotate(OpenApi.Title, "Saved cards")
  .annotate(OpenApi.Description, "Cards for plans, packages and automatic top-ups.") {}
