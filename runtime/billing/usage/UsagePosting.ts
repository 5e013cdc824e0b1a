import type { Row } from "../../platform/commit/Write.ts"
import { unitPrice, whole } from "../prices/Price.ts"
import { type PostingGround, postingRows } from "../wallet/Postings.ts"
import { apply, debit, type Wallet } from "../wallet/Wallet.ts"
import type { UnpostedUsage } from "./UsageRepo.ts"
import { postUsage } from "./UsageWrites.ts"

/** The rows that charge usage, and the wallet behind them. */
export interface UsagePosting {
  readonly rows: ReadonlyArray<Row>
  readonly wallet: Wallet
}

/** Charges usage at the price of its instant, one debit a record. gaps-3 D "Usage posting" */
export const postAll = (usage: ReadonlyArray<UnpostedUsage>, before: Wallet, ground: PostingGround): UsagePosting => {
  let wallet = before
  const rows: Array<Row> = []
  for (const used of usage) {
    const price = unitPrice({ ...used, rate: null }, used.multiplier_applies ? used.multiplier : whole) ?? 0
    const movement = debit(wallet, {
      usage_id: used.id,
      meter_id: used.meter_id,
      amount: price * used.quantity,
      environment_id: used.environment_id,
      trace_id: null
    })
    wallet = apply(wallet, movement)
    rows.push(
      postUsage.row({ organization_id: ground.account.organization_id, id: used.id, posted_at: ground.now }),
      ...postingRows(movement, used.project_id, ground)
    )
  }
  return { rows, wallet }
}
