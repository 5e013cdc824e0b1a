import type { PixMode } from "@carteiro/provider/payments/PixBounds.ts"
import type { PixVendor } from "@carteiro/provider/payments/PixProvider.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import type { PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import {
  bool,
  bytes,
  defaulted,
  defineTable,
  int4,
  int8,
  jsonOf,
  nullable,
  sealed,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { fiscal } from "../../erasure/Standings.ts"

/** The outcomes of a payment. */
export type PaymentOutcome = "paid" | "failed" | "expired" | "cancelled"

/** Further facts about a payment. `late_outcome` is an outcome that contradicts its end. */
export interface ProviderMetadata {
  readonly late_outcome?: { readonly status: PaymentOutcome; readonly observed_at: string }
  readonly [fact: string]: unknown
}

/** Payments that a tenant asks its customers for: amounts in 1/10,000 BRL, instants in epoch milliseconds. */
export const paymentRequestsTable = defineTable("payment_requests", {
  owner: "payments",
  erasure: fiscal,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: textOf<EnvironmentKind>(),
    account_id: text,
    status: textOf<PaymentStatus>(),
    amount: int8,
    description: nullable(text),
    customer_name: nullable(text),
    customer_tax_id: nullable(text),
    customer_phone: nullable(text),
    customer_email: nullable(text),
    external_reference: nullable(text),
    metadata: nullable(jsonOf<Metadata>()),
    provider: textOf<PixVendor>(),
    provider_connection_id: nullable(text),
    mode: textOf<PixMode>(),
    expires_in_seconds: int4,
    success_url: nullable(text),
    payment_link_url: nullable(text),
    pix_copy_paste: nullable(text),
    pix_qr_code_base64: nullable(text),
    page_token: nullable(text),
    provider_payment_id: nullable(text),
    provider_approval_id: nullable(text),
    provider_metadata: nullable(jsonOf<ProviderMetadata>()),
    approval_note: nullable(text),
    approval_metadata: nullable(jsonOf<Metadata>()),
    error_code: nullable(text),
    error_message: nullable(text),
    trace_id: text,
    /** Null when no fee is owed, like all members of the fee. */
    rate_card_id: nullable(text),
    initiation_amount: nullable(int8),
    initiation_reservation_id: nullable(text),
    /** In ten-thousandths. */
    completion_rate: nullable(int8),
    completion_amount: nullable(int8),
    completion_reservation_id: nullable(text),
    completion_state: nullable(textOf<"held" | "settled" | "released">()),
    created_at: timestamptz,
    updated_at: timestamptz,
    link_generated_at: nullable(timestamptz),
    approval_requested_at: nullable(timestamptz),
    approved_at: nullable(timestamptz),
    paid_at: nullable(timestamptz),
    failed_at: nullable(timestamptz),
    expired_at: nullable(timestamptz),
    cancelled_at: nullable(timestamptz),
    /** The next call to the provider; null when none remains. */
    step: nullable(textOf<"create" | "find" | "read">()),
    due_at: nullable(timestamptz),
    called_at: nullable(timestamptz),
    doubt_at: nullable(timestamptz),
    absent_at: nullable(timestamptz),
    approval_due: defaulted(bool),
    cancel_due: defaulted(bool),
    cancel_requested_at: nullable(timestamptz),
    hint_event_id: nullable(text),
    hint_event_type: nullable(text),
    hint_status: nullable(text),
    hint_at: nullable(timestamptz),
    customer_tax_id_sealed: nullable(sealed(text, "a fiscal record of who pays")),
    link_sealed: nullable(sealed(text, "link to a page of a payment")),
    page_hash: nullable(bytes("hash of a token"))
  }
})
