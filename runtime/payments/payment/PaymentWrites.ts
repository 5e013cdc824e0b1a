import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { paymentRequestsTable } from "./PaymentTables.ts"

const live = "t.status not in ('paid', 'failed', 'expired', 'cancelled')"

/** Inserts an accepted payment; its link is made when it is due. C-PAY-14, C-PAY-15 */
export const insertPaymentRequest = insertInto(paymentRequestsTable, {
  columns: [
    "environment_id",
    "id",
    "environment",
    "account_id",
    "amount",
    "description",
    "customer_name",
    "customer_tax_id_sealed",
    "customer_phone",
    "customer_email",
    "external_reference",
    "metadata",
    "provider",
    "provider_connection_id",
    "mode",
    "expires_in_seconds",
    "success_url",
    "trace_id",
    "rate_card_id",
    "initiation_amount",
    "initiation_reservation_id",
    "completion_rate",
    "completion_amount",
    "completion_reservation_id",
    "created_at",
    "due_at"
  ],
  values: { status: "'link_pending'", completion_state: "'held'", step: "'create'", updated_at: "r.created_at" }
})

/**
 * Ends a payment, or the held fee of an ended one; when it changed since the read, the whole unit is stopped. C-PAY-26,
 * C-FEE-21
 */
export const endPaymentRequest = updateOf(paymentRequestsTable, {
  name: "payment_requests.end",
  beside: { was: "text", completion_was: "text" },
  set: [
    "status",
    "provider_payment_id",
    "provider_metadata",
    "error_code",
    "error_message",
    "completion_state",
    "updated_at",
    "paid_at",
    "failed_at",
    "expired_at",
    "cancelled_at",
    "doubt_at",
    "due_at"
  ],
  values: {
    step: "case when r.due_at is null then null when r.provider_payment_id is null then 'find' else 'read' end",
    approval_due: "false",
    cancel_due: "false"
  },
  guard: "t.status = r.was and t.completion_state is not distinct from r.completion_was"
})

/** Records the link of a payment; writes nothing when the payment ended meanwhile. C-PAY-24, C-PAY-28, C-PAY-29 */
export const linkPaymentRequest = updateOf(paymentRequestsTable, {
  name: "payment_requests.link",
  set: [
    "payment_link_url",
    "pix_copy_paste",
    "pix_qr_code_base64",
    "link_sealed",
    "page_hash",
    "provider_payment_id",
    "link_generated_at",
    "doubt_at",
    "due_at"
  ],
  values: {
    status: "'link_generated'",
    updated_at: "r.link_generated_at",
    step: "'read'",
    absent_at: "null"
  },
  guard: "t.status = 'link_pending'"
})

/** Records a caller's request to cancel; the provider is called when the payment is due. C-PCAN-03 */
export const askForCancel = updateOf(paymentRequestsTable, {
  name: "payment_requests.ask_cancel",
  beside: { at: "timestamptz" },
  set: ["cancel_requested_at"],
  values: { cancel_due: "true", due_at: "least(t.due_at, r.at)" },
  guard: `${live} and t.cancel_requested_at is null and t.due_at is not null`,
  returning: "t.id"
})

/** Records a caller's request for approval. gaps-3 C "approval_requested and approved" */
export const askForApproval = updateOf(paymentRequestsTable, {
  name: "payment_requests.ask_approval",
  beside: { at: "timestamptz" },
  set: ["approval_requested_at", "approval_note", "approval_metadata", "approval_due", "provider_approval_id"],
  values: {
    status: "'approval_requested'",
    updated_at: "r.approval_requested_at",
    due_at: "least(t.due_at, r.at)"
  },
  guard: "t.status = 'link_generated' and t.due_at is not null",
  returning: "t.id"
})

// A request that arrived meanwhile has its own due time, so the row is still due and is decided again.
const asRead = "t.approval_due = r.approval_was and t.cancel_due = r.cancel_was"

/** Approves a sandbox payment, unless it has ended. gaps-3 C "approval_requested and approved" */
export const approveInSandbox = updateOf(paymentRequestsTable, {
  name: "payment_requests.approve_in_sandbox",
  beside: { approval_was: "bool", cancel_was: "bool" },
  set: ["approved_at", "due_at"],
  values: { status: "'approved'", updated_at: "r.approved_at", approval_due: "false" },
  where: `t.status in ('link_generated', 'approval_requested') and ${asRead}`
})

/** Postpones a sandbox payment without a due step. */
export const postponeInSandbox = updateOf(paymentRequestsTable, {
  name: "payment_requests.postpone_in_sandbox",
  beside: { approval_was: "bool", cancel_was: "bool" },
  set: ["due_at"],
  where: `t.due_at is not null and ${asRead}`
})
