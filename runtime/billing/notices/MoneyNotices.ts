import { filled } from "@carteiro/html/Catalog.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import { type NoticeTextName, noticeTexts } from "@carteiro/schema/billing/NoticeTexts.ts"
import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import type { Language } from "@carteiro/schema/conventions/Language.ts"
import { plainReais } from "@carteiro/spellings/Reais.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { insertEmail } from "../../mail/MailWrites.ts"
import type { WalletRow } from "../wallet/WalletRepo.ts"
import { insertNotice } from "./NoticeWrites.ts"

/** A payment about which owners and admins receive a notice. */
export interface ToldPayment {
  readonly organization_id: string
  /** The id of the top-up or the invoice. */
  readonly id: string
  /** The amount in 1/10,000 BRL. */
  readonly amount: number
  /** True for a simulated payment of a sandbox. */
  readonly isSimulated: boolean
  /** Real time, also for a payment of a sandbox whose clock was turned: notices and e-mails are the organization's. */
  readonly at: RealInstant
}

type MintId = (prefix: Extract<IdPrefix, "eml" | "ntc">, at: number) => string

/** Returns the organization that receives an account's notices, and whether they are simulated. */
export const noticeContext = (
  { account: { environment, organization_id } }: { readonly account: WalletRow },
  at: RealInstant
): Omit<ToldPayment, "id" | "amount"> => ({ organization_id, isSimulated: environment === "sandbox", at })

/** Returns the notice that an automatic top-up finally failed. gaps-3 E "Failure notification", C-ATOP-08 */
export const topupFailureRows = (topup: ToldPayment, reason: string, mintId: MintId): ReadonlyArray<Row> => {
  const text = "auto_topup_failed"
  return noticeRows(
    topup,
    { kind: text, outcome: reason, text, subject: `${text} subject`, next: `${text} next` },
    mintId
  )
}

/** Returns the notice that a top-up was paid after it had failed or expired. gaps-3 E "Purchase outcomes" */
export const lateTopupRows = (topup: ToldPayment, mintId: MintId): ReadonlyArray<Row> => {
  const text = "topup_paid_late"
  const outcome = "credited"
  return noticeRows(topup, { kind: text, outcome, text, subject: `${text} subject`, next: `${text} next` }, mintId)
}

/**
 * Returns the notice that an invoice was paid after it was given up, or that its payment was credited. gaps-3 E "Change
 * details", "Purchase outcomes"
 */
export const lateInvoiceRows = (invoice: ToldPayment, isCredited: boolean, mintId: MintId): ReadonlyArray<Row> => {
  const kind = "invoice_paid_late"
  const outcome = isCredited ? "credited" : "applied"
  const text = `${kind} ${outcome}` as const
  return noticeRows(invoice, { kind, outcome, text, subject: `${text} subject`, next: "invoice next" }, mintId)
}

/** The consequence of a refunded payment for a plan. */
export type RefundFollows = "plan_ended" | "debited" | "nothing"

/** Returns the notice that a payment for a plan was refunded or charged back. gaps-3 E "Subscription states" */
export const refundedInvoiceRows = (
  invoice: ToldPayment,
  outcome: RefundFollows,
  mintId: MintId
): ReadonlyArray<Row> => {
  const kind = "invoice_refunded"
  const text = `${kind} ${outcome}` as const
  return noticeRows(invoice, { kind, outcome, text, subject: `${kind} subject`, next: "invoice next" }, mintId)
}

/** What a notice says: its values, and the names of its texts. */
interface Said {
  readonly kind: string
  readonly outcome: string
  readonly text: NoticeTextName
  readonly subject: NoticeTextName
  readonly next: NoticeTextName
}

/**
 * Returns one notice and one e-mail to owners and admins, unique by subject, for the commit that they report. The e-mail is
 * written in each language, since it is known only when it leaves who reads it.
 */
const noticeRows = (payment: ToldPayment, said: Said, mintId: MintId): ReadonlyArray<Row> => {
  const { amount, at, id: subject_id, isSimulated: simulated, organization_id } = payment
  const { kind, outcome } = said
  const about = { organization_id, kind, subject_id, created_at: at }
  const { text, ...email } = textsIn("en", payment, said)
  const { body, subject } = textsIn("pt", payment, said)
  return [
    insertNotice.row({ ...about, id: mintId("ntc", at), text, amount, outcome, simulated }),
    insertEmail.row({ ...about, id: mintId("eml", at), ...email, translations: jsonText({ pt: { subject, body } }) })
  ]
}

/** Returns a notice in a language, and the subject and the body of its e-mail. */
const textsIn = (language: Language, { amount, id, isSimulated }: ToldPayment, said: Said) => {
  const texts: Readonly<Record<string, string>> = noticeTexts[language]
  const { outcome } = said
  const reason = texts[`topup_failure ${outcome}`] ?? outcome.replaceAll("_", " ")
  const textOf = (name: NoticeTextName, values: Readonly<Record<string, string>> = {}) =>
    filled(noticeTexts[language][name], { amount: plainReais(amount), reason, id, ...values })
  const sentence = textOf(said.text)
  const text = isSimulated ? textOf("in_sandbox", { said: sentence }) : sentence
  return { text, subject: textOf(said.subject), body: `${text}\n\n${textOf(said.next)}\n` }
}
