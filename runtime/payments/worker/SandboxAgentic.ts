import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { type JsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { PaymentSeen, PaymentTask } from "../agentic/AgenticPayment.ts"
import type { AuthorizationSeen, AuthorizationTask } from "../agentic/Authorization.ts"

/** Returns the outcome of a sandbox authorization, without any provider. gaps-3 C "Agentic authorizations" */
export const sandboxAuthorization = ({ id, metadata, status }: AuthorizationTask): AuthorizationSeen =>
  status !== "pending"
    ? { _tag: "Untouched" }
    : {
        _tag: "Authorization",
        id: `sbaut_${partOf(id)}`,
        external_id: id,
        status: scenarioOf(metadata) === "authorization_rejected" ? "rejected" : "authorized",
        authorization_url: null
      }

/** Returns the outcome of a sandbox payment. gaps-3 C "Agentic payments" */
export const sandboxPayment = ({ id, metadata }: PaymentTask): PaymentSeen => {
  const isFailed = scenarioOf(metadata) === "payment_failed"
  return {
    _tag: "Payment",
    id: `sbagp_${partOf(id)}`,
    external_id: id,
    status: isFailed ? "failed" : "paid",
    amount_centavos: null,
    error: isFailed ? { code: "payment_failed", message: "The sandbox was asked to fail this payment." } : null
  }
}

/** Returns the ULID of an id. */
const partOf = (id: string): string => id.slice(id.indexOf("_") + 1)

/** Returns the scenario that the caller requests in the metadata. */
const scenarioOf = (metadata: JsonText<Metadata> | null): unknown => readJsonOrNull(metadata)?.sandbox_scenario
