import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { InvalidQuery } from "../conventions/SharedErrors.ts"
import { TimestampInput } from "../conventions/Timestamp.ts"
import type { Measure } from "./Measures.ts"

/**
 * What happened by hour, some seconds late. A span has thousands of hours, so each is a tuple: hours since 1970, how often it
 * happened, and the sum of what it measures (1/10,000 BRL of money, milliseconds of deliveries, 0 of everything else).
 */
export const Activity = Schema.Struct({
  object: Schema.Literal("activity"),
  series: Schema.Array(
    Schema.Struct({
      measure: Schema.String,
      hours: Schema.Array(Schema.Tuple([Schema.Int, Schema.Int, Schema.Int]))
    })
  ),
  trace_id: TraceId
})

/** One measure of a span, by hour. */
export interface ActivitySeries {
  readonly measure: Measure
  readonly hours: ReadonlyArray<readonly [hour: number, count: number, amount: number]>
}

const traits: OperationTraits = {
  authentication: "person",
  scopes: [],
  rate: "read",
  validation: InvalidQuery.code
}
const query = { from: TimestampInput }

/** What happened in an environment by hour, and what its organization spends. Decisions 0068, 0155 */
export class ActivityApi extends HttpApiGroup.make("activity")
  .add(
    HttpApiEndpoint.get("ofEnvironment", "/", { query, success: Activity }).annotate(Traits, traits),
    HttpApiEndpoint.get("ofEndpoint", "/webhook-endpoints/:webhook_endpoint_id", {
      params: { webhook_endpoint_id: pathId("we") },
      query,
      success: Activity
    }).annotate(Traits, { ...traits, scopes: ["webhooks:read"] }),
    HttpApiEndpoint.get("ofNumber", "/phone-numbers/:phone_number_id", {
      params: { phone_number_id: pathId("pn") },
      query,
      success: Activity
    }).annotate(Traits, { ...traits, scopes: ["phone_numbers:read"] }),
    HttpApiEndpoint.get("spend", "/spend", {
      query,
      success: Schema.Struct({ object: Schema.Literal("spend"), amount_brl: AmountBrl, trace_id: TraceId })
    }).annotate(Traits, { ...traits, scopes: ["billing:read"], realTime: true })
  )
  .prefix("/people/activity") {}
