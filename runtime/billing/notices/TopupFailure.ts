import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import type { Row } from "../../platform/commit/Write.ts"
import { insertEmail } from "../../platform/mail/MailWrites.ts"
import { insertNotice } from "./NoticeWrites.ts"

/** An automatic top-up that definitely failed. */
export interface TopupFailure {
  readonly organization_id: string
  readonly topup_id: string
  /** In 1/10,000 BRL. */
  readonly amount: number
  /** Why, as the processor or we call it (`insufficient_funds`, `authentication_required`). */
  readonly reason: string
  /** A simulated one, of a sandbox. */
  readonly isSimulated: boolean
  /** Epoch milliseconds. */
  readonly at: number
}

const kind = "auto_topup_failed"

/**
 * One notice and one e-mail to owners and admins, unique by top-up however often it is told; for the commit that records the
 * failure. gaps-3 E "Failure notification", C-ATOP-08
 */
export const topupFailureRows = (
  failure: TopupFailure,
  mintId: (prefix: Extract<IdPrefix, "eml" | "ntc">, at: number) => string
): ReadonlyArray<Row> => {
  const { amount, at, organization_id, isSimulated, reason, topup_id: subject_id } = failure
  const said = `${isSimulated ? "In a sandbox: an" : "An"} automatic top-up of R$ ${formatBrl(amount).slice(0, -2)} failed (${reason.replaceAll("_", " ")}). Nothing was charged, and automatic top-up is off now.`
  const notice = insertNotice.row({
    organization_id,
    id: mintId("ntc", at),
    kind,
    subject_id,
    text: said,
    created_at: at
  })
  const email = insertEmail.row({
    organization_id,
    id: mintId("eml", at),
    kind,
    subject_id,
    subject: "Automatic top-up failed",
    body: `${said}

Save another card, or make one the default, and it turns on again with that card:
{dashboard}/billing/cards

Your balance and how to add credit at once:
{dashboard}/billing

Top-up ${subject_id}
`,
    due_at: at,
    created_at: at
  })
  return [notice, email]
}
