import type { Row } from "@carteiro/tables/Write.ts"
import type { AccountUnit } from "../account/AccountUnit.ts"
import { type PostingContext, postingRows } from "../wallet/Postings.ts"
import { credit, type Movement, refund, type Wallet } from "../wallet/Wallet.ts"
import type { Correction } from "./CorrectionRepo.ts"
import { insertGivenCredit, postCorrection } from "./CorrectionWrites.ts"

/** Adds a correction to what its account's owner writes. gaps-3 D "production_blocked" */
export const postCorrectionTo = (unit: AccountUnit, correction: Correction, wallet: Wallet): void => {
  const { movement, rows } = readCorrection(correction, wallet, unit.context)
  unit.add(...rows)
  unit.move(movement, null)
}

/** Returns the rows of a correction and its movement, for an account that no owner holds yet. */
export const postingOf = (correction: Correction, wallet: Wallet, context: PostingContext): ReadonlyArray<Row> => {
  const { movement, rows } = readCorrection(correction, wallet, context)
  return [...rows, ...postingRows(movement, null, context)]
}

const readCorrection = (
  { amount, id, source, type }: Correction,
  wallet: Wallet,
  { account: { account_id }, now }: PostingContext
): { readonly rows: ReadonlyArray<Row>; readonly movement: Movement } => {
  const rail = source === "promotion" ? "promotion" : "funding:manual"
  const given =
    type === "credit" ? [insertGivenCredit.row({ account_id, id, amount, payment_method: source, at: now })] : []
  return {
    rows: [postCorrection.row({ account_id, id, posted_at: now }), ...given],
    movement: type === "credit" ? credit(id, amount, rail) : refund(wallet, id, amount, rail)
  }
}
