import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
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
export const topupFailureRows = (topup: ToldPayment, reason: string, mintId: MintId): ReadonlyArray<Row> =>
  noticeRows(
    topup,
    {
      kind: "auto_topup_failed",
      outcome: reason,
      subject: "Automatic top-up failed",
      said: `An automatic top-up of ${formatReais(topup.amount)} failed (${reason.replaceAll("_", " ")}). Nothing was charged, and automatic top-up is off now.`,
      next: `Save another card, or make one the default, and it turns on again with that card:
{dashboard}/billing/cards

Your balance and how to add credit at once:
{dashboard}/billing

Top-up ${topup.id}`
    },
    mintId
  )

/** Returns the notice that a top-up was paid after it had failed or expired. gaps-3 E "Purchase outcomes" */
export const lateTopupRows = (topup: ToldPayment, mintId: MintId): ReadonlyArray<Row> =>
  noticeRows(
    topup,
    {
      kind: "topup_paid_late",
      outcome: "credited",
      subject: "A payment arrived late and was credited",
      said: `A top-up of ${formatReais(topup.amount)} had ended without a payment, and its provider has taken the payment since. It is credited to your balance.`,
      next: `Your balance:
{dashboard}/billing

Top-up ${topup.id}`
    },
    mintId
  )

/**
 * Returns the notice that an invoice was paid after it was given up, or that its payment was credited. gaps-3 E "Change
 * details", "Purchase outcomes"
 */
export const lateInvoiceRows = (invoice: ToldPayment, isCredited: boolean, mintId: MintId): ReadonlyArray<Row> =>
  noticeRows(
    invoice,
    {
      kind: "invoice_paid_late",
      outcome: isCredited ? "credited" : "applied",
      subject: isCredited ? "A payment for your plan was credited" : "A payment for your plan arrived late",
      said: isCredited
        ? `A payment of ${formatReais(invoice.amount)} arrived after the plan or the period that it was for. It is credited to your balance, and your plan is unchanged.`
        : `A payment of ${formatReais(invoice.amount)} arrived after its invoice was given up. It counts: the plan that it was for applies.`,
      next: `Your plan:
{dashboard}/billing/plan

Invoice ${invoice.id}`
    },
    mintId
  )

/** The consequence of a refunded payment for a plan. */
export type RefundFollows = "plan_ended" | "debited" | "nothing"

const followed: { readonly [F in RefundFollows]: string } = {
  plan_ended: "The plan has ended: your numbers are on the free tier. Your balance is unchanged.",
  debited: "It had been credited to your balance, and is deducted again.",
  nothing: "The plan that it was for is over already. Your balance is unchanged."
}

/** Returns the notice that a payment for a plan was refunded or charged back. gaps-3 E "Subscription states" */
export const refundedInvoiceRows = (invoice: ToldPayment, follows: RefundFollows, mintId: MintId): ReadonlyArray<Row> =>
  noticeRows(
    invoice,
    {
      kind: "invoice_refunded",
      outcome: follows,
      subject: "A payment for your plan went back",
      said: `A payment of ${formatReais(invoice.amount)} for your plan was refunded or charged back. ${followed[follows]}`,
      next: `Your plan:
{dashboard}/billing/plan

Invoice ${invoice.id}`
    },
    mintId
  )

/** Returns one notice and one e-mail to owners and admins, unique by subject, for the commit that they report. */
const noticeRows = (
  { amount, at, id: subject_id, isSimulated, organization_id }: ToldPayment,
  told: {
    readonly kind: string
    readonly outcome: string
    readonly subject: string
    readonly said: string
    readonly next: string
  },
  mintId: MintId
): ReadonlyArray<Row> => {
  const { kind, next, outcome, subject } = told
  const said = isSimulated ? `In a sandbox: ${told.said}` : told.said
  const about = { organization_id, kind, subject_id, created_at: at }
  return [
    insertNotice.row({ ...about, id: mintId("ntc", at), text: said, amount, outcome, simulated: isSimulated }),
    insertEmail.row({ ...about, id: mintId("eml", at), subject, body: `${said}\n\n${next}\n` })
  ]
}
