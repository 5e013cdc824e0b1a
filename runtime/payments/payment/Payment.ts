import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { PaymentFees } from "@carteiro/schema/payments/PaymentFees.ts"
import type { PaymentRequest, PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { type SelectedRow, select } from "@carteiro/tables/Table.ts"
import { type PaymentOutcome, paymentRequestsTable } from "./PaymentTables.ts"

/** The columns of a payment that reads and rules use; those that are sealed come beside them. */
export const paymentColumns = select(
  paymentRequestsTable,
  "environment_id",
  "id",
  "environment",
  "account_id",
  "status",
  "amount",
  "description",
  "customer_name",
  "customer_tax_id",
  "customer_phone",
  "customer_email",
  "external_reference",
  "metadata",
  "provider",
  "provider_connection_id",
  "mode",
  "expires_in_seconds",
  "payment_link_url",
  "pix_copy_paste",
  "pix_qr_code_base64",
  "provider_payment_id",
  "provider_approval_id",
  "provider_metadata",
  "trace_id",
  "rate_card_id",
  "initiation_amount",
  "initiation_reservation_id",
  "completion_rate",
  "completion_amount",
  "completion_reservation_id",
  "completion_state",
  "created_at",
  "updated_at",
  "link_generated_at",
  "approval_requested_at",
  "approved_at",
  "paid_at",
  "failed_at",
  "expired_at",
  "cancelled_at",
  "cancel_requested_at"
)

/** A row of `payment_requests`, opened. */
export type PaymentRow = SelectedRow<typeof paymentColumns>

/** The columns of a due sandbox payment. */
export const sandboxTaskColumns = select(paymentRequestsTable, ...paymentColumns.names, "approval_due", "cancel_due")

/** A due sandbox payment. */
export type SandboxTask = SelectedRow<typeof sandboxTaskColumns>

export type { PaymentOutcome } from "./PaymentTables.ts"

const outcomes: ReadonlySet<PaymentStatus> = new Set(["paid", "failed", "expired", "cancelled"])

/** True when nothing changes it any more. C-PAY-26 */
export const hasEnded = <Row extends Pick<PaymentRow, "status">>(
  row: Row
): row is Row & { readonly status: PaymentOutcome } => outcomes.has(row.status)

/** The column with the instant of each status. C-PAY-12 */
export const endedAt = {
  paid: "paid_at",
  failed: "failed_at",
  expired: "expired_at",
  cancelled: "cancelled_at"
} as const

/** Returns the members that decide how the fees of a payment read; undefined when none is owed. */
const feeStandingOf = (row: PaymentRow) => {
  const { completion_amount, completion_rate, completion_reservation_id, completion_state, created_at } = row
  const { initiation_amount, initiation_reservation_id, rate_card_id } = row
  return rate_card_id === null ||
    initiation_amount === null ||
    initiation_reservation_id === null ||
    completion_rate === null ||
    completion_amount === null ||
    completion_reservation_id === null ||
    completion_state === null
    ? undefined
    : {
        rate_card_id,
        initiation_amount,
        initiation_reservation_id,
        completion_rate,
        completion_amount,
        completion_reservation_id,
        completion_state,
        created_at,
        isFinal: hasEnded(row)
      }
}

/** Reads fees; the room that charges them provides it. */
type ReadFees = (
  standing: NonNullable<ReturnType<typeof feeStandingOf>>,
  environment: EnvironmentKind,
  now: number
) => PaymentFees

/** Returns a payment as reads show it, with its fees as of now. C-PAY-01..13, C-FEE-01, C-FEE-18 */
export const showPayment = (row: PaymentRow, now: number, readFees: ReadFees): PaymentRequest => ({
  id: row.id,
  object: "payment_request",
  status: row.status,
  environment: row.environment,
  amount_brl: formatBrl(row.amount),
  currency: "BRL",
  description: row.description,
  customer_name: row.customer_name,
  customer_tax_id: row.customer_tax_id,
  customer_phone: row.customer_phone,
  customer_email: row.customer_email,
  external_reference: row.external_reference,
  metadata: readJsonOrNull(row.metadata),
  payment_link_url: row.payment_link_url,
  pix_copy_paste: row.pix_copy_paste,
  pix_qr_code_base64: row.pix_qr_code_base64,
  provider: row.provider,
  provider_connection_id: row.provider_connection_id,
  provider_payment_id: row.provider_payment_id,
  provider_approval_id: row.provider_approval_id,
  provider_metadata: readJsonOrNull(row.provider_metadata),
  trace_id: row.trace_id,
  created_at: formatTimestamp(row.created_at),
  updated_at: formatTimestamp(row.updated_at),
  link_generated_at: formatTimestampOrNull(row.link_generated_at),
  approval_requested_at: formatTimestampOrNull(row.approval_requested_at),
  approved_at: formatTimestampOrNull(row.approved_at),
  paid_at: formatTimestampOrNull(row.paid_at),
  failed_at: formatTimestampOrNull(row.failed_at),
  expired_at: formatTimestampOrNull(row.expired_at),
  cancelled_at: formatTimestampOrNull(row.cancelled_at),
  ...shownLate(row),
  fees: feesOf(row, now, readFees)
})

/** Returns the outcome that contradicts the end of a payment. gaps-3 "Amendments of November 2026" */
export const lateOutcomeOf = ({
  provider_metadata
}: Pick<PaymentRow, "provider_metadata">): PaymentRequest["late_outcome"] => {
  const late = readJsonOrNull(provider_metadata)?.late_outcome
  return late && { status: late.status, at: late.observed_at }
}

const shownLate = (row: PaymentRow): Pick<PaymentRequest, "late_outcome"> => {
  const late_outcome = lateOutcomeOf(row)
  return late_outcome === undefined ? {} : { late_outcome }
}

const feesOf = (row: PaymentRow, now: number, readFees: ReadFees): PaymentFees | null => {
  const standing = feeStandingOf(row)
  return standing === undefined ? null : readFees(standing, row.environment, now)
}
