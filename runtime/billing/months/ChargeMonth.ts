import type { Row } from "@carteiro/tables/Write.ts"
import type { AccountState, AccountUnit } from "../account/AccountUnit.ts"
import { openUnpaidMonth, type UnpaidSubject } from "../account/UnpaidMonths.ts"
import { insertPostedUsage } from "../usage/UsageWrites.ts"
import { debit } from "../wallet/Wallet.ts"

/** One number's month that is charged now; the amount in 1/10,000 BRL. */
export interface MonthCharge {
  readonly phone_number_id: string
  readonly project_id: string
  readonly environment_id: string
  readonly month: string
  readonly meter_id: "phone.rental.month" | "phone.management.month"
  readonly amount: number
  readonly subject: UnpaidSubject
}

/**
 * Charges a month, below zero too; when the balance is then below zero, the month is unpaid. A free month moves
 * nothing. gaps-3 D "What may go negative", gaps-3 F "Unpaid-month evidence"
 */
export const chargeMonth = (unit: AccountUnit, state: AccountState, charge: MonthCharge): void => {
  if (charge.amount === 0) return
  const { amount, environment_id, meter_id, month, phone_number_id, project_id, subject } = charge
  const { account_id, organization_id } = state.account
  const { now } = unit.context
  const usage_id = unit.context.mint("usg", now)
  const used: Row = insertPostedUsage.row({
    organization_id,
    id: usage_id,
    project_id,
    environment_id,
    meter_id,
    source_type: "phone_month",
    source_id: `${phone_number_id}/${month}`,
    occurred_at: now,
    posted_at: now
  })
  unit.add(used)
  unit.move(debit(state.wallet, { usage_id, meter_id, amount, environment_id, trace_id: null }), project_id)
  if (state.wallet.balance >= 0) return
  unit.add(openUnpaidMonth.row({ account_id, month, subject, opened_at: now }))
  state.hasUnpaidMonths = true
}
