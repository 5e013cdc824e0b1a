import type { BillingNotice } from "@carteiro/schema/billing/NoticesApi.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { declared, type Saying, say } from "../kit/Language.ts"

/** Returns a notice in the reader's language with its amount and its outcome; one of a release before has no values. */
export const noticeText = (notice: BillingNotice): Html => {
  const { amount_brl, kind, outcome, simulated, text } = notice
  const said = amount_brl === null ? undefined : sentenceOf(kind, formatReais(amount_brl), outcome ?? "")
  if (said === undefined) return declared(kind, text)
  return simulated ? html`In a sandbox: ${said}` : said
}

const sentenceOf = (kind: string, amount: string, outcome: string): Html | undefined => {
  switch (kind) {
    case "auto_topup_failed":
      return html`An automatic top-up of ${amount} failed (${reasonOf(outcome)}). Nothing was charged, and automatic top-up is off now.`
    case "topup_paid_late":
      return html`A top-up of ${amount} had ended without a payment, and its provider has taken the payment since. It is credited to your balance.`
    case "invoice_paid_late":
      return outcome === "credited"
        ? html`A payment of ${amount} arrived after the plan or the period that it was for. It is credited to your balance, and your plan is unchanged.`
        : html`A payment of ${amount} arrived after its invoice was given up. It counts: the plan that it was for applies.`
    case "invoice_refunded":
      return html`A payment of ${amount} for your plan was refunded or charged back. ${say(followed[outcome] ?? followed.nothing)}`
    default:
      return undefined
  }
}

const followed: Readonly<Record<string, Saying>> & { readonly nothing: Saying } = {
  plan_ended: "The plan has ended: your numbers are on the free tier. Your balance is unchanged.",
  debited: "It had been credited to your balance, and is deducted again.",
  nothing: "The plan that it was for is over already. Your balance is unchanged."
}

const reasons: Readonly<Record<string, Saying>> = {
  declined: "declined",
  card_declined: "card declined",
  insufficient_funds: "insufficient funds",
  expired_card: "card expired",
  authentication_required: "authentication needed"
}

/** Returns a processor's reason in words where it is a usual one, else as the processor writes it. */
const reasonOf = (code: string): Piece => {
  const words = reasons[code]
  return words === undefined ? html`<code>${code}</code>` : say(words)
}
