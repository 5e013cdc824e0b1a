import type { CallerWithin } from "@carteiro/http-edge/TypedCalls.ts"
import { thresholdBounds, topupBounds } from "@carteiro/schema/billing/AutoTopup.ts"
import type { PaymentSettings } from "@carteiro/schema/billing/OwnAccountApi.ts"
import type { ListedPaymentMethod } from "@carteiro/schema/billing/PaymentMethod.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { parseBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { amountField, centavosOf, readAmount } from "../kit/AmountField.ts"
import { confirmationPage } from "../kit/Confirmation.ts"
import { idOf } from "../kit/Environments.ts"
import { errorAt, field, type Refused } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { say, statusWord } from "../kit/Language.ts"
import { asPayer, asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, checkbox, form, input, instant, none, notice, select, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { cardName, saidRefusal, upToBilling } from "./BillingParts.ts"
import { cardPages, cardsAddress, collectedParameter, collectForm, upToCards } from "./CardPages.ts"

const address = cardsAddress
const amountHint = html`From ${formatReais(topupBounds.least)} to ${formatReais(topupBounds.most)}.`

/** Saved cards, and how the account tops itself up. */
export const CardsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const methods = operations["billing-payment-methods"]

    const list = Effect.fnUntraced(function* (
      visit: Visit,
      error?: Html,
      typed?: TypedAuto
    ): Effect.fn.Return<Outcome, ApiError> {
      const settings = yield* operations.ownAccount.paymentSettings(asVisitor(visit))
      return {
        title: "Cards and automatic top-up",
        section: "billing",
        up: upToBilling,
        status: error === undefined && typed === undefined ? 200 : 400,
        body: html`${error && notice("bad", error)}
<section aria-labelledby="cards"><h2 id="cards">Saved cards</h2>
${cardTable(visit, settings.cards)}</section>
${visit.mayChange && (settings.has_card_pages ? collectForm(visit) : saveForm(visit))}
${autoTopupSection(visit, settings, typed)}`
      }
    })

    /** Does something, and shows the cards with what was said against it. */
    const trying = (
      visit: Visit,
      work: (payer: CallerWithin) => Effect.Effect<unknown, ApiError>
    ): Effect.Effect<Outcome, ApiError> =>
      Effect.matchEffect(Effect.flatMap(asPayer(visit), work), {
        onFailure: (error) => (saidRefusal(error) ? list(visit, refusalText(error)) : Effect.fail(error)),
        onSuccess: () => Effect.succeed({ to: `${address}?done=saved` })
      })

    const cardOf = ({ request }: Visit) => ({ params: { payment_method_id: request.params.id ?? "" } })

    const automatic = (visit: Visit, sent: URLSearchParams): Effect.Effect<Outcome, ApiError> => {
      const typed = { threshold: field(sent, "threshold"), amount: field(sent, "amount") }
      const threshold = readAmount(typed.threshold, thresholdBounds)
      const amount = readAmount(typed.amount, topupBounds)
      if (typeof threshold !== "number")
        return list(visit, undefined, { ...typed, field: "threshold", error: threshold })
      if (typeof amount !== "number") return list(visit, undefined, { ...typed, field: "amount", error: amount })
      const enabled = field(sent, "enabled") === "1"
      const payload = {
        enabled,
        threshold_brl: centavosOf(threshold),
        amount_brl: centavosOf(amount),
        payment_method_id: field(sent, "card") || null
      }
      return trying(visit, (payer) => operations["billing-auto-topup"].set(payer, { payload }))
    }

    const { askSave, collect } = cardPages(operations, list)

    const askRemove = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const id = yield* idOf(visit, "bpm")
      const { data: cards } = yield* methods.list(asVisitor(visit))
      const card = cards.find((one) => one.id === id) ?? (yield* new NotHere())
      return confirmationPage({
        title: "Delete this card?",
        section: "billing",
        up: upToCards,
        action: `${address}/${id}/delete`,
        csrf: visit.csrf,
        explanation: html`<p><strong>${cardName(card)}</strong> pays nothing any more: no top-up, plan or month.</p>`,
        button: "Delete the card",
        dangerous: true
      })
    })

    return Layer.mergeAll(
      page({
        operation: "cards",
        path: address,
        handler: (visit) => {
          const collected = new URLSearchParams(visit.request.search).get(collectedParameter)
          return collected === null || !visit.mayChange ? list(visit) : askSave(visit, collected)
        }
      }),
      action({ operation: "collectCard", audit: "billing.card_saved", path: `${address}/collect`, handler: collect }),
      action({
        operation: "saveCard",
        audit: "billing.card_saved",
        path: address,
        handler: (visit, sent) => {
          const payload = {
            cardproc_payment_method_id: field(sent, "card").trim(),
            set_default: field(sent, "default") === "1"
          }
          return trying(visit, (payer) => methods.save(payer, { payload }))
        }
      }),
      action({
        operation: "chooseCard",
        audit: "billing.card_chosen",
        path: `${address}/:id/default`,
        handler: (visit) => trying(visit, (payer) => methods.setDefault(payer, cardOf(visit)))
      }),
      page({ operation: "askRemoveCard", path: `${address}/:id/delete`, handler: askRemove }),
      action({
        operation: "removeCard",
        audit: "billing.card_removed",
        path: `${address}/:id/delete`,
        handler: (visit) => trying(visit, (payer) => methods.remove(payer, cardOf(visit)))
      }),
      action({
        operation: "setAutoTopup",
        audit: "billing.auto_topup_set",
        keeps: ["enabled", "threshold", "amount"],
        path: `${address}/automatic`,
        handler: automatic
      })
    )
  })
)

/** The typed values of the form of the automatic top-up, and the errors of its fields. */
interface TypedAuto extends Refused<"threshold" | "amount"> {
  readonly threshold: string
  readonly amount: string
}

const cardTable = (visit: Visit, cards: ReadonlyArray<ListedPaymentMethod>): Html =>
  table(
    "Saved cards, the default first",
    ["Card", "Default", "Saved", "Change"],
    cards.map((card) => [
      cardName(card),
      card.is_default ? badge("default", "info") : none("no"),
      instant(card.created_at),
      visit.mayChange
        ? html`<span class="row">${!card.is_default && form(`${address}/${card.id}/default`, visit.csrf, html`<button>Make default</button>`)}
<a class="button danger" href="${address}/${card.id}/delete">Delete…</a></span>`
        : none("owners and admins")
    ]),
    say("No card is saved.")
  )

const autoTopupSection = (
  visit: Visit,
  { auto_topup: auto, cards }: typeof PaymentSettings.Type,
  typed: TypedAuto | undefined
): Html =>
  html`<section class="card" aria-labelledby="auto"><h2 id="auto">Automatic top-up</h2>
<p>${auto.enabled ? badge(statusWord("topup", "on"), "good") : badge(statusWord("topup", "off"), auto.has_failed ? "bad" : "plain")} ${auto.has_failed && say("It failed and is off until a card is saved or made the default.")}
${auto.last_triggered_at && html`Last begun ${instant(auto.last_triggered_at)}.`}</p>
${
  visit.mayChange &&
  form(
    `${address}/automatic`,
    visit.csrf,
    html`${checkbox("enabled", "1", say("Top up by itself"), auto.enabled)}
<div class="pair">${amountField({ name: "threshold", label: "When the balance falls to, in BRL", value: typed?.threshold ?? parseBrl(auto.threshold_brl) ?? 0, error: errorAt(typed, "threshold"), required: true })}
${amountField({ name: "amount", label: "Add, in BRL", value: typed?.amount ?? parseBrl(auto.amount_brl) ?? 0, hint: amountHint, error: errorAt(typed, "amount"), required: true })}
${select({ name: "card", id: "auto-card", label: "Card", choices: [["", "The default card"], ...cards.map((card) => [card.id, cardName(card)] as const)], chosen: auto.payment_method_id ?? "" })}</div>
<div class="buttons"><button class="primary">Save</button></div>`
  )
}</section>`

const saveForm = (visit: Visit): Html =>
  html`<section class="card" aria-labelledby="save"><h2 id="save">Save a card</h2>
${form(
  address,
  visit.csrf,
  html`${input({
    name: "card",
    label: "Card at the processor",
    hint: html`The id under which the card processor has collected it; card numbers never pass here. The simulator knows <code>pm_card_ok</code>, <code>pm_card_declined</code> and <code>pm_card_authentication</code>.`,
    required: true,
    maxLength: 255,
    plain: true
  })}
${checkbox("default", "1", say("Make it the default"), false)}
<div class="buttons"><button class="primary">Save the card</button></div>`
)}</section>`
