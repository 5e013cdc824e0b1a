import type { Row } from "@carteiro/tables/Write.ts"
import { type AccountContext, type AccountState, AccountUnit } from "../account/AccountUnit.ts"
import { unitPrice, whole } from "../prices/Price.ts"
import { PackageQuota } from "../topups/PackageQuota.ts"
import { useQuota } from "../topups/TopupWrites.ts"
import { debit } from "../wallet/Wallet.ts"
import type { UnpostedUsage } from "./UsageRepo.ts"
import { postUsage } from "./UsageWrites.ts"

/**
 * Charges usage at the price of its instant, one debit per record; messages at the price of the oldest package with
 * messages left, when that is lower. gaps-3 D "Usage posting", gaps-3 E "What a package gives"
 */
export const postAll = (
  usage: ReadonlyArray<UnpostedUsage>,
  state: AccountState,
  context: AccountContext
): ReadonlyArray<Row> => {
  const { account_id, organization_id } = state.account
  const unit = new AccountUnit(state, context)
  const quota = new PackageQuota(state.packages)
  for (const used of usage) {
    const price = unitPrice({ ...used, rate: null }, used.multiplier_applies ? used.multiplier : whole) ?? 0
    const movement = debit(state.wallet, {
      usage_id: used.id,
      meter_id: used.meter_id,
      amount: quota.charge(used, price),
      environment_id: used.environment_id,
      trace_id: null
    })
    unit.add(postUsage.row({ organization_id, id: used.id, posted_at: context.now }))
    unit.move(movement, used.project_id)
  }
  for (const [id, used] of quota.taken) unit.add(useQuota.row({ account_id, id, used }))
  state.packages = quota.left
  return unit.end()
}
