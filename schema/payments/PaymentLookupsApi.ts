import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId } from "../conventions/Ids.ts"
import { integerParam, rowsOf, rowsQuery } from "../conventions/Page.ts"
import { AgenticPayment } from "./AgenticPayment.ts"
import { InvalidPaymentsQuery } from "./PaymentErrors.ts"
import { PaymentRequest } from "./PaymentRequest.ts"

/** A payment of any environment of the organization, as a search shows it. */
export const ReferencedPayment = Schema.Struct({
  id: id("pay"),
  object: Schema.Literal("referenced_payment"),
  environment_id: id("env"),
  name: Schema.String
})

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["payments:read"],
  rate: "read",
  validation: InvalidPaymentsQuery.code
}

/** Lists of payments that only people read: by any name of a payment, and by an authorization. Decision 0155 */
export class PaymentLookupsApi extends HttpApiGroup.make("paymentLookups")
  .add(
    HttpApiEndpoint.get("named", "/named", {
      /** The id of a payment, your reference, or its id at the provider. */
      query: { ...rowsQuery, name: Schema.String },
      success: rowsOf(PaymentRequest)
    }).annotate(Traits, traits),
    /** Payments with this reference of yours or id at the provider, in all environments of the organization, newest first. */
    HttpApiEndpoint.get("referenced", "/referenced", {
      query: { name: Schema.String, limit: integerParam(1, 100) },
      success: rowsOf(ReferencedPayment)
    }).annotate(Traits, { ...traits, realTime: true }),
    HttpApiEndpoint.get("byAuthorization", "/authorizations/:authorization_id", {
      params: { authorization_id: pathId("aga") },
      query: rowsQuery,
      success: rowsOf(AgenticPayment)
    }).annotate(Traits, traits)
  )
  .prefix("/people/payments") {}
