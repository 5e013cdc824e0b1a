import type { Row } from "@carteiro/tables/Write.ts"
import type { AccountState, AccountUnit } from "../account/AccountUnit.ts"
import type { Charge, ChargeOutcome } from "../charges/Charge.ts"
import { lateTopupRows, noticeContext, topupFailureRows } from "../notices/MoneyNotices.ts"
import { ranTo } from "../topups/AutoTopup.ts"
import { insertFailure } from "../topups/AutoTopupWrites.ts"
import { endTopup } from "../topups/TopupWrites.ts"
import { credit, refund } from "../wallet/Wallet.ts"

/**
 * Applies the outcome of a top-up's charge, in its commit: credits it once when it is paid, however late, and deducts
 * all of it when it is refunded. A payment after the top-up failed or expired adds a notice. gaps-3 E "Top-up
 * transitions", "Purchase outcomes"
 */
export const followTopup = (
  charge: Charge,
  outcome: ChargeOutcome,
  unit: AccountUnit,
  state: AccountState,
  was: Charge["state"]
): void => {
  const { account_id } = state.account
  const { amount, id, rail } = charge
  const { now } = unit.context
  state.packagesChanged = true
  const ended = (status: string, was: string, completed_at: number | null): Row =>
    endTopup.row({ account_id, id, status, was, completed_at })
  switch (outcome) {
    case "paid":
      unit.add(ended("succeeded", "pending,expired,failed", now))
      unit.move(credit(id, amount, `funding:${rail}`), null)
      if (was !== "open")
        unit.add(...lateTopupRows({ ...noticeContext(state, unit.context.realNow), id, amount }, unit.context.mint))
      break
    case "failed":
      unit.add(ended("failed", "pending", now))
      break
    case "expired":
      unit.add(ended("expired", "pending", null))
      break
    case "refunded":
      unit.add(ended("refunded", "succeeded", null))
      unit.move(refund(state.wallet, id, amount, `funding:${rail}`), null)
      break
  }
  if (outcome !== "refunded" && state.auto?.open_topup_id === id) endRun(charge, outcome, unit, state)
}

const endRun = (
  { amount, decline_code, id, payment_method_id }: Charge,
  outcome: Exclude<ChargeOutcome, "refunded">,
  unit: AccountUnit,
  state: AccountState
): void => {
  if (state.auto === undefined) return
  const { now } = unit.context
  state.auto = ranTo(state.auto, id, outcome, now)
  if (outcome !== "failed") return
  const { account_id } = state.account
  const last4 = state.cards.get(payment_method_id ?? "")?.last4 ?? null
  unit.add(insertFailure.row({ account_id, topup_id: id, amount, last4, decline_code, failed_at: now }))
  const failure = { ...noticeContext(state, unit.context.realNow), id, amount }
  unit.add(...topupFailureRows(failure, decline_code ?? "declined", unit.context.mint))
}
