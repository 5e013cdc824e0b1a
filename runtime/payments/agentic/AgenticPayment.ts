import type { VendorAgenticPayment } from "@carteiro/provider/payments/AgenticProvider.ts"
import { looksAgainAt, stillAbsent } from "@carteiro/provider/RecoverySchedule.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { AgenticPayment } from "@carteiro/schema/payments/AgenticPayment.ts"
import type { PaymentFees } from "@carteiro/schema/payments/PaymentFees.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { type SelectedRow, select } from "@carteiro/tables/Table.ts"
import { agenticPaymentsTable } from "./AgenticTables.ts"

/** The columns of a payment that reads and rules use. */
export const agenticPaymentColumns = select(
  agenticPaymentsTable,
  "environment_id",
  "id",
  "account_id",
  "status",
  "authorization_id",
  "amount",
  "description",
  "external_reference",
  "metadata",
  "provider_connection_id",
  "provider_authorization_id",
  "provider_payment_id",
  "error_code",
  "error_message",
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
  "paid_at",
  "failed_at"
)

/** A row of `agentic_payments`. */
export type AgenticPaymentRow = SelectedRow<typeof agenticPaymentColumns>

/** The columns of a payment with a due step. */
export const agenticTaskColumns = select(
  agenticPaymentsTable,
  ...agenticPaymentColumns.names,
  "step",
  "due_at",
  "called_at",
  "doubt_at",
  "absent_at"
)

/** A payment with a due step. */
export interface PaymentTask extends SelectedRow<typeof agenticTaskColumns> {
  readonly step: "create" | "find" | "read"
  readonly due_at: number
}

/** The result of a look-up at the provider. */
export type PaymentSeen =
  | VendorAgenticPayment
  | { readonly _tag: "Refused"; readonly code: string }
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Unknown" }

/** The members of a payment that change while it is processing. */
export interface PaymentProgress {
  readonly provider_payment_id: string | null
  readonly step: "find" | "read"
  readonly due_at: number
  readonly doubt_at: number
  readonly absent_at: number | null
}

/** The end of a payment. */
export interface PaymentEnd {
  readonly outcome: "paid" | "failed"
  readonly provider_payment_id: string | null
  readonly error_code: string | null
  readonly error_message: string | null
}

const unitsPerCentavo = 100

/** Returns the amount in centavos, the unit of providers. */
export const centavosOf = (amount: number): number => amount / unitsPerCentavo
export const unitsOf = (centavos: number): number => centavos * unitsPerCentavo

/**
 * True when the provider shows another payment, or another amount: its answer then counts for nothing. gaps-3 G "Trust
 * in webhook content"
 */
export const isForeign = (task: PaymentTask, seen: PaymentSeen): boolean =>
  seen._tag === "Payment" &&
  (seen.external_id !== task.id ||
    (seen.amount_centavos !== null && seen.amount_centavos !== centavosOf(task.amount)) ||
    (task.provider_payment_id !== null && task.provider_payment_id !== seen.id))

/**
 * Decides on a payment after a look-up: an unknown state is looked up again, and only a proven end ends it. A refused
 * create, and two failed look-ups 10 and 70 minutes after it, prove that nothing was paid. gaps-3 C "Recovery
 * schedule", "Proven create history"
 */
export const judgePayment = (
  task: PaymentTask,
  seen: PaymentSeen,
  now: number
): { readonly end: PaymentEnd } | { readonly progress: PaymentProgress } => {
  const since = task.called_at ?? now
  const wait = (step: "find" | "read", id: string | null, doubt_at: number, absent_at: number | null) => ({
    progress: {
      provider_payment_id: id,
      step,
      due_at: looksAgainAt(doubt_at, now, step === "find"),
      doubt_at,
      absent_at
    }
  })
  const failed = (error_code: string, error_message: string, id: string | null = task.provider_payment_id) => ({
    end: { outcome: "failed", provider_payment_id: id, error_code, error_message } as const
  })
  const doubt = task.doubt_at ?? since
  if (isForeign(task, seen)) return wait(task.step === "read" ? "read" : "find", task.provider_payment_id, doubt, null)
  switch (seen._tag) {
    case "Payment":
      if (seen.status === "processing") return wait("read", seen.id, task.step === "read" ? doubt : now, null)
      if (seen.status === "failed") {
        // The response to the create is not proof; a later read is.
        if (task.step === "create" && task.provider_connection_id !== null) return wait("read", seen.id, now, null)
        return failed(seen.error?.code ?? "payment_failed", seen.error?.message ?? "The payment failed.", seen.id)
      }
      return { end: { outcome: "paid", provider_payment_id: seen.id, error_code: null, error_message: null } }
    case "Refused":
      // A refused look-up tells nothing about the payment.
      return task.step === "create"
        ? failed("payment_rejected", `The provider refused the payment: ${seen.code}.`)
        : wait(task.step, task.provider_payment_id, doubt, task.absent_at)
    case "Absent": {
      if (task.step === "read") return wait("read", task.provider_payment_id, doubt, null)
      const { absent_at, isProven } = stillAbsent(since, task.absent_at, now)
      return isProven
        ? failed("payment_not_created", "The provider never had the payment.")
        : wait("find", null, since, absent_at)
    }
    case "Unknown":
      return wait(task.step === "read" ? "read" : "find", task.provider_payment_id, doubt, task.absent_at)
  }
}

/** Returns the members of a payment that decide how its fees read. gaps-3 D "When state reads unresolved" */
export const standingOf = (row: AgenticPaymentRow): AgenticPaymentRow & { readonly isFinal: boolean } => ({
  ...row,
  isFinal: row.status !== "processing"
})

/** Returns a payment as reads show it. C-AGT-02, gaps-3 C "Agentic payments" */
export const readPayment = (
  row: AgenticPaymentRow,
  environment: "sandbox" | "production",
  fees: PaymentFees
): AgenticPayment => ({
  id: row.id,
  object: "agentic_payment",
  status: row.status,
  environment,
  authorization_id: row.authorization_id,
  amount_brl: formatBrl(row.amount),
  currency: "BRL",
  description: row.description,
  external_reference: row.external_reference,
  metadata: readJsonOrNull(row.metadata),
  provider: "pixprov1",
  provider_payment_id: row.provider_payment_id,
  error_code: row.error_code,
  error_message: row.error_message,
  trace_id: row.trace_id,
  fees,
  created_at: formatTimestamp(row.created_at),
  updated_at: formatTimestamp(row.updated_at),
  paid_at: formatTimestampOrNull(row.paid_at),
  failed_at: formatTimestampOrNull(row.failed_at)
})
