import type { PixMode, PixVendor } from "@carteiro/provider/payments/PixProvider.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import type { PaymentFees } from "@carteiro/schema/payments/PaymentFees.ts"
import type { PaymentRequest, PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { type JsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"

/** Further facts about a payment. `late_outcome` is an outcome that contradicts its end. */
interface ProviderMetadata {
  readonly late_outcome?: { readonly status: PaymentOutcome; readonly observed_at: string }
  readonly [fact: string]: unknown
}

/** A row of `payment_requests`: amounts in 1/10,000 BRL, instants in epoch milliseconds. */
export interface PaymentRow {
  readonly environment_id: string
  readonly id: string
  readonly environment: EnvironmentKind
  readonly account_id: string
  readonly status: PaymentStatus
  readonly amount: number
  readonly description: string | null
  readonly customer_name: string | null
  readonly customer_tax_id: string | null
  readonly customer_phone: string | null
  readonly customer_email: string | null
  readonly external_reference: string | null
  readonly metadata: JsonText<Metadata> | null
  readonly provider: PixVendor
  readonly provider_connection_id: string | null
  readonly mode: PixMode
  readonly expires_in_seconds: number
  readonly payment_link_url: string | null
  readonly pix_copy_paste: string | null
  readonly pix_qr_code_base64: string | null
  readonly provider_payment_id: string | null
  readonly provider_approval_id: string | null
  readonly provider_metadata: JsonText<ProviderMetadata> | null
  readonly trace_id: string
  /** Null when no fee is owed, like all members of the fee. C-FEE-18 */
  readonly rate_card_id: string | null
  readonly initiation_amount: number | null
  readonly initiation_reservation_id: string | null
  /** In ten-thousandths. */
  readonly completion_rate: number | null
  readonly completion_amount: number | null
  readonly completion_reservation_id: string | null
  readonly completion_state: "held" | "settled" | "released" | null
  readonly created_at: number
  readonly updated_at: number
  readonly link_generated_at: number | null
  readonly approval_requested_at: number | null
  readonly approved_at: number | null
  readonly paid_at: number | null
  readonly failed_at: number | null
  readonly expired_at: number | null
  readonly cancelled_at: number | null
  readonly cancel_requested_at: number | null
}

/** A due sandbox payment. */
export interface SandboxTask extends PaymentRow {
  readonly approval_due: boolean
  readonly cancel_due: boolean
}

/** The outcomes of a payment. C-PAY-26 */
export type PaymentOutcome = "paid" | "failed" | "expired" | "cancelled"

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
