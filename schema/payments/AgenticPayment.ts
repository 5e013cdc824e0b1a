import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { Metadata } from "../messages/Metadata.ts"
import { PaymentFees } from "./PaymentFees.ts"
import { AmountCentavos, ExternalReference, PaymentDescription } from "./PaymentFields.ts"

const nullableText = Schema.NullOr(Schema.String)

/** A payment that an agent made under an authorization. C-AGT-02, gaps-3 C "Agentic payments" */
export const AgenticPayment = Schema.Struct({
  id: id("agp"),
  object: Schema.Literal("agentic_payment"),
  status: Schema.Literals(["processing", "paid", "failed"]).annotate({ description: "Status of the payment." }),
  environment: EnvironmentKind,
  authorization_id: id("aga"),
  amount_brl: AmountBrl,
  currency: Schema.Literal("BRL"),
  description: nullableText.annotate({ description: "Description of the payment." }),
  external_reference: nullableText.annotate({ description: "Your own reference." }),
  metadata: Schema.NullOr(Metadata).annotate({ description: "Your metadata." }),
  provider: Schema.Literal("pixprov1"),
  provider_payment_id: nullableText.annotate({ description: "The provider's id of the payment." }),
  error_code: nullableText.annotate({ description: "Code of the failure; new codes may appear." }),
  error_message: nullableText.annotate({ description: "The failure in a sentence." }),
  trace_id: TraceId.annotate({ description: "Trace of the request that created the payment." }),
  fees: Schema.NullOr(PaymentFees),
  created_at: Timestamp,
  updated_at: Timestamp,
  paid_at: Schema.NullOr(Timestamp).annotate({ description: "Time of payment." }),
  failed_at: Schema.NullOr(Timestamp).annotate({ description: "Time of the failure." })
}).annotate({ identifier: "AgenticPayment" })
export type AgenticPayment = typeof AgenticPayment.Type

/** Body of POST /v1/agentic/payments. gaps-3 C "Agentic payments" */
export const CreateAgenticPayment = Schema.Struct({
  authorization_id: Schema.String.annotate({ description: "Id of the authorization to use." }),
  amount_brl_centavos: AmountCentavos,
  description: nullableOptional(PaymentDescription),
  external_reference: nullableOptional(ExternalReference),
  metadata: nullableOptional(Metadata)
}).annotate({
  identifier: "CreateAgenticPayment",
  examples: [{ authorization_id: "aga_01kah7v3m8q6x2r9d4t5w0y1z3", amount_brl_centavos: 12_550 }]
})
export type CreateAgenticPayment = typeof CreateAgenticPayment.Type
