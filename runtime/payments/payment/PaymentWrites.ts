import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import type { PaymentRequest } from "@carteiro/schema/payments/PaymentRequest.ts"
import { json } from "@carteiro/tables/StoredJson.ts"
import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"

const key = { environment_id: "text", id: "text" } as const
const target = rowOf("payment_requests", "environment_id", "id")
const live = "t.status not in ('paid', 'failed', 'expired', 'cancelled')"

/** Inserts an accepted payment; its link is made when it is due. C-PAY-14, C-PAY-15 */
export const insertPaymentRequest = defineInsert({
  table: "payment_requests",
  columns: {
    ...key,
    environment: "text",
    account_id: "text",
    amount: "int8",
    description: "text",
    customer_name: "text",
    customer_tax_id_sealed: "bytea",
    customer_phone: "text",
    customer_email: "text",
    external_reference: "text",
    metadata: json<Metadata>(),
    provider: "text",
    provider_connection_id: "text",
    mode: "text",
    expires_in_seconds: "int4",
    success_url: "text",
    trace_id: "text",
    rate_card_id: "text",
    initiation_amount: "int8",
    initiation_reservation_id: "text",
    completion_rate: "int8",
    completion_amount: "int8",
    completion_reservation_id: "text",
    created_at: "timestamptz",
    due_at: "timestamptz"
  },
  values: { status: "'link_pending'", completion_state: "'held'", step: "'create'", updated_at: "r.created_at" }
})

/**
 * Ends a payment, or the held fee of an ended one; when it changed since the read, the whole unit is stopped. C-PAY-26,
 * C-FEE-21
 */
export const endPaymentRequest = defineUpdate({
  name: "payment_requests.end",
  table: "payment_requests",
  key,
  beside: { was: "text", completion_was: "text" },
  set: {
    status: "text",
    provider_payment_id: "text",
    provider_metadata: json<NonNullable<PaymentRequest["provider_metadata"]>>(),
    error_code: "text",
    error_message: "text",
    completion_state: "text",
    updated_at: "timestamptz",
    paid_at: "timestamptz",
    failed_at: "timestamptz",
    expired_at: "timestamptz",
    cancelled_at: "timestamptz",
    doubt_at: "timestamptz",
    due_at: "timestamptz"
  },
  values: {
    step: "case when r.due_at is null then null when r.provider_payment_id is null then 'find' else 'read' end",
    approval_due: "false",
    cancel_due: "false"
  },
  guard: "t.status = r.was and t.completion_state is not distinct from r.completion_was",
  target
})

/** Records the link of a payment; writes nothing when the payment ended meanwhile. C-PAY-24, C-PAY-28, C-PAY-29 */
export const linkPaymentRequest = defineUpdate({
  name: "payment_requests.link",
  table: "payment_requests",
  key,
  set: {
    payment_link_url: "text",
    pix_copy_paste: "text",
    pix_qr_code_base64: "text",
    link_sealed: "bytea",
    page_hash: "bytea",
    provider_payment_id: "text",
    link_generated_at: "timestamptz",
    doubt_at: "timestamptz",
    due_at: "timestamptz"
  },
  values: {
    status: "'link_generated'",
    updated_at: "r.link_generated_at",
    step: "'read'",
    absent_at: "null"
  },
  guard: "t.status = 'link_pending'",
  target
})

/** Records a caller's request to cancel; the provider is called when the payment is due. C-PCAN-03 */
export const askForCancel = defineUpdate({
  name: "payment_requests.ask_cancel",
  table: "payment_requests",
  key,
  beside: { at: "timestamptz" },
  set: { cancel_requested_at: "timestamptz" },
  values: { cancel_due: "true", due_at: "least(t.due_at, r.at)" },
  guard: `${live} and t.cancel_requested_at is null and t.due_at is not null`,
  returning: "t.id",
  target
})

/** Records a caller's request for approval. gaps-3 C "approval_requested and approved" */
export const askForApproval = defineUpdate({
  name: "payment_requests.ask_approval",
  table: "payment_requests",
  key,
  beside: { at: "timestamptz" },
  set: {
    approval_requested_at: "timestamptz",
    approval_note: "text",
    approval_metadata: json<Metadata>(),
    approval_due: "bool",
    provider_approval_id: "text"
  },
  values: {
    status: "'approval_requested'",
    updated_at: "r.approval_requested_at",
    due_at: "least(t.due_at, r.at)"
  },
  guard: "t.status = 'link_generated' and t.due_at is not null",
  returning: "t.id",
  target
})

// A request that arrived meanwhile has its own due time, so the row is still due and is decided again.
const asRead = "t.approval_due = r.approval_was and t.cancel_due = r.cancel_was"

/** Approves a sandbox payment, unless it has ended. gaps-3 C "approval_requested and approved" */
export const approveInSandbox = defineUpdate({
  name: "payment_requests.approve_in_sandbox",
  table: "payment_requests",
  key,
  beside: { approval_was: "bool", cancel_was: "bool" },
  set: { approved_at: "timestamptz", due_at: "timestamptz" },
  values: { status: "'approved'", updated_at: "r.approved_at", approval_due: "false" },
  where: `t.status in ('link_generated', 'approval_requested') and ${asRead}`,
  target
})

/** Postpones a sandbox payment without a due step. */
export const postponeInSandbox = defineUpdate({
  name: "payment_requests.postpone_in_sandbox",
  table: "payment_requests",
  key,
  beside: { approval_was: "bool", cancel_was: "bool" },
  set: { due_at: "timestamptz" },
  where: `t.due_at is not null and ${asRead}`,
  target
})
