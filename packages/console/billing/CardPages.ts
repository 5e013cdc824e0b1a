import type { ListedPaymentMethod } from "@carteiro/schema/billing/PaymentMethod.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { asPayer, asVisitor, type Operations } from "../kit/Operations.ts"
import type { Outcome, Visit } from "../kit/Pages.ts"
import { checkbox, form } from "../kit/Parts.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { billingAddress, cardName, saidRefusal } from "./BillingParts.ts"

export const cardsAddress = `${billingAddress}/cards`
/** Back to the page of cards. */
export const upToCards = [cardsAddress, "Cards and automatic top-up"] as const
/** The parameter in which a page of the processor names itself. */
export const collectedParameter = "collected"

/** What leads to a page of the card processor, and back from it. */
export const cardPages = (
  { ownAccount }: Operations["Service"],
  list: (visit: Visit, error: Html) => Effect.Effect<Outcome, ApiError>
) => {
  /** Shows what came of a call, or the cards with what was said against it. */
  const showing = <A>(
    visit: Visit,
    call: Effect.Effect<A, ApiError>,
    show: (result: A) => Outcome
  ): Effect.Effect<Outcome, ApiError> =>
    Effect.matchEffect(call, {
      onFailure: (error) => (saidRefusal(error) ? list(visit, refusalText(error)) : Effect.fail(error)),
      onSuccess: (result) => Effect.succeed(show(result))
    })

  return {
    /** Begins a page of the processor. */
    collect: (visit: Visit) =>
      showing(
        visit,
        Effect.flatMap(asPayer(visit), (payer) => ownAccount.openCardPage(payer, {})),
        ({ url }) => cardPage(url)
      ),

    /** Shows the card that a page has collected, and asks whether to save it. */
    askSave: (visit: Visit, page_id: string) =>
      showing(visit, ownAccount.collectedCard(asVisitor(visit), { query: { page_id } }), (card) =>
        collectedPage(visit, card)
      )
  }
}

/** Leads to the processor's page by a link: a form may not lead to another host. */
const cardPage = (url: string): Outcome => ({
  changes: false,
  title: "Enter a card",
  section: "billing",
  up: upToCards,
  body: html`<div class="card narrow"><p>The card processor asks for the card on a page of its own; this service never sees its number. You come back here afterwards.</p>
<div class="buttons"><a class="button primary" href="${url}" rel="noreferrer">Go to the card processor</a>
<a class="button" href="${cardsAddress}">Go back</a></div></div>`
})

/** Asks whether a collected card is to be saved: coming back from the processor's page changes nothing by itself. */
const collectedPage = (
  visit: Visit,
  card: Pick<ListedPaymentMethod, "brand" | "last4" | "exp_month" | "exp_year"> & {
    readonly cardproc_payment_method_id: string
  }
): Outcome =>
  confirmationPage({
    title: "Save this card?",
    section: "billing",
    up: upToCards,
    action: cardsAddress,
    csrf: visit.csrf,
    explanation: html`<p>The card processor has collected <strong>${cardName(card)}</strong>.</p>`,
    fields: html`<input type="hidden" name="card" value="${card.cardproc_payment_method_id}">
${checkbox("default", "1", say("Make it the default"), false)}`,
    button: "Save the card",
    dangerous: false
  })

/** Cards are entered at the processor: no script of a vendor runs on these pages. */
export const collectForm = (visit: Visit): Html =>
  html`<section class="card" aria-labelledby="save"><h2 id="save">Save a card</h2>
<p>The card processor asks for the card on a page of its own; this service never sees its number.</p>
${form(`${cardsAddress}/collect`, visit.csrf, html`<div class="buttons"><button class="primary">Enter a card</button></div>`)}</section>`
