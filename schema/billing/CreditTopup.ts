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

/** The status of a top-up. C-PKG-03 */
const TopupStatus = Schema.Literals(["pending", "succeeded", "failed", "refunded", "expired"])

const nullableText = Schema.NullOr(Schema.String)
const count = Schema.NullOr(Schema.Int)

const fields = {
  id: id("ctu"),
  object: Schema.Literal("credit_topup"),
  kind: Schema.Literals(["cash", "package", "x402"]).annotate({ description: "Kind of purchase." }),
  status: TopupStatus.annotate({ description: "Status of the top-up. Credit is added once, when it succeeds." }),
  amount_brl: AmountBrl.annotate({ description: "Price, and the credit that it adds." }),
  payment_method: Schema.Literals(["pix", "card", "x402", "manual", "promotion"]).annotate({
    description: "Method of payment."
  }),
  package_code: nullableText.annotate({ description: "Code of the package, with kind package." }),
  quota_messages: count.annotate({ description: "Messages included in the package." }),
  quota_remaining: count.annotate({ description: "Included messages that remain." }),
  cardproc_payment_intent_id: nullableText.annotate({ description: "Id of the charge at the card processor." }),
  cardproc_client_secret: nullableText.annotate({
    description: "For use only in the browser while the cardholder must authenticate; null in lists."
  }),
  provider: Schema.optionalKey(Schema.Literals(["cardproc", "pixprov2", "manual", "promotion"])).annotate({
    description: "Provider that collected the money."
  }),
  pixprov2_charge_id: Schema.optionalKey(nullableText).annotate({
    description: "Id of the charge at the Pix provider."
  }),
  pix_copy_paste: Schema.optionalKey(nullableText).annotate({ description: "The Pix code to pay with." }),
  pix_qr_code_base64: Schema.optionalKey(nullableText).annotate({ description: "The Pix code as a PNG." }),
  pix_expires_at: Schema.optionalKey(Schema.NullOr(Timestamp)).annotate({
    description: "Time until which the top-up can be paid."
  }),
  created_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp).annotate({ description: "Time of success or failure." })
}

/** Credit bought or granted. C-PKG-01..08 */
export const ListedTopup = Schema.Struct(fields).annotate({ identifier: "ListedCreditTopup" })
export type ListedTopup = typeof ListedTopup.Type

/** A top-up as a response of its own. */
const CreditTopup = Schema.Struct({ ...fields, trace_id: TraceId }).annotate({ identifier: "CreditTopup" })

/** A package on sale. gaps-3 E "Package catalog" */
const PackageOffering = Schema.Struct({
  id: Schema.String.annotate({ description: "Code of the package.", examples: ["pack_1k"] }),
  object: Schema.Literal("package_offering"),
  code: Schema.String.annotate({ description: "Code of the package.", examples: ["pack_1k"] }),
  display_name: Schema.String.annotate({ description: "Name of the package." }),
  price_brl: AmountBrl.annotate({ description: "Price, and the credit that it adds." }),
  quota_messages: Schema.Int.annotate({ description: "Messages included in the price." }),
  unit_price_brl: AmountBrl.annotate({ description: "Price of one included message." }),
  currency: Schema.Literal("brl")
}).annotate({ identifier: "PackageOffering" })
export type PackageOffering = typeof PackageOffering.Type

const PackagesPage = Schema.Struct({
  ...pageOf(ListedTopup).fields,
  available_packages: Schema.Array(PackageOffering).annotateKey({
    description: "All packages on sale, repeated on each page."
  })
}).annotate({ identifier: "PackagesPage" })

/** Body of POST /v1/billing/packages/purchase. C-PKG-12 */
const PurchasePackage = Schema.Struct({
  package_code: Schema.String.annotate({ description: "Code of the package.", examples: ["pack_1k"] }),
  payment_method: Schema.optionalKey(Schema.NullOr(Schema.Literal("card"))).annotate({ description: "Only card." }),
  payment_method_id: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "A saved card; the default card if omitted."
  })
}).annotate({
  identifier: "PurchasePackage",
  examples: [{ package_code: "pack_1k", payment_method: "card" }]
})

/** Routes of packages and all top-ups; open under a credit block. C-PKG-09..14 */
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
        "Every top-up of the account, of any kind, newest first. Each page also lists the packages on sale."
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
        "Charges a saved card once. A pending response has a client secret when the cardholder must authenticate; otherwise the list shows the outcome once it is known. A declined card is refused with 402, which is stored under the idempotency key: try again with a new key."
      )
  )
  .prefix("/v1/billing/packages")
  .annotate(OpenApi.Title, "Packages")
  .annotate(OpenApi.Description, "Prepaid packages with a lower price per message, and all top-ups.") {}
