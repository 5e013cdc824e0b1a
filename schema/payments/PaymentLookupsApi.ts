import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { integerParam, rowsOf, rowsQuery } from "../conventions/Page.ts"
import { AgenticPayment } from "./AgenticPayment.ts"
import { InvalidPaymentsQuery } from "./PaymentErrors.ts"
import { PaymentRequest } from "./PaymentRequest.ts"

/** A payment of any environment of the organization, as a search shows it. */
export const MatchingPayment = Schema.Struct({
  id: id("pay"),
  object: Schema.Literal("matching_payment"),
  environment_id: id("env"),
  amount_brl: AmountBrl,
  /** What it is for, its payer, your reference, and its id at the provider, as far as they are known. */
  description: Schema.NullOr(Schema.String),
  customer_name: Schema.NullOr(Schema.String),
  external_reference: Schema.NullOr(Schema.String),
  provider_payment_id: Schema.NullOr(Schema.String)
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
      /**
       * What people know a payment by: its id, your reference, its id at the provider, how words of the payer's name begin, the amount as
       * Brazilians write it, or the last digits of the payer's phone.
       */
      query: { ...rowsQuery, name: Schema.String },
      success: rowsOf(PaymentRequest)
    }).annotate(Traits, traits),
    /** Payments that are known by this name, as in `named`, in all environments of the organization, newest first. */
    HttpApiEndpoint.get("matching", "/matching", {
      query: { name: Schema.String, limit: integerParam(1, 100) },
      success: rowsOf(MatchingPayment)
    }).annotate(Traits, { ...traits, realTime: true }),
    HttpApiEndpoint.get("byAuthorization", "/authorizations/:authorization_id", {
      params: { authorization_id: pathId("aga") },
      query: rowsQuery,
      success: rowsOf(AgenticPayment)
    }).annotate(Traits, traits)
  )
  .prefix("/people/payments") {}
