import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { EnvironmentKind, type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId, TraceId } from "../conventions/Ids.ts"
import { rowsOf, rowsQuery } from "../conventions/Page.ts"
import { InvalidQuery } from "../conventions/SharedErrors.ts"
import { PhoneNumberOrder } from "./PhoneOrder.ts"
import { PhoneNumberOrderNotFound, PhoneNumberOrderNotOpen } from "./PhoneOrderErrors.ts"

/** An order of any project of the organization, with the kind of its environment. */
export const DecidedOrder = Schema.Struct({ ...PhoneNumberOrder.fields, environment: EnvironmentKind })
export type DecidedOrder = typeof DecidedOrder.Type

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["phone_numbers:read"],
  rate: "read",
  validation: InvalidQuery.code,
  realTime: true
}
const deciding: OperationTraits = { ...traits, scopes: ["phone_numbers:write"], rate: "write" }
const params = { order_id: pathId("pno") }
const one = Schema.Struct({ ...DecidedOrder.fields, trace_id: TraceId })
const error = [PhoneNumberOrderNotFound.wire, PhoneNumberOrderNotOpen.wire]

/** Orders of numbers of the whole organization, and the decisions of its owners and admins. M-ORD-12..16, M-ORD-34, decision 0155 */
export class PhoneOrderDecisionsApi extends HttpApiGroup.make("phoneOrderDecisions")
  .add(
    HttpApiEndpoint.get("list", "/", { query: rowsQuery, success: rowsOf(DecidedOrder) }).annotate(Traits, traits),
    HttpApiEndpoint.get("get", "/:order_id", {
      params,
      success: one,
      error: PhoneNumberOrderNotFound.wire
    }).annotate(Traits, traits),
    HttpApiEndpoint.post("approve", "/:order_id/approve", { params, success: one, error }).annotate(Traits, deciding),
    HttpApiEndpoint.post("decline", "/:order_id/decline", { params, success: one, error }).annotate(Traits, deciding)
  )
  .prefix("/people/phone-orders") {}
