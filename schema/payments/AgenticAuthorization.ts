import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { pageQuery } from "../conventions/Page.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"
import { Timestamp, TimestampInput } from "../conventions/Timestamp.ts"
import { Metadata } from "../messages/Metadata.ts"
import { AmountCentavos, CustomerName, ExternalReference, ReturnUrl, TaxId } from "./PaymentFields.ts"

/** A bank whose customers can authorize payments. gaps-3 C "Agentic banks" */
export const AgenticBank = Schema.Struct({
  id: Schema.String.annotate({ description: "The provider's id of the bank." }),
  object: Schema.Literal("agentic_bank"),
  name: Schema.String.annotate({ description: "Name of the bank." }),
  ispb: Schema.String.check(Schema.isPattern(/^\d{8}$/u)).annotate({
    description: "Number of the bank in the Brazilian payment system."
  }),
  logo_url: Schema.NullOr(Schema.String).annotate({ description: "Address of the bank's logo." }),
  status: Schema.Literals(["available", "unavailable"]).annotate({
    description: "Whether the bank accepts authorizations now."
  })
}).annotate({ identifier: "AgenticBank" })
export type AgenticBank = typeof AgenticBank.Type

/** The status of an authorization. gaps-3 C "Agentic authorizations" */
export const AuthorizationStatus = Schema.Literals([
  "pending",
  "authorized",
  "rejected",
  "revoked",
  "expired"
]).annotate({
  description: "pending until the customer decides; payments need status authorized."
})
export type AuthorizationStatus = typeof AuthorizationStatus.Type

const nullableTimestamp = Schema.NullOr(Timestamp)

/** The right of an agent to collect payments, given by a bank's customer. gaps-3 C "Agentic authorizations" */
export const AgenticAuthorization = Schema.Struct({
  id: id("aga"),
  object: Schema.Literal("agentic_authorization"),
  status: AuthorizationStatus,
  environment: EnvironmentKind,
  bank_id: Schema.String.annotate({ description: "The customer's bank." }),
  customer_name: Schema.String.annotate({ description: "Name of the customer." }),
  customer_tax_id: Schema.String.annotate({ description: "Tax number of the customer." }),
  max_amount_brl: AmountBrl.annotate({ description: "Maximum amount of one payment." }),
  currency: Schema.Literal("BRL"),
  authorization_url: Schema.NullOr(Schema.String).annotate({
    description:
      "Page on which the customer decides; null until the provider returns it, and always null in the sandbox."
  }),
  external_reference: Schema.NullOr(Schema.String).annotate({ description: "Your own reference." }),
  metadata: Schema.NullOr(Metadata).annotate({ description: "Your metadata." }),
  provider: Schema.Literal("pixprov1"),
  provider_connection_id: Schema.NullOr(Schema.String).annotate({ description: "Id of the provider connection." }),
  provider_authorization_id: Schema.NullOr(Schema.String).annotate({
    description: "The provider's id of the authorization."
  }),
  trace_id: TraceId.annotate({ description: "Trace of the request that created the authorization." }),
  created_at: Timestamp,
  updated_at: Timestamp,
  authorized_at: nullableTimestamp.annotate({ description: "Time at which the customer authorized it." }),
  rejected_at: nullableTimestamp.annotate({ description: "Time at which the customer rejected it." }),
  revoked_at: nullableTimestamp.annotate({ description: "Time of revocation." }),
  expires_at: Timestamp.annotate({ description: "Time of expiry." })
}).annotate({ identifier: "AgenticAuthorization" })
export type AgenticAuthorization = typeof AgenticAuthorization.Type

/** Body of POST /v1/agentic/authorizations. gaps-3 C "Agentic authorizations" */
export const CreateAuthorization = Schema.Struct({
  bank_id: text(1, 255).annotate({ description: "Id of the customer's bank, from GET /v1/agentic/banks." }),
  customer_name: CustomerName,
  customer_tax_id: TaxId,
  max_amount_brl_centavos: AmountCentavos.annotate({ description: "Maximum amount of one payment, in centavos." }),
  expires_at: nullableOptional(
    TimestampInput.annotate({ description: "Time of expiry, at most a year from now; 90 days by default." })
  ),
  return_url: nullableOptional(ReturnUrl),
  external_reference: nullableOptional(ExternalReference),
  metadata: nullableOptional(Metadata)
}).annotate({
  identifier: "CreateAgenticAuthorization",
  examples: [
    {
      bank_id: "sbbank_alpha",
      customer_name: "Ana Souza",
      customer_tax_id: "12345678909",
      max_amount_brl_centavos: 50_000
    }
  ]
})
export type CreateAuthorization = typeof CreateAuthorization.Type

/** Query of GET /v1/agentic/authorizations. gaps-3 C "Agentic authorizations" */
export const listAuthorizationsQuery = { ...pageQuery(), status: Schema.optionalKey(AuthorizationStatus) }
