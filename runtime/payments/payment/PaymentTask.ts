import type { PixAnswer, PixApprovalAnswer, PixCheckout } from "@carteiro/provider/payments/PixProvider.ts"
import { looksAgainAt, stillAbsent } from "@carteiro/provider/RecoverySchedule.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { type SelectedRow, select } from "@carteiro/tables/Table.ts"
import { centavosOf } from "../agentic/AgenticPayment.ts"
import { hasEnded, paymentColumns } from "./Payment.ts"
import { type PaymentOutcome, paymentRequestsTable } from "./PaymentTables.ts"

/** The columns of a production payment with a due step at its provider. */
export const paymentTaskColumns = select(
  paymentRequestsTable,
  ...paymentColumns.names,
  "step",
  "due_at",
  "called_at",
  "doubt_at",
  "absent_at",
  "approval_due",
  "cancel_due",
  "approval_note",
  "success_url",
  "hint_event_id",
  "hint_event_type",
  "hint_status",
  "hint_at"
)

/** A production payment with a due step at its provider. Instants in epoch milliseconds. */
export interface PaymentTask extends SelectedRow<typeof paymentTaskColumns> {
  readonly step: "create" | "find" | "read"
  readonly due_at: number
}

/** The provider's answers in one step. */
export interface PaymentSeen {
  /** `Unsent`: no call was made, because there is no provider or no credential. */
  readonly charge: PixAnswer | { readonly _tag: "Unsent" }
  /** Only when it was requested. */
  readonly approval?: PixApprovalAnswer
  readonly cancel?: PixAnswer
}

/** The members of a payment that change before its end. */
export interface PaymentProgress {
  readonly provider_payment_id: string | null
  readonly provider_approval_id: string | null
  readonly step: "create" | "find" | "read" | null
  readonly due_at: number | null
  readonly called_at: number | null
  readonly doubt_at: number | null
  readonly absent_at: number | null
  readonly approval_due: boolean
  readonly cancel_due: boolean
  /** True when the provider did not cancel it: another cancel may be requested. */
  readonly cancel_dropped: boolean
  readonly is_approved: boolean
}

/** The end of a payment, as the account's act receives it. */
export interface PaymentEnd {
  readonly outcome: PaymentOutcome
  readonly operation: "link" | "cancel" | "provider_outcome"
  readonly is_proven: boolean
  readonly provider_payment_id: string | null
  readonly occurred_at: number | null
  readonly provider_event_id: string | null
  readonly provider_event_type: string | null
  readonly error_code: string | null
  readonly error_message: string | null
  /** The vendor's own code of a failure; null where it gave none. */
  readonly provider_code: string | null
}

/** The decision on a payment after a look-up. */
export type PaymentJudgement =
  | { readonly _tag: "End"; readonly end: PaymentEnd }
  | { readonly _tag: "Link"; readonly charge: PixCheckout; readonly due_at: number }
  | { readonly _tag: "Progress"; readonly progress: PaymentProgress }

/**
 * True when the provider shows another charge, or another amount: its answer then counts for nothing. gaps-3 G "Trust
 * in webhook content"
 */
export const isAnothers = (task: PaymentTask, { charge }: PaymentSeen): boolean =>
  charge._tag === "Charge" &&
  (charge.external_id !== task.id ||
    (charge.amount_centavos !== null && charge.amount_centavos !== centavosOf(task.amount)) ||
    (task.provider_payment_id !== null && task.provider_payment_id !== charge.id))

/** How long after its end a charge is looked up, since vendors settle what was paid at the last moment. In milliseconds. */
const settlesMs = 120_000

/** Returns the next look-up of a payment: one after each doubt's age, and one shortly after the end of its charge. */
const nextLook = (task: PaymentTask, since: number, now: number, looksUp: boolean): number => {
  const planned = looksAgainAt(since, now, looksUp)
  const endsAt = task.created_at + task.expires_in_seconds * 1000 + settlesMs
  return endsAt > now && !hasEnded(task) ? Math.min(planned, endsAt) : planned
}

/** How long a late outcome of an ended payment without a held fee is polled, in milliseconds. */
const lateMs = 7 * dayMs

/**
 * Decides on a payment after a look-up: an unknown state is looked up again, and only an outcome that the provider
 * shows, or a refused create, ends a payment. A create is repeated once two look-ups, 10 and 70 minutes after it, found
 * nothing. gaps-3 C "Link failure", "Proven create history", "Recovery schedule", C-PCAN-09, C-PCAN-10
 */
export const judgePaymentRequest = (task: PaymentTask, seen: PaymentSeen, now: number): PaymentJudgement => {
  const { charge } = seen
  const isOver = hasEnded(task) && task.completion_state !== "held"
  const doubt = task.doubt_at ?? now
  const standing: PaymentProgress = {
    provider_payment_id: task.provider_payment_id,
    ...askedOf(task, seen),
    step: null,
    due_at: null,
    called_at: task.step === "create" && charge._tag !== "Unsent" ? now : task.called_at,
    doubt_at: doubt,
    absent_at: task.absent_at,
    is_approved: false
  }
  /** Schedules the next look-up; an ended payment without a held fee is not polled any more. */
  const wait = (more: Partial<PaymentProgress> = {}): PaymentJudgement => {
    if (isOver && charge._tag !== "Unknown") return { _tag: "Progress", progress: standing }
    const step = more.step ?? (task.step === "create" && charge._tag !== "Unsent" ? "find" : task.step)
    const since = more.doubt_at ?? doubt
    if (isOver && now - since > lateMs) return { _tag: "Progress", progress: standing }
    const due_at = nextLook(task, since, now, step === "find")
    return { _tag: "Progress", progress: { ...standing, due_at, ...more, step } }
  }
  if (isAnothers(task, seen)) return wait()
  switch (charge._tag) {
    case "Unsent":
    case "Unknown":
      return wait()
    case "Refused": {
      // A refused look-up tells nothing about the payment.
      if (task.step !== "create") return wait()
      const error_message = `The provider refused to make the link: ${charge.code}.`
      const said = { outcome: "failed", operation: "link", is_proven: true, error_message } as const
      return endOf(task, { ...said, provider_code: charge.code }, now)
    }
    case "Absent":
      return task.step === "read" ? wait() : wait(absence(task, now))
    case "Charge": {
      const { id: provider_payment_id, status } = charge
      if (isOutcome(status)) {
        if (isOver && status === task.status) return wait()
        const operation = status === "cancelled" && task.cancel_requested_at !== null ? "cancel" : "provider_outcome"
        // A fee is released once the provider has named the payment and a later look-up shows it unpaid.
        const is_proven = status === "paid" || task.provider_payment_id !== null
        const provider_code = charge.failure_code ?? null
        return endOf(task, { outcome: status, operation, is_proven, provider_payment_id, provider_code }, now)
      }
      const is_approved = status === "approved"
      if (task.status === "link_pending" && hasArtifact(charge)) {
        return { _tag: "Link", charge, due_at: is_approved ? now : nextLook(task, now, now, false) }
      }
      const isNews = task.provider_payment_id === null || isTaken(seen)
      const doubt_at = isNews ? now : doubt
      return wait({ step: "read", provider_payment_id, doubt_at, absent_at: null, is_approved })
    }
  }
}

/** True when the provider accepted the requested approval or cancel. */
const isTaken = ({ approval, cancel }: PaymentSeen): boolean =>
  approval?._tag === "Requested" || cancel?._tag === "Charge"

/** Returns the state of the requested approval and cancel; a call with an unknown result is repeated. */
const askedOf = (task: PaymentTask, { approval, cancel }: PaymentSeen) => {
  const isCertain = (answer: { readonly _tag: string } | undefined) =>
    answer !== undefined && answer._tag !== "Unknown" && answer._tag !== "Absent"
  return {
    provider_approval_id: approval?._tag === "Requested" ? approval.id : task.provider_approval_id,
    approval_due: task.approval_due && !isCertain(approval),
    cancel_due: task.cancel_due && !isCertain(cancel),
    cancel_dropped: cancel?._tag === "Refused"
  }
}

/** Records a failed look-up: two of them, 10 and 70 minutes after a create, prove that the provider has no charge. */
const absence = (task: PaymentTask, now: number): Partial<PaymentProgress> => {
  const since = task.called_at ?? now
  const { absent_at, isProven } = stillAbsent(since, task.absent_at, now)
  return isProven ? { step: "create", due_at: now, absent_at: null } : { step: "find", absent_at, doubt_at: since }
}

/** Returns the end for the account's act; with the provider's time when the provider gave one for this outcome. */
const endOf = (
  task: PaymentTask,
  said: Pick<PaymentEnd, "outcome" | "operation" | "is_proven"> & Partial<PaymentEnd>,
  now: number
): PaymentJudgement => {
  const { created_at, hint_at, hint_event_id, hint_event_type, hint_status } = task
  const isTold = hint_status === said.outcome && hint_at !== null
  return {
    _tag: "End",
    end: {
      provider_payment_id: null,
      occurred_at: isTold ? Math.max(created_at, Math.min(hint_at, now)) : null,
      provider_event_id: isTold ? hint_event_id : null,
      provider_event_type: isTold ? hint_event_type : null,
      error_code: said.operation === "link" ? "payment_link_rejected" : null,
      error_message: null,
      provider_code: null,
      ...said
    }
  }
}

const isOutcome = (status: PixCheckout["status"]): status is PaymentOutcome =>
  status !== "pending" && status !== "approved"

/** True when the charge has a link or a code by which it can be paid. C-PAY-24 */
const hasArtifact = ({ payment_url, pix_copy_paste, pix_qr_code_base64 }: PixCheckout): boolean =>
  payment_url !== null || pix_copy_paste !== null || pix_qr_code_base64 !== null
