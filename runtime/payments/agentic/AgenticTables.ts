import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import type { AuthorizationStatus } from "@carteiro/schema/payments/AgenticAuthorization.ts"
import type { AgenticPayment } from "@carteiro/schema/payments/AgenticPayment.ts"
import { defineTable, int8, jsonOf, nullable, sealed, text, textOf, timestamptz } from "@carteiro/tables/Table.ts"
import { fiscal } from "../../erasure/Standings.ts"

/** Permissions of customers to pay from their bank account later: amounts in 1/10,000 BRL, instants in epoch milliseconds. */
export const agenticAuthorizationsTable = defineTable("agentic_authorizations", {
  owner: "payments",
  erasure: fiscal,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    status: textOf<AuthorizationStatus>(),
    bank_id: text,
    customer_name: text,
    customer_tax_id: nullable(text),
    max_amount: int8,
    return_url: nullable(text),
    external_reference: nullable(text),
    metadata: nullable(jsonOf<Metadata>()),
    provider_connection_id: nullable(text),
    provider_authorization_id: nullable(text),
    authorization_url: nullable(text),
    trace_id: text,
    created_at: timestamptz,
    updated_at: timestamptz,
    authorized_at: nullable(timestamptz),
    rejected_at: nullable(timestamptz),
    revoked_at: nullable(timestamptz),
    expires_at: timestamptz,
    /** The next call to the provider; null when none remains. */
    step: nullable(textOf<"create" | "find" | "read" | "revoke">()),
    due_at: nullable(timestamptz),
    called_at: nullable(timestamptz),
    doubt_at: nullable(timestamptz),
    /** When a look-up by our id first found nothing, if that counts. */
    absent_at: nullable(timestamptz),
    customer_tax_id_sealed: nullable(sealed(text, "a fiscal record of who pays"))
  }
})

/** Payments that were made by such a permission: amounts in 1/10,000 BRL, instants in epoch milliseconds. */
export const agenticPaymentsTable = defineTable("agentic_payments", {
  owner: "payments",
  erasure: fiscal,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    account_id: text,
    status: textOf<AgenticPayment["status"]>(),
    authorization_id: text,
    amount: int8,
    description: nullable(text),
    external_reference: nullable(text),
    metadata: nullable(jsonOf<Metadata>()),
    provider_connection_id: nullable(text),
    provider_authorization_id: nullable(text),
    provider_payment_id: nullable(text),
    error_code: nullable(text),
    error_message: nullable(text),
    trace_id: text,
    rate_card_id: text,
    initiation_amount: int8,
    initiation_reservation_id: text,
    /** In ten-thousandths. */
    completion_rate: int8,
    completion_amount: int8,
    completion_reservation_id: text,
    completion_state: textOf<"held" | "settled" | "released">(),
    created_at: timestamptz,
    updated_at: timestamptz,
    paid_at: nullable(timestamptz),
    failed_at: nullable(timestamptz),
    step: nullable(textOf<"create" | "find" | "read">()),
    due_at: nullable(timestamptz),
    called_at: nullable(timestamptz),
    doubt_at: nullable(timestamptz),
    absent_at: nullable(timestamptz)
  }
})
