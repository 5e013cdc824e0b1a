import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { TraceId } from "../conventions/Ids.ts"
import { AmountBrl, parseBrl } from "../conventions/Money.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import {
  InvalidBillingRequest,
  PaymentMethodNotActive,
  PaymentMethodNotFound,
  PaymentMethodRequired
} from "./BillingErrors.ts"
import { readTraits } from "./BillingTraits.ts"

/** The bounds of a top-up by Pix and of an automatic one, in 1/10,000 BRL. gaps-3 E "Auto top-up bounds" */
export const topupBounds = { least: 20_0000, most: 10_000_0000 }
/** The bounds of the balance at which an automatic top-up starts, in 1/10,000 BRL. gaps-3 E "Auto top-up bounds" */
export const thresholdBounds = { least: 0, most: 100_000_0000 }

/** A decimal with at most two places between two amounts of 1/10,000 BRL. C-ATOP-03, gaps-3 E "Auto top-up bounds" */
const amountBetween = ({ least, most }: { readonly least: number; readonly most: number }, expected: string) =>
  Schema.String.check(
    Schema.makeFilter(
      (text: string) => {
        const amount = /^[0-9]{1,9}(\.[0-9]{1,2})?$/.test(text) ? parseBrl(text) : undefined
        return amount !== undefined && amount >= least && amount <= most
      },
      { expected, toJsonSchema: () => [{ pattern: "^[0-9]{1,9}(\\.[0-9]{1,2})?$" }, true] }
    )
  )

/** An amount of a top-up: a decimal with at most two places. */
export const TopupAmount = amountBetween(topupBounds, "a decimal string from 20.00 to 10000.00")

/** Body of PUT /v1/billing/auto-topup. C-ATOP-02..05 */
const SetAutoTopup = Schema.Struct({
  enabled: Schema.Boolean.annotateKey({ description: "Whether the account tops itself up." }),
  threshold_brl: amountBetween(thresholdBounds, "a decimal string from 0.00 to 100000.00").annotate({
    description: "A top-up starts when the balance falls to this amount or below, 0.00 to 100000.00.",
    examples: ["50.00"]
  }),
  amount_brl: TopupAmount.annotate({
    description: "Amount of each top-up, 20.00 to 10000.00.",
    examples: ["200.00"]
  }),
  payment_method_id: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The card to charge; the default card if omitted."
  })
}).annotate({
  identifier: "SetAutoTopup",
  examples: [{ enabled: false, threshold_brl: "50.00", amount_brl: "200.00", payment_method_id: null }]
})

/** The automatic top-up settings of an account. C-ATOP-01 */
export const AutoTopupConfig = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the organization, or of the sandbox environment." }),
  object: Schema.Literal("auto_topup_config"),
  enabled: Schema.Boolean.annotateKey({
    description: "Whether automatic top-up is on; it turns off after a failed top-up."
  }),
  threshold_brl: AmountBrl.annotate({ description: "A top-up starts when the balance falls to this amount or below." }),
  amount_brl: AmountBrl.annotate({ description: "Amount of each top-up." }),
  payment_method_id: Schema.NullOr(Schema.String).annotate({ description: "The card to charge." }),
  last_triggered_at: Schema.NullOr(Timestamp).annotate({ description: "Start of the latest top-up." }),
  updated_at: Schema.NullOr(Timestamp).annotate({
    description: "Time of the latest change; null before the first."
  }),
  trace_id: TraceId
}).annotate({ identifier: "AutoTopupConfig" })
export type AutoTopupConfig = typeof AutoTopupConfig.Type

/** Routes of automatic top-up; open under a credit block. C-ATOP-01..14 */
export class AutoTopupApi extends HttpApiGroup.make("billing-auto-topup")
  .annotate(OpenApi.Identifier, "billing.autoTopup")
  .add(
    HttpApiEndpoint.get("read", "/", { success: AutoTopupConfig })
      .annotate(Traits, readTraits)
      .annotate(OpenApi.Identifier, "billing.autoTopup.get")
      .annotate(OpenApi.Summary, "Read automatic top-up")
      .annotate(OpenApi.Description, "Returns the automatic top-up settings of the account."),
    HttpApiEndpoint.put("set", "/", {
      payload: SetAutoTopup,
      success: AutoTopupConfig,
      error: [
        InvalidBillingRequest.wire,
        PaymentMethodNotFound.wire,
        PaymentMethodNotActive.wire,
        PaymentMethodRequired.wire
      ]
    })
      .annotate(Traits, {
        scopes: ["billing:write"],
        rate: "write",
        validation: InvalidBillingRequest.code,
        idempotency: "optional",
        strictBody: true
      })
      .annotate(OpenApi.Summary, "Set automatic top-up")
      .annotate(
        OpenApi.Description,
        "This call charges no card. The next top-up starts when a debit takes the balance from above the threshold to the threshold or below."
      )
  )
  .prefix("/v1/billing/auto-topup")
  .annotate(OpenApi.Title, "Automatic top-up")
  .annotate(OpenApi.Description, "Charges a saved card when the credit runs low.") {}
