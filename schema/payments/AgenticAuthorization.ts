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
  name: Schema.String.annotate({ description: "What it is called." }),
  ispb: Schema.String.check(Schema.isPattern(/^\d{8}$/u)).annotate({
    description: "Its number in the Brazilian payment system."
  }),
  logo_url: Schema.NullOr(Schema.String).annotate({ description: "A picture of it." }),
  status: Schema.Literals(["available", "unavailable"]).annotate({
    description: "Whether it takes authorizations now."
  })
}).annotate({ identifier: "AgenticBank" })
export type AgenticBank = typeof AgenticBank.Type

/** Where an authorization stands. gaps-3 C "Agentic authorizations" */
export const AuthorizationStatus = Schema.Literals([
  "pending",
  "authorized",
  "rejected",
  "revoked",
  "expired"
]).annotate({
  description: "pending until its customer decides; payments need authorized."
})
export type AuthorizationStatus = typeof AuthorizationStatus.Type

const nullableTimestamp = Schema.NullOr(Timestamp)

/** What a customer of a bank lets an agent pay. gaps-3 C "Agentic authorizations" */
export const AgenticAuthorization = Schema.Struct({
  id: id("aga"),
  object: Schema.Literal("agentic_authorization"),
  status: AuthorizationStatus,
  environment: EnvironmentKind,
  bank_id: Schema.String.annotate({ description: "The customer's bank." }),
  customer_name: Schema.String.annotate({ description: "Name of the customer." }),
  customer_tax_id: Schema.String.annotate({ description: "Tax number of the customer." }),
  max_amount_brl: AmountBrl.annotate({ description: "The most that one payment may take." }),
  currency: Schema.Literal("BRL"),
  authorization_url: Schema.NullOr(Schema.String).annotate({
    description: "Where the customer decides; null until the provider names it, and in the sandbox."
  }),
  external_reference: Schema.NullOr(Schema.String).annotate({ description: "Your own reference." }),
  metadata: Schema.NullOr(Metadata).annotate({ description: "What you attached to it." }),
  provider: Schema.Literal("pixprov1"),
  provider_connection_id: Schema.NullOr(Schema.String).annotate({ description: "The connection it goes through." }),
  provider_authorization_id: Schema.NullOr(Schema.String).annotate({ description: "The provider's id of it." }),
  trace_id: TraceId.annotate({ description: "Trace of the request that created it." }),
  created_at: Timestamp,
  updated_at: Timestamp,
  authorized_at: nullableTimestamp.annotate({ description: "When its customer gave it." }),
  rejected_at: nullableTimestamp.annotate({ description: "When it was refused." }),
  revoked_at: nullableTimestamp.annotate({ description: "When it was taken back." }),
  expires_at: Timestamp.annotate({ description: "When it is over." })
}).annotate({ identifier: "AgenticAuthorization" })
export type AgenticAuthorization = typeof AgenticAuthorization.Type

/** Body of POST /v1/agentic/authorizations. gaps-3 C "Agentic authorizations" */
export const CreateAuthorization = Schema.Struct({
  bank_id: text(1, 255).annotate({ description: "The customer's bank, as GET /v1/agentic/banks names it." }),
  customer_name: CustomerName,
  customer_tax_id: TaxId,
  max_amount_brl_centavos: AmountCentavos.annotate({ description: "The most that one payment may take, in centavos." }),
  expires_at: nullableOptional(
    TimestampInput.annotate({ description: "When it is over, at most a year from now; 90 days when left out." })
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
