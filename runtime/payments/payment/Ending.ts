import { looksAgainAt } from "@carteiro/provider/RecoverySchedule.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { type JsonText, jsonText, readJson, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { endedAt, hasEnded, lateOutcomeOf, type PaymentOutcome, type PaymentRow } from "./Payment.ts"

/** An outcome of a payment, from its source. */
interface Outcome {
  readonly outcome: PaymentOutcome
  /** True when a fee may be released after an end without payment. C-FEE-31 */
  readonly is_proven: boolean
  readonly provider_payment_id: string | null
  readonly sandbox_metadata: JsonText<Metadata> | null
  /** The vendor's own code of a failure. */
  readonly provider_code?: string | null
}

/** A payment after an outcome, the change of its fee, and its next due time. */
interface End {
  readonly after: PaymentRow
  readonly fee: "settled" | "released" | undefined
  readonly due_at: number | null
  /** The payment with its late outcome, when this outcome contradicts the end and was not known. gaps-3 "Amendments of November 2026" */
  readonly late: (PaymentRow & { readonly status: PaymentOutcome }) | undefined
}

/**
 * Applies an outcome to a payment. A final status does not change; a held fee is charged when the payment is proven
 * paid, or released when its end without payment is proven. A different outcome of an ended payment is stored in
 * `provider_metadata`, and is told once: money that arrives after another late outcome replaces that. gaps-3 C "Outcome after a terminal state", "Proven create history", "Sandbox status on a
 * terminal payment"
 */
export const endOf = (before: PaymentRow, said: Outcome, now: number): End => {
  const { outcome } = said
  const isLate = hasEnded(before)
  const isHeld = before.completion_state === "held"
  const fee = !isHeld ? undefined : outcome === "paid" ? "settled" : said.is_proven ? "released" : undefined
  const completion_state = fee ?? before.completion_state
  const after: PaymentRow = {
    ...before,
    provider_payment_id: said.provider_payment_id ?? before.provider_payment_id,
    completion_state,
    ...(isLate ? undefined : { status: outcome, [endedAt[outcome]]: now, updated_at: now }),
    provider_metadata: keptOf(before, said, now)
  }
  const due_at = completion_state === "held" ? looksAgainAt(now, now, false) : null
  return { after, fee, due_at, late: hasEnded(after) && contradictsEnd(before, outcome) ? after : undefined }
}

const contradictsEnd = (before: PaymentRow, outcome: PaymentOutcome): boolean => {
  if (!hasEnded(before) || before.status === outcome) return false
  const known = lateOutcomeOf(before)
  return known === undefined || (outcome === "paid" && known.status !== "paid")
}

/**
 * Returns `provider_metadata` after an outcome: with a late one that contradicts the end, with the vendor's code of a
 * failure, or with the metadata of a sandbox call.
 */
const keptOf = (
  before: PaymentRow,
  { outcome, provider_code = null, sandbox_metadata }: Outcome,
  now: number
): PaymentRow["provider_metadata"] => {
  const isLate = hasEnded(before)
  const kept = readJsonOrNull(before.provider_metadata) ?? {}
  if (contradictsEnd(before, outcome)) {
    return jsonText({ ...kept, late_outcome: { status: outcome, observed_at: formatTimestamp(now) } })
  }
  if (!isLate && provider_code !== null) return jsonText({ ...kept, provider_code })
  return isLate || sandbox_metadata === null
    ? before.provider_metadata
    : jsonText({ ...kept, sandbox: readJson(sandbox_metadata) })
}
