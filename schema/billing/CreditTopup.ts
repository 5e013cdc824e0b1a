import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { InvalidCursor, ProviderError } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import {
  BillingProviderNotConfigured,
  CardDeclined,
  InvalidBillingQuery,
  InvalidBillingRequest,
  PackageNotFound,
  PaymentMethodNotActive,
  PaymentMethodNotFound,
  PaymentMethodRequired
} from "./BillingErrors.ts"
import { listTraits } from "./BillingTraits.ts"

/** Where a top-up stands. C-PKG-03 */
const TopupStatus = Schema.Literals(["pending", "succeeded", "failed", "refunded", "expired"])

const nullableText = Schema.NullOr(Schema.String)
const count = Schema.NullOr(Schema.Int)

const fields = {
  id: id("ctu"),
  object: Schema.Literal("credit_topup"),
  kind: Schema.Literals(["cash", "package", "x402"]).annotate({ description: "What was bought." }),
  status: TopupStatus.annotate({ description: "Credit is added once, when it succeeds." }),
  amount_brl: AmountBrl.annotate({ description: "What it costs, and the credit it brings." }),
  payment_method: Schema.Literals(["pix", "card", "x402", "manual", "promotion"]).annotate({
    description: "How it is paid."
  }),
  package_code: nullableText.annotate({ description: "The package, of kind package." }),
  quota_messages: count.annotate({ description: "Messages a package gives at its price." }),
  quota_remaining: count.annotate({ description: "Those that are left." }),
  cardproc_payment_intent_id: nullableText.annotate({ description: "Its charge at the card processor." }),
  cardproc_client_secret: nullableText.annotate({
    description: "For the browser alone, while the cardholder has to prove who they are; null in lists."
  }),
  provider: Schema.optionalKey(Schema.Literals(["cardproc", "pixprov2", "manual", "promotion"])).annotate({
    description: "Who took the money."
  }),
  pixprov2_charge_id: Schema.optionalKey(nullableText).annotate({ description: "Its charge at the Pix provider." }),
  pix_copy_paste: Schema.optionalKey(nullableText).annotate({ description: "The Pix code to pay with." }),
  pix_qr_code_base64: Schema.optionalKey(nullableText).annotate({ description: "The same as a PNG." }),
  pix_expires_at: Schema.optionalKey(Schema.NullOr(Timestamp)).annotate({
    description: "Until when it can be paid."
  }),
  created_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp).annotate({ description: "When it succeeded or failed." })
}

/** Credit bought or given. C-PKG-01..08 */
const ListedTopup = Schema.Struct(fields).annotate({ identifier: "ListedCreditTopup" })
export type ListedTopup = typeof ListedTopup.Type

/** The same in an answer of its own. */
const CreditTopup = Schema.Struct({ ...fields, trace_id: TraceId }).annotate({ identifier: "CreditTopup" })

/** What may be bought. gaps-3 E "Package catalog" */
const PackageOffering = Schema.Struct({
  id: Schema.String.annotate({ description: "Its code.", examples: ["pack_1k"] }),
  object: Schema.Literal("package_offering"),
  code: Schema.String.annotate({ description: "Its code.", examples: ["pack_1k"] }),
  display_name: Schema.String.annotate({ description: "Its name." }),
  price_brl: AmountBrl.annotate({ description: "What it costs, and the credit it brings." }),
  quota_messages: Schema.Int.annotate({ description: "Messages it gives at its price." }),
  unit_price_brl: AmountBrl.annotate({ description: "What each of them costs then." }),
  currency: Schema.Literal("brl")
}).annotate({ identifier: "PackageOffering" })
export type PackageOffering = typeof PackageOffering.Type

const PackagesPage = Schema.Struct({
  ...pageOf(ListedTopup).fields,
  available_packages: Schema.Array(PackageOffering).annotateKey({
    description: "Every package that may be bought, on each page."
  })
}).annotate({ identifier: "PackagesPage" })

/** Body of POST /v1/billing/packages/purchase. C-PKG-12 */
const PurchasePackage = Schema.Struct({
  package_code: Schema.String.annotate({ description: "Code of the package.", examples: ["pack_1k"] }),
  payment_method: Schema.optionalKey(Schema.NullOr(Schema.Literal("card"))).annotate({ description: "Only card." }),
  payment_method_id: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "A saved card; the default card when left out."
  })
}).annotate({
  identifier: "PurchasePackage",
  examples: [{ package_code: "pack_1k", payment_method: "card" }]
})

/** Packages and all top-ups; open under a credit block. C-PKG-09..14 */
export class PackagesApi extends HttpApiGroup.make("billing-packages")
  .annotate(OpenApi.Identifier, "billing.packages")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery(),
        status: Schema.optionalKey(TopupStatus).annotate({ description: "Only top-ups of this status." })
      },
      success: PackagesPage,
      error: [InvalidBillingQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, listTraits)
      .annotate(OpenApi.Summary, "List top-ups and packages")
      .annotate(
        OpenApi.Description,
        "Every top-up of the account, of any kind, newest first, and beside each page what may be bought."
      ),
    HttpApiEndpoint.post("purchase", "/purchase", {
      payload: PurchasePackage,
      success: CreditTopup.pipe(HttpApiSchema.status(201)),
      error: [
        InvalidBillingRequest.wire,
        PackageNotFound.wire,
        PaymentMethodNotFound.wire,
        PaymentMethodNotActive.wire,
        PaymentMethodRequired.wire,
        CardDeclined.wire,
        BillingProviderNotConfigured.wire,
        ProviderError.wire
      ]
    })
      .annotate(Traits, {
        scopes: ["billing:write"],
        rate: "write",
        validation: InvalidBillingRequest.code,
        idempotency: "optional",
        strictBody: true
      })
      .annotate(OpenApi.Summary, "Buy a package")
      .annotate(
        OpenApi.Description,
        "Charges a saved card once. A pending answer has a client secret when the cardholder has to prove who they are; otherwise the outcome is found out and the list shows it. A declined card is 402, and stored under the key: try again with a new one."
      )
  )
  .prefix("/v1/billing/packages")
  .annotate(OpenApi.Title, "Packages")
  .annotate(OpenApi.Description, "Prepaid credit with a lower price a message, and every top-up.") {}
