import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import {
  PaymentApprovalAvailable,
  PaymentCancelled,
  PaymentCreated,
  PaymentExpired,
  PaymentFailed,
  PaymentLateOutcome,
  PaymentLinkGenerated,
  type PaymentOperation,
  PaymentPaid
} from "@carteiro/schema/payments/PaymentEvents.ts"
import type { PaymentRequest } from "@carteiro/schema/payments/PaymentRequest.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { Outbox } from "../../outbox/Outbox.ts"
import type { PaymentOutcome, PaymentRow } from "./Payment.ts"

/**
 * A change of a payment, with the members that its event has besides; absent members are not in the event. gaps-3 C
 * "Payment event details"
 */
export interface PaymentChange {
  /** When the event is made, and when the change happened, in epoch milliseconds. C-PEVT-06 */
  readonly at: number
  readonly occurred_at: number
  readonly operation: typeof PaymentOperation.Type
  readonly provider_event_id?: string
  readonly provider_event_type?: string
  readonly error_code?: string
  readonly error_message?: string
  readonly sandbox_simulator?: true
  readonly sandbox_pay_page?: true
}

/** Returns the event of an accepted payment. C-PEVT-02 */
export const createdEvent = (outbox: Outbox["Service"], row: PaymentRow, change: PaymentChange): Row =>
  outbox.event(PaymentCreated, {
    ...placeOf(row, change),
    data: { ...dataOf(row, change), status: "link_pending", payment_link_url: null }
  })

/** Returns the two events of a link that is ready, with one instant. C-PEVT-03, C-PEVT-04 */
export const linkEvents = (
  outbox: Outbox["Service"],
  row: PaymentRow,
  payment_link_url: string,
  change: PaymentChange
): ReadonlyArray<Row> => {
  const event = {
    ...placeOf(row, change),
    data: { ...dataOf(row, change), status: "link_generated", payment_link_url } as const
  }
  return [outbox.event(PaymentApprovalAvailable, event), outbox.event(PaymentLinkGenerated, event)]
}

/** Returns the event of an ended payment. C-PEVT-05 */
export const endedEvent = (
  outbox: Outbox["Service"],
  row: PaymentRow,
  status: PaymentOutcome,
  change: PaymentChange
): Row => {
  const place = placeOf(row, change)
  const data = dataOf(row, change)
  switch (status) {
    case "paid":
      return outbox.event(PaymentPaid, { ...place, data: { ...data, status } })
    case "failed":
      return outbox.event(PaymentFailed, { ...place, data: { ...data, status } })
    case "expired":
      return outbox.event(PaymentExpired, { ...place, data: { ...data, status } })
    case "cancelled":
      return outbox.event(PaymentCancelled, { ...place, data: { ...data, status } })
  }
}

/** Returns the event of an outcome that contradicts the end of a payment. gaps-3 "Amendments of November 2026" */
export const lateOutcomeEvent = (
  outbox: Outbox["Service"],
  row: PaymentRow & { readonly status: PaymentOutcome },
  late_outcome: NonNullable<PaymentRequest["late_outcome"]>,
  change: PaymentChange
): Row =>
  outbox.event(PaymentLateOutcome, {
    ...placeOf(row, change),
    data: { ...dataOf(row, change), status: row.status, late_outcome }
  })

/**
 * A customer's erasure does not include payments, because they are accounting records. gaps-3 C "Personal data in
 * payments"
 */
const placeOf = ({ environment, environment_id, id, trace_id }: PaymentRow, { at, occurred_at }: PaymentChange) => ({
  environment_id,
  environment,
  source_id: id,
  subject: null,
  trace_id,
  at,
  occurred_at
})

/** Returns the payment as it is now, without the tax id and the provider's data. C-PEVT-07..17 */
const dataOf = (row: PaymentRow, { at: _at, occurred_at: _occurredAt, ...told }: PaymentChange) => ({
  id: row.id,
  object: "payment_request" as const,
  payment_request_id: row.id,
  amount_brl: formatBrl(row.amount),
  currency: "BRL" as const,
  description: row.description,
  customer_name: row.customer_name,
  customer_phone: row.customer_phone,
  customer_email: row.customer_email,
  external_reference: row.external_reference,
  metadata: readJsonOrNull(row.metadata),
  payment_link_url: row.payment_link_url,
  provider: row.provider,
  provider_payment_id: row.provider_payment_id,
  provider_approval_id: row.provider_approval_id,
  ...told
})
