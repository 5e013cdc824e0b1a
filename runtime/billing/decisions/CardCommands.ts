import { reply } from "@carteiro/http-edge/Reply.ts"
import { commitThen, type Decision, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import {
  PaymentMethodLimitReached,
  PaymentMethodNotActive,
  PaymentMethodNotFound
} from "@carteiro/schema/billing/BillingErrors.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { StoredReply } from "../account/AccountAct.ts"
import type { CardCommand, Save } from "../account/AccountItems.ts"
import { type AccountContext, type AccountState, AccountUnit } from "../account/AccountUnit.ts"
import { saveCard, saveCustomer } from "../cards/CardWrites.ts"
import { mostActiveCards, readCard, type SavedCard } from "../cards/SavedCard.ts"
import { turnedOnBy, withoutCard } from "../topups/AutoTopup.ts"
import { renewWithCard } from "./SubscriptionMoves.ts"

/**
 * Decides commands about saved cards, and their effect on automatic top-up, in one commit. gaps-3 E "Saved cards",
 * "Turned back on"
 */
export const commandCards = (
  commands: ReadonlyArray<CardCommand>,
  state: AccountState,
  owner: OwnerHandle,
  context: AccountContext
): ReadonlyArray<Decision<StoredReply>> =>
  commands.map((command) => {
    const unit = new AccountUnit(state, context)
    const card = decide(command, state, unit)
    if ("status" in card && "_tag" in card) return refuse(card)
    const shown = readCard(card, state.customer?.default_payment_method_id ?? null)
    const { body, status } = reply(command, command._tag === "Save" ? 201 : 200, shown)
    return commitThen({
      rows: unit.end(),
      claim: command.claim,
      response: { status, body },
      settle: (_keys, passed) => {
        if (!passed) return { retry: "changed" }
        owner.dueAt(context.now)
        return { ok: { status, body } }
      }
    })
  })

const decide = (command: CardCommand, state: AccountState, unit: AccountUnit): SavedCard | ApiError => {
  if (command._tag === "Save") return save(command, state, unit)
  const card = state.cards.get(command.id)
  if (card === undefined) return new PaymentMethodNotFound()
  if (command._tag === "SetDefault") {
    if (card.status === "deleted") return new PaymentMethodNotActive()
    makeDefault(card.id, state, unit)
    turnOn(card.id, state, unit)
    return card
  }
  return card.status === "deleted" ? card : remove(card, state, unit)
}

const save = (
  { _tag, claim: _claim, customer, id, set_default, traceId: _traceId, ...look }: typeof Save.Type,
  state: AccountState,
  unit: AccountUnit
): SavedCard | ApiError => {
  const { now } = unit.context
  const all = [...state.cards.values()]
  const active = all.filter(({ status }) => status === "active")
  const before = all.find(({ card }) => card === look.card)
  if (before?.status !== "active" && active.length >= mostActiveCards) return new PaymentMethodLimitReached()
  const saved: SavedCard = {
    ...look,
    id: before?.id ?? id,
    status: "active",
    created_at: before?.created_at ?? now,
    updated_at: now
  }
  state.customer ??= { id: customer, default_payment_method_id: null, created_at: now }
  keep(saved, state, unit)
  if (set_default || active.length === 0) makeDefault(saved.id, state, unit)
  else unit.add(customerRow(state, state.customer))
  turnOn(saved.id, state, unit)
  return saved
}

const remove = (card: SavedCard, state: AccountState, unit: AccountUnit): SavedCard => {
  const { now } = unit.context
  const deleted: SavedCard = { ...card, status: "deleted", updated_at: now }
  keep(deleted, state, unit)
  if (state.customer?.default_payment_method_id === card.id) makeDefault(null, state, unit)
  if (state.auto !== undefined) state.auto = withoutCard(state.auto, card.id, now)
  return deleted
}

const keep = (card: SavedCard, state: AccountState, unit: AccountUnit): void => {
  state.cards.set(card.id, card)
  unit.add(saveCard.row({ ...card, account_id: state.account.account_id }))
}

const makeDefault = (default_payment_method_id: string | null, state: AccountState, unit: AccountUnit): void => {
  if (state.customer === undefined) return
  state.customer = { ...state.customer, default_payment_method_id }
  unit.add(customerRow(state, state.customer))
  if (default_payment_method_id !== null) renewWithCard(unit, state)
}

const turnOn = (cardId: string, state: AccountState, unit: AccountUnit): void => {
  if (state.auto !== undefined) state.auto = turnedOnBy(state.auto, cardId, unit.context.now)
}

const customerRow = (
  { account: { account_id } }: AccountState,
  { created_at, default_payment_method_id, id }: NonNullable<AccountState["customer"]>
) => saveCustomer.row({ account_id, customer: id, default_payment_method_id, created_at })
