import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { autoTopupColumns } from "./TopupTables.ts"
/** The automatic top-up of an account; amounts in 1/10,000 BRL, instants in epoch milliseconds. C-ATOP-01 */
export type AutoTopup = SelectedRow<typeof autoTopupColumns>

export const isAbove = ({ threshold }: Pick<AutoTopup, "threshold">, balance: number): boolean => balance > threshold

/** True when a movement took the balance from above the threshold to it or below. C-ATOP-06, C-ATOP-07 */
export const crossed = (auto: Pick<AutoTopup, "threshold">, before: number, after: number): boolean =>
  isAbove(auto, before) && !isAbove(auto, after)

/** True when a crossing starts a run. gaps-3 E "Auto top-up trigger" */
export const isDue = ({ enabled, open_topup_id }: Pick<AutoTopup, "enabled" | "open_topup_id">): boolean =>
  enabled && open_topup_id === null

/**
 * Returns the state after a run; a failed run turns automatic top-up off and records the cause. C-ATOP-08, gaps-3 E
 * "Auto top-up execution"
 */
export const ranTo = (
  auto: AutoTopup,
  topupId: string,
  outcome: "paid" | "failed" | "expired",
  now: number
): AutoTopup => {
  if (auto.open_topup_id !== topupId) return auto
  const ended = { ...auto, open_topup_id: null }
  return outcome === "failed" && auto.enabled ? { ...ended, enabled: false, cause: "failure", updated_at: now } : ended
}

/**
 * Returns the state after a card was saved or made default: automatic top-up that a failure turned off goes on with it,
 * without a charge. C-ATOP-09..11, C-ATOP-13
 */
export const turnedOnBy = (auto: AutoTopup, cardId: string, now: number): AutoTopup =>
  auto.cause === "failure" && !auto.enabled
    ? { ...auto, enabled: true, payment_method_id: cardId, cause: null, updated_at: now }
    : auto

/**
 * Returns the state after a card was deleted: automatic top-up that uses this card stays off, whatever turned it off
 * before. C-ATOP-14
 */
export const withoutCard = (auto: AutoTopup, cardId: string, now: number): AutoTopup =>
  auto.payment_method_id === cardId && (auto.enabled || auto.cause === "failure")
    ? { ...auto, enabled: false, cause: "card_deleted", updated_at: now }
    : auto

/**
 * Returns the state with a caller's settings; an open run continues unchanged. C-ATOP-12, C-ATOP-13, gaps-3 E "Turned
 * back on"
 */
export const setByCaller = (
  before: AutoTopup | undefined,
  set: Pick<AutoTopup, "enabled" | "threshold" | "amount" | "payment_method_id">,
  balance: number,
  now: number
): AutoTopup => ({
  ...set,
  cause: set.enabled ? null : "caller",
  is_above: isAbove(set, balance),
  open_topup_id: before?.open_topup_id ?? null,
  last_triggered_at: before?.last_triggered_at ?? null,
  updated_at: now
})
