import type { Row } from "../../platform/commit/Write.ts"
import { type PostingGround, postingRows } from "../wallet/Postings.ts"
import { credit, refund, type Wallet } from "../wallet/Wallet.ts"
import type { Correction } from "./CorrectionRepo.ts"
import { insertGivenCredit, postCorrection } from "./CorrectionWrites.ts"

/** The rows of a correction and its movement. gaps-3 D "production_blocked" */
export const postingOf = (correction: Correction, wallet: Wallet, ground: PostingGround) => {
  const { amount, id, source, type } = correction
  const { account, now } = ground
  const rail = source === "promotion" ? "promotion" : "funding:manual"
  const movement = type === "credit" ? credit(id, amount, rail) : refund(wallet, id, amount, rail)
  const { account_id } = account
  const given =
    type === "credit" ? [insertGivenCredit.row({ account_id, id, amount, payment_method: source, at: now })] : []
  const rows: ReadonlyArray<Row> = [
    postCorrection.row({ account_id, id, posted_at: now }),
    ...given,
    ...postingRows(movement, null, ground)
  ]
  return { rows, movement }
}
