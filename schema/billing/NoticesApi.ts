import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { rowsOf } from "../conventions/Page.ts"
import { InvalidQuery } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** A notice about a payment that owners and admins have not acted on yet. gaps-3 E "Failure notification" */
export const BillingNotice = Schema.Struct({
  id: id("ntc"),
  object: Schema.Literal("billing_notice"),
  kind: Schema.String,
  /** The id of its subject, such as a top-up. */
  subject_id: Schema.String,
  /** The whole notice in English. */
  text: Schema.String,
  /** Its values, for a sentence in another language; null in notices of releases before. */
  amount_brl: Schema.NullOr(AmountBrl),
  /** Why it happened, or what followed, such as `card_declined` and `plan_ended`. */
  outcome: Schema.NullOr(Schema.String),
  simulated: Schema.NullOr(Schema.Boolean),
  created_at: Timestamp
})
export type BillingNotice = typeof BillingNotice.Type

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["billing:read"],
  rate: "read",
  validation: InvalidQuery.code,
  realTime: true
}

/** Open notices of the organization, newest first and at most ten, and their end. gaps-3 E "Failure notification", decision 0155 */
export class NoticesApi extends HttpApiGroup.make("notices")
  .add(
    HttpApiEndpoint.get("list", "/", { success: rowsOf(BillingNotice) }).annotate(Traits, traits),
    HttpApiEndpoint.post("dismiss", "/:notice_id/dismiss", {
      params: { notice_id: pathId("ntc") },
      success: Schema.Struct({ id: Schema.String, object: Schema.Literal("billing_notice"), trace_id: TraceId })
    }).annotate(Traits, { ...traits, scopes: ["billing:write"], rate: "write" })
  )
  .prefix("/people/billing-notices") {}
