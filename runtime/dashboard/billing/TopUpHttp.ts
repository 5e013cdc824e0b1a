import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import {
  AccountDirectory,
  BillingActions,
  CardAuthentication,
  inListOrder,
  type OfferedPackage,
  PixTopups,
  type SavedCard,
  type TopupView,
  topupBounds
} from "../../billing/Billing.ts"
import { formatCount, formatReais } from "../../locale/Reais.ts"
import { amountField, readAmount } from "../kit/AmountField.ts"
import { idOf } from "../kit/Environments.ts"
import { field } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { live, moving } from "../kit/LiveScript.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, form, instant, notice, select } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { billingAddress, cardName, topupBadge, upToBilling } from "./BillingParts.ts"

const address = `${billingAddress}/top-up`
/** Seconds between two looks at a top-up that is not paid yet. */
const again = 3

/** Adds credit by a package and a saved card, whose bank may ask for authentication, or by Pix. C-PKG-11..13 */
export const TopUpHttp = Layer.unwrap(
  Effect.gen(function* () {
    const accounts = yield* AccountDirectory
    const actions = yield* BillingActions
    const pix = yield* PixTopups
    const authentication = yield* CardAuthentication

    const choose = Effect.fnUntraced(function* (
      visit: Visit,
      error?: string | Html,
      amount?: RefusedAmount
    ): Effect.fn.Return<Outcome, ApiError> {
      const { cards: all, customer } = yield* accounts.cards(visit.organizationId)
      const usable = inListOrder(all, customer?.default_payment_method_id ?? null)
      return choosePage(visit, yield* accounts.packages, usable, error, amount)
    })

    const payByPix = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const typed = field(sent, "amount")
      const amount = readAmount(typed, topupBounds)
      if (typeof amount !== "number") return yield* choose(visit, undefined, { typed, error: amount })
      const begun = yield* pix
        .begin(visit.organizationId, amount, visit.now)
        .pipe(Effect.catch((error) => (error.status < 500 ? Effect.succeed(error.message) : Effect.fail(error))))
      return typeof begun === "string" ? yield* choose(visit, begun) : { to: `${address}/${begun.id}` }
    })

    const buy = Effect.fnUntraced(function* (visit: Visit, sent: URLSearchParams): Effect.fn.Return<Outcome, ApiError> {
      const bought = yield* actions
        .buy(visit.organizationId, field(sent, "package"), field(sent, "card") || null, visit.now)
        .pipe(Effect.catch((error) => (error.status < 500 ? Effect.succeed(error.message) : Effect.fail(error))))
      return typeof bought === "string" ? yield* choose(visit, bought) : { to: `${address}/${bought.id}` }
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const id = yield* idOf(visit, "ctu")
      const topup = (yield* accounts.topup(visit.organizationId, id)) ?? (yield* new NotHere())
      return topupPage(topup, visit.mayChange, authentication)
    })

    return Layer.mergeAll(
      page({ operation: "topUp", path: address, handler: (visit) => choose(visit) }),
      action({
        operation: "buyPackage",
        audit: "billing.package_bought",
        keeps: ["package"],
        path: address,
        handler: buy
      }),
      action({
        operation: "topUpByPix",
        audit: "billing.pix_topup_begun",
        keeps: ["amount"],
        path: `${address}/pix`,
        handler: payByPix
      }),
      page({ operation: "topUpStatus", path: `${address}/:id`, handler: show })
    )
  })
)

interface RefusedAmount {
  readonly typed: string
  readonly error: string | Html
}

const choosePage = (
  visit: Visit,
  offerings: ReadonlyArray<OfferedPackage>,
  cards: ReadonlyArray<SavedCard>,
  error: string | Html | undefined,
  amount: RefusedAmount | undefined
): Page => ({
  title: "Add credit",
  section: "billing",
  up: upToBilling,
  status: error === undefined && amount === undefined ? 200 : 400,
  body: html`${error && notice("bad", error)}
${
  cards.length === 0
    ? html`<p>There is no saved card yet. <a href="${billingAddress}/cards">Save one first.</a></p>`
    : visit.mayChange && cardForm(visit.csrf, offerings, cards)
}
${visit.mayChange && pixForm(visit.csrf, amount)}`
})

const cardForm = (csrf: string, offerings: ReadonlyArray<OfferedPackage>, cards: ReadonlyArray<SavedCard>): Html =>
  html`<section class="card" aria-labelledby="by-card"><h2 id="by-card">By card</h2>${form(
    address,
    csrf,
    html`${select({
      name: "package",
      label: "Package",
      choices: offerings.map(({ code, price, quota_messages, unit_price }) => [
        code,
        html`${formatCount(quota_messages)} messages for ${formatReais(price)}, ${formatReais(unit_price)} each`
      ]),
      chosen: undefined
    })}
${select({ name: "card", label: "Card", choices: cards.map((card) => [card.id, cardName(card)]), chosen: undefined })}
<p class="hint">The price is added to the balance. Each message takes one of the package's units while that is cheaper than your plan.</p>
<div class="buttons"><button class="primary">Pay by card</button></div>`
  )}</section>`

const pixForm = (csrf: string, amount: RefusedAmount | undefined): Html =>
  html`<section class="card" aria-labelledby="by-pix"><h2 id="by-pix">By Pix</h2>${form(
    `${address}/pix`,
    csrf,
    html`${amountField({ name: "amount", label: "Amount in BRL", hint: pixHint, required: true, value: amount?.typed ?? null, error: amount?.error })}
<div class="buttons"><button class="primary">Show the Pix code</button></div>`
  )}</section>`

const pixHint = `From ${formatReais(topupBounds.least)} to ${formatReais(topupBounds.most)}.`

/**
 * Returns the page of a top-up, which moves by itself until it ends; the bank's authentication is offered to members who
 * may change something.
 */
export const topupPage = (
  topup: TopupView,
  mayChange: boolean,
  authentication: (clientSecret: string) => string | undefined
): Page => {
  const isOpen = topup.status === "pending"
  const proof = mayChange && isOpen && topup.client_secret !== null ? authentication(topup.client_secret) : undefined
  return {
    title: "Top-up",
    section: "billing",
    up: upToBilling,
    again: isOpen ? again : undefined,
    body: html`<div id="top-up"${live}>${isOpen && html`<p class="muted" role="status"${moving(again)}>This page moves by itself.</p>`}
${topup.status === "succeeded" && notice("good", say("Paid. The balance has it."))}
${topup.status === "failed" && notice("bad", say("The card was declined. Nothing was charged."))}
${proof && html`<div class="card"><p>The bank asks the cardholder to prove who they are.</p><p><a class="button primary" href="${proof}" rel="noreferrer" target="_blank">Authenticate at the bank</a></p></div>`}
${isOpen && topup.pix_copy_paste !== null && pixCode(topup.pix_copy_paste, topup.pix_qr_code_base64)}
<div class="card">${topupFacts(topup)}</div></div>`
  }
}

const topupFacts = (topup: TopupView): Html =>
  facts([
    ["Status", topupBadge(topup.status)],
    ["Amount", formatReais(topup.amount)],
    ["Package", topup.package_code ?? say("none")],
    ["Paid by", contractWord(topup.payment_method)],
    topup.decline_code === null ? undefined : ["Declined", html`<code>${topup.decline_code}</code>`],
    topup.pix_expires_at === null ? undefined : ["Pay until", instant(topup.pix_expires_at)],
    ["Begun", instant(topup.created_at)],
    ["Completed", instant(topup.completed_at, "not yet")],
    ["Id", html`<code>${topup.id}</code>`]
  ])

/** The QR code for a banking app, and the code to paste into it. */
const pixCode = (code: string, qrBase64: string | null): Html =>
  html`<div class="card">${qrBase64 && html`<p><img class="qr" alt="QR code of the Pix charge" src="data:image/png;base64,${qrBase64}"></p>`}
<div class="field"><label for="pix">Pix code to copy</label><textarea id="pix" rows="4" readonly spellcheck="false">${code}</textarea></div></div>`
