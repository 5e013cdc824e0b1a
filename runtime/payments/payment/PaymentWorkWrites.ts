import { updateOf } from "@carteiro/tables/TableWrite.ts"
import { paymentRequestsTable } from "./PaymentTables.ts"

/** Reserves a step: from now on the provider may have a create, which is looked up when its answer is lost. */
export const reservePaymentRequest = updateOf(paymentRequestsTable, {
  name: "payment_requests.reserve",
  beside: { at: "timestamptz", was: "text" },
  set: ["due_at"],
  values: {
    step: "case when t.step = 'create' then 'find' else t.step end",
    called_at: "case when t.step = 'create' then r.at else t.called_at end"
  },
  where: "t.step = r.was and t.due_at <= r.at",
  returning: "t.id"
})

// A notice, or a caller's request, that arrives during the call keeps its effect: it sets an earlier due time than the
// reservation's.
const hinted = "t.due_at <= r.at"
const approves = "r.is_approved and t.status in ('link_generated', 'approval_requested')"

/** Writes the result of a look-up of a payment that continues, or that has ended and is still polled. */
export const recordPaymentRequest = updateOf(paymentRequestsTable, {
  name: "payment_requests.record",
  beside: {
    at: "timestamptz",
    is_approved: "bool",
    approval_was: "bool",
    cancel_was: "bool",
    cancel_dropped: "bool"
  },
  set: [
    "provider_payment_id",
    "provider_approval_id",
    "step",
    "due_at",
    "called_at",
    "doubt_at",
    "absent_at",
    "approval_due",
    "cancel_due"
  ],
  values: {
    provider_payment_id: "coalesce(t.provider_payment_id, r.provider_payment_id)",
    provider_approval_id: "coalesce(t.provider_approval_id, r.provider_approval_id)",
    step: `case when ${hinted} and coalesce(r.step, 'create') = 'create' then t.step else r.step end`,
    due_at: `case when ${hinted} then t.due_at else r.due_at end`,
    doubt_at: "greatest(t.doubt_at, r.doubt_at)",
    approval_due: "case when r.approval_was then r.approval_due else t.approval_due end",
    cancel_due: "case when r.cancel_was then r.cancel_due else t.cancel_due end",
    cancel_requested_at: "case when r.cancel_dropped then null else t.cancel_requested_at end",
    status: `case when ${approves} then 'approved' else t.status end`,
    approved_at: `case when ${approves} then r.at else t.approved_at end`,
    updated_at: `case when ${approves} then r.at else t.updated_at end`
  },
  where: "t.due_at is not null"
})

/**
 * Makes a payment due after a report of another party about it, such as the chat platform's: what counts is what the
 * payment's own provider shows. U-STA-03
 */
export const hintReportedPayment = updateOf(paymentRequestsTable, {
  name: "payment_requests.hint_reported",
  beside: { at: "timestamptz" },
  values: {
    due_at: "least(t.due_at, r.at)",
    doubt_at: "r.at",
    step: "case when t.provider_payment_id is null then 'find' else 'read' end"
  },
  where: "t.called_at is not null and t.step is distinct from 'create'",
  returning: "t.environment_id"
})

/** Makes a payment due after a provider's notice, in any status. gaps-3 G "Trust in webhook content" */
export const hintPaymentRequest = updateOf(paymentRequestsTable, {
  name: "payment_requests.hint",
  key: ["environment_id", "id", "provider_connection_id"],
  beside: { at: "timestamptz", event_id: "text", event_type: "text", told_status: "text", told_at: "timestamptz" },
  values: {
    due_at: "least(t.due_at, r.at)",
    doubt_at: "r.at",
    step: "case when t.provider_payment_id is null then 'find' else 'read' end",
    hint_event_id: "case when t.hint_at > r.told_at then t.hint_event_id else r.event_id end",
    hint_event_type: "case when t.hint_at > r.told_at then t.hint_event_type else r.event_type end",
    hint_status: "case when t.hint_at > r.told_at then t.hint_status else r.told_status end",
    hint_at: "greatest(t.hint_at, r.told_at)"
  },
  where: "t.called_at is not null and t.step is distinct from 'create'",
  returning: "t.environment_id"
})
