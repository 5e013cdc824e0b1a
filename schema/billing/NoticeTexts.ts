import type { Language } from "../conventions/Language.ts"

/**
 * What owners and admins read about money by notices and e-mails, by the kind and the outcome of a notice: its sentence, the
 * subject of its e-mail, and what to do next. `{amount}`, `{reason}`, `{id}` and `{said}` are values, and `{dashboard}` is the
 * address of the console, which is known when the e-mail leaves.
 */
const english = {
  auto_topup_failed:
    "An automatic top-up of {amount} failed ({reason}). Nothing was charged, and automatic top-up is off now.",
  "auto_topup_failed subject": "Automatic top-up failed",
  "auto_topup_failed next": `Save another card, or make one the default, and it turns on again with that card:
{dashboard}/billing/cards

Your balance and how to add credit at once:
{dashboard}/billing

Top-up {id}`,
  topup_paid_late:
    "A top-up of {amount} had ended without a payment, and its provider has taken the payment since. It is credited to your balance.",
  "topup_paid_late subject": "A payment arrived late and was credited",
  "topup_paid_late next": `Your balance:
{dashboard}/billing

Top-up {id}`,
  "invoice_paid_late credited":
    "A payment of {amount} arrived after the plan or the period that it was for. It is credited to your balance, and your plan is unchanged.",
  "invoice_paid_late credited subject": "A payment for your plan was credited",
  "invoice_paid_late applied":
    "A payment of {amount} arrived after its invoice was given up. It counts: the plan that it was for applies.",
  "invoice_paid_late applied subject": "A payment for your plan arrived late",
  "invoice_refunded plan_ended":
    "A payment of {amount} for your plan was refunded or charged back. The plan has ended: your numbers are on the free tier. Your balance is unchanged.",
  "invoice_refunded debited":
    "A payment of {amount} for your plan was refunded or charged back. It had been credited to your balance, and is deducted again.",
  "invoice_refunded nothing":
    "A payment of {amount} for your plan was refunded or charged back. The plan that it was for is over already. Your balance is unchanged.",
  "invoice_refunded subject": "A payment for your plan went back",
  "invoice next": `Your plan:
{dashboard}/billing/plan

Invoice {id}`,
  in_sandbox: "In a sandbox: {said}",
  "topup_failure declined": "declined",
  "topup_failure card_declined": "card declined",
  "topup_failure insufficient_funds": "insufficient funds",
  "topup_failure expired_card": "card expired",
  "topup_failure authentication_required": "authentication needed"
} as const

/** The name of a text of notices. */
export type NoticeTextName = keyof typeof english

const portuguese: Readonly<Record<NoticeTextName, string>> = {
  auto_topup_failed:
    "Uma recarga automática de {amount} falhou ({reason}). Nada foi cobrado, e a recarga automática está desligada agora.",
  "auto_topup_failed subject": "A recarga automática falhou",
  "auto_topup_failed next": `Salve outro cartão, ou defina um como padrão, e ela volta a funcionar com esse cartão:
{dashboard}/billing/cards

Seu saldo, e como adicionar crédito agora:
{dashboard}/billing

Recarga {id}`,
  topup_paid_late:
    "Uma recarga de {amount} tinha terminado sem pagamento, e o provedor recebeu o pagamento depois. O valor está no seu saldo.",
  "topup_paid_late subject": "Um pagamento chegou depois do prazo e está no saldo",
  "topup_paid_late next": `Seu saldo:
{dashboard}/billing

Recarga {id}`,
  "invoice_paid_late credited":
    "Um pagamento de {amount} chegou depois do plano ou do período a que se destinava. O valor está no seu saldo, e o plano não mudou.",
  "invoice_paid_late credited subject": "Um pagamento do seu plano está no saldo",
  "invoice_paid_late applied":
    "Um pagamento de {amount} chegou depois que a fatura foi dada como não paga. Ele vale: o plano a que se destinava está em vigor.",
  "invoice_paid_late applied subject": "Um pagamento do seu plano chegou depois do prazo",
  "invoice_refunded plan_ended":
    "Um pagamento de {amount} do seu plano foi devolvido ou contestado. O plano terminou: seus números estão no nível gratuito. O saldo não mudou.",
  "invoice_refunded debited":
    "Um pagamento de {amount} do seu plano foi devolvido ou contestado. O valor tinha entrado no seu saldo e foi descontado de novo.",
  "invoice_refunded nothing":
    "Um pagamento de {amount} do seu plano foi devolvido ou contestado. O plano a que se destinava já tinha acabado. O saldo não mudou.",
  "invoice_refunded subject": "Um pagamento do seu plano foi devolvido",
  "invoice next": `Seu plano:
{dashboard}/billing/plan

Fatura {id}`,
  in_sandbox: "Em um sandbox: {said}",
  "topup_failure declined": "recusado",
  "topup_failure card_declined": "cartão recusado",
  "topup_failure insufficient_funds": "saldo insuficiente",
  "topup_failure expired_card": "cartão vencido",
  "topup_failure authentication_required": "autenticação necessária"
}

/** The texts of notices by language. gaps-3 E "Failure notification" */
export const noticeTexts: Readonly<Record<Language, Readonly<Record<NoticeTextName, string>>>> = {
  en: english,
  pt: portuguese
}
