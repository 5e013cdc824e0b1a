import { monthOf } from "@carteiro/spellings/Months.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { deltas, type Movement } from "./Wallet.ts"
import type { WalletRow } from "./WalletRepo.ts"
import { addSpending, move } from "./WalletWrites.ts"

/** The account whose wallet moves, the time, and the source of ids. */
export interface PostingContext {
  readonly account: Pick<WalletRow, "account_id" | "organization_id" | "environment">
  readonly now: number
  readonly mintId: (now: number) => string
}

/**
 * Returns the rows of a movement: its entry with the change of the wallet, and its project's spending. A movement of
 * zero writes no row. gaps-3 D "Zero fees", C-LED-08
 */
export const postingRows = (
  movement: Movement,
  projectId: string | null,
  { account, mintId, now }: PostingContext
): ReadonlyArray<Row> => {
  if (movement.amount === 0) return []
  const { account_id, environment, organization_id } = account
  const production = environment === "production"
  const { balance, held } = deltas(movement)
  const { from, payment, to, uncollected, ...rest } = movement
  const moved = move.row({
    ...rest,
    organization_id,
    account_id,
    id: mintId(now),
    // A top-up of the organization belongs to neither environment.
    environment: production && movement.source_type === "credit_topup" ? null : environment,
    from_account: from,
    to_account: to,
    uncollected: production ? uncollected : null,
    payment_object: payment?.object ?? null,
    payment_id: payment?.id ?? null,
    recorded_at: now,
    balance_delta: balance,
    held_delta: held
  })
  return countsAsSpending(movement, environment, projectId)
    ? [moved, addSpending.row({ organization_id, project_id: projectId, month: monthOf(now), amount: movement.amount })]
    : [moved]
}

/**
 * True when a movement counts towards the cap of its project, as production usage does. gaps-3 D "Spend cap and fees"
 */
export const countsAsSpending = (
  movement: Movement,
  environment: WalletRow["environment"],
  projectId: string | null
): projectId is string =>
  environment === "production" && movement.type === "debit" && movement.source_type === "usage" && projectId !== null
