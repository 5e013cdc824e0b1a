import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { AccountState, AccountUnit } from "../account/AccountUnit.ts"
import type { Charge, ChargeOutcome } from "../charges/Charge.ts"
import { lateInvoiceRows, noticeContext, refundedInvoiceRows } from "../notices/MoneyNotices.ts"
import { givenBack, paid, unpaid } from "../subscription/Payment.ts"
import type { Invoice, Transition } from "../subscription/Subscription.ts"
import { retryWithCard } from "../subscription/SubscriptionClock.ts"
import { endInvoiceRow, openInvoiceRow, transitionRows } from "../subscription/SubscriptionWrites.ts"
import { credit, refund } from "../wallet/Wallet.ts"

/** How long a card charge may remain without an outcome, in milliseconds. gaps-3 E "Subscribe details" */
const cardMs = dayMs

/** Returns the card to which plans are charged. C-PLAN-14 */
export const defaultCard = ({ cards, customer }: Pick<AccountState, "cards" | "customer">): string | undefined => {
  const card = cards.get(customer?.default_payment_method_id ?? "")
  return card?.status === "active" ? card.id : undefined
}

/** Returns the invoice that is being charged. */
export const openInvoice = ({ invoices }: Pick<AccountState, "invoices">): Invoice | undefined => {
  for (const invoice of invoices.values()) if (invoice.status === "open") return invoice
  return undefined
}

/** An invoice that a request asks for. */
interface AskedInvoice {
  readonly invoice_id: string
  readonly request: { readonly key: string; readonly fingerprint: string } | undefined
}

/** Changes a subscription in memory and adds its rows; the commit includes the next charge. */
export const moveSubscription = (
  transition: Transition,
  unit: AccountUnit,
  state: AccountState,
  requested?: AskedInvoice
): void => {
  const { draft, voids } = transition
  const { now } = unit.context
  const place = { account_id: state.account.account_id, now }
  const open = openInvoice(state)
  if (voids === true && open !== undefined) {
    state.invoices.set(open.id, { ...open, status: "void", ended_at: now })
    unit.add(endInvoiceRow(open.id, "void", place))
  }
  if (draft === undefined) {
    unit.add(...moved(transition, state, now))
    return
  }
  const invoice: Invoice = {
    ...draft,
    id: requested?.invoice_id ?? unit.context.mint("inv", now),
    status: "open",
    created_at: now,
    ended_at: null,
    is_credited: false
  }
  const card = defaultCard(state)
  if (draft.charged_by === "card" && card === undefined) {
    const failed = openInvoiceRow({ ...invoice, status: "failed", ended_at: now }, place)
    unit.add(failed, ...moved(unpaid(transition.subscription, invoice, now), state, now))
    return
  }
  state.invoices.set(invoice.id, invoice)
  unit.add(openInvoiceRow(invoice, place), ...moved(transition, state, now))
  unit.charge({
    id: invoice.id,
    purpose: "invoice",
    rail: draft.charged_by,
    amount: draft.amount,
    off_session: draft.kind === "renewal",
    payment_method_id: draft.charged_by === "card" ? (card ?? null) : null,
    expires_at: draft.expires_at ?? now + cardMs,
    request: requested?.request
  })
}

/** Changes memory and returns the rows of the change. */
const moved = (transition: Transition, state: AccountState, now: number): ReadonlyArray<Row> => {
  if (transition.subscription === state.subscription) return []
  state.subscription = transition.subscription
  return transitionRows(transition, { account_id: state.account.account_id, now })
}

/**
 * Applies the outcome of an invoice's charge, in its commit: a payment counts when the invoice is still owed and is
 * credited otherwise; a refund ends the plan. C-PLAN-19, gaps-3 E "Subscription states", "Change details"
 */
export const followInvoice = (
  charge: Charge,
  outcome: ChargeOutcome,
  unit: AccountUnit,
  state: AccountState,
  was: Charge["state"]
): void => {
  const invoice = state.invoices.get(charge.id)
  if (invoice === undefined) return
  if (outcome === "paid") pay(charge, invoice, unit, state, was)
  else if (outcome === "refunded") giveBack(charge, invoice, unit, state)
  else giveUp(invoice, outcome, unit, state)
}

/** Ends an unpaid invoice. */
const giveUp = (
  invoice: Invoice,
  outcome: Exclude<ChargeOutcome, "paid" | "refunded">,
  unit: AccountUnit,
  state: AccountState
): void => {
  const { now } = unit.context
  unit.add(endInvoiceRow(invoice.id, outcome, { account_id: state.account.account_id, now }))
  if (outcome === "expired") state.invoices.set(invoice.id, { ...invoice, status: "expired", ended_at: now })
  else state.invoices.delete(invoice.id)
  // The subscription no longer waits for a void invoice.
  if (invoice.status === "open") moveSubscription(unpaid(state.subscription, invoice, now), unit, state)
}

/** Ends a paid invoice; adds a notice when the payment was late or went to the wallet. */
const pay = (
  { amount, rail }: Charge,
  invoice: Invoice,
  unit: AccountUnit,
  state: AccountState,
  was: Charge["state"]
): void => {
  const { now } = unit.context
  const transition = paid(state.subscription, invoice, now)
  const credits = transition.credits === true
  unit.add(endInvoiceRow(invoice.id, "paid", { account_id: state.account.account_id, now }, credits))
  state.invoices.delete(invoice.id)
  if (credits) unit.move(credit(invoice.id, amount, `funding:${rail}`), null)
  moveSubscription(transition, unit, state)
  if (!credits && was === "open") return
  unit.add(
    ...lateInvoiceRows(
      { ...noticeContext(state, unit.context.realNow), id: invoice.id, amount },
      credits,
      unit.context.mint
    )
  )
}

const giveBack = ({ amount, rail }: Charge, invoice: Invoice, unit: AccountUnit, state: AccountState): void => {
  const { now } = unit.context
  const { is_credited } = invoice
  unit.add(endInvoiceRow(invoice.id, "refunded", { account_id: state.account.account_id, now }))
  state.invoices.delete(invoice.id)
  if (is_credited) unit.move(refund(state.wallet, invoice.id, amount, `funding:${rail}`), null)
  const transition = is_credited ? { subscription: state.subscription } : givenBack(state.subscription, invoice, now)
  const told = { ...noticeContext(state, unit.context.realNow), id: invoice.id, amount }
  const follows = is_credited ? "debited" : transition.plan === undefined ? "nothing" : "plan_ended"
  moveSubscription(transition, unit, state)
  unit.add(...refundedInvoiceRows(told, follows, unit.context.mint))
}

/** Retries an unpaid renewal at once when a card becomes the default. gaps-3 E "Subscription states" */
export const renewWithCard = (unit: AccountUnit, state: AccountState): void =>
  moveSubscription(
    { subscription: retryWithCard(state.subscription, openInvoice(state), unit.context.now) },
    unit,
    state
  )
