import { topupBounds } from "@carteiro/schema/billing/AutoTopup.ts"
import type { PackageOffering } from "@carteiro/schema/billing/CreditTopup.ts"
import type { Topup } from "@carteiro/schema/billing/OwnAccountApi.ts"
import type { ListedPaymentMethod } from "@carteiro/schema/billing/PaymentMethod.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer, Result } from "effect"
import { amountField, centavosOf, readAmount } from "../kit/AmountField.ts"
import { confirmationPage } from "../kit/Confirmation.ts"
import { field, isConfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { live, moving } from "../kit/LiveScript.ts"
import { countOf } from "../kit/Numbers.ts"
import { asPayer, asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, form, instant, notice, select } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { billingAddress, cardName, saidRefusal, topupBadge, upToBilling } from "./BillingParts.ts"

const address = `${billingAddress}/top-up`
/** Seconds between two looks at a top-up that is not paid yet. */
const again = 3

/** Adds credit by a package and a saved card, whose bank may ask for authentication, or by Pix. */
export const TopUpHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const { ownAccount } = operations
    const packages = operations["billing-packages"]

    const choose = Effect.fnUntraced(function* (
      visit: Visit,
      error?: string | Html,
      amount?: RefusedAmount
    ): Effect.fn.Return<Outcome, ApiError> {
      const { data: cards } = yield* operations["billing-payment-methods"].list(asVisitor(visit))
      const { available_packages } = yield* packages.list(asVisitor(visit), { query: { limit: "1" } })
      return choosePage(visit, available_packages, cards, error, amount)
    })

    const payByPix = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const typed = field(sent, "amount")
      const amount = readAmount(typed, topupBounds)
      if (typeof amount !== "number") return yield* choose(visit, undefined, { typed, error: amount })
      const payload = { amount_brl: centavosOf(amount) }
      const begun = yield* ownAccount
        .topUpByPix(asVisitor(visit), { payload })
        .pipe(Effect.catch((error) => (saidRefusal(error) ? Effect.succeed(refusalText(error)) : Effect.fail(error))))
      return "id" in begun ? { to: `${address}/${begun.id}` } : yield* choose(visit, begun)
    })

    /** Says what the card is charged before it is. */
    const askBuy = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams,
      { package_code, payment_method_id }: { readonly package_code: string; readonly payment_method_id: string | null }
    ): Effect.fn.Return<Outcome, ApiError> {
      const { data: cards } = yield* operations["billing-payment-methods"].list(asVisitor(visit))
      const { available_packages } = yield* packages.list(asVisitor(visit), { query: { limit: "1" } })
      const offered = available_packages.find(({ code }) => code === package_code)
      const card = cards.find(({ id, is_default }) =>
        payment_method_id === null ? is_default : id === payment_method_id
      )
      if (offered === undefined || card === undefined) {
        return choosePage(visit, available_packages, cards, "Choose a package and a card.", undefined)
      }
      const price = formatReais(offered.price_brl)
      return confirmationPage({
        title: "Pay by card?",
        section: "billing",
        up: [address, "Add credit"],
        action: address,
        csrf: visit.csrf,
        explanation: html`<p>${cardName(card)} is charged ${price} now. The balance gets ${price}, and ${countOf(offered.quota_messages)} messages cost ${formatReais(offered.unit_price_brl)} each while that is cheaper than your plan.</p>`,
        typed: sent,
        button: html`Pay ${price}`,
        dangerous: false
      })
    })

    const buy = Effect.fnUntraced(function* (visit: Visit, sent: URLSearchParams): Effect.fn.Return<Outcome, ApiError> {
      const payload = { package_code: field(sent, "package"), payment_method_id: field(sent, "card") || null }
      if (!isConfirmed(sent)) return yield* askBuy(visit, sent, payload)
      const bought = yield* Effect.result(packages.purchase(yield* asPayer(visit), { payload }))
      if (Result.isSuccess(bought)) return { to: `${address}/${bought.success.id}` }
      const refusal = bought.failure
      // The page of a declined top-up says why.
      const declined = refusal.details?.credit_topup_id
      if (typeof declined === "string") return { to: `${address}/${declined}` }
      return saidRefusal(refusal) ? yield* choose(visit, refusalText(refusal)) : yield* refusal
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const params = { topup_id: visit.request.params.id ?? "" }
      const topup = yield* Effect.catchTag(
        ownAccount.topup(asVisitor(visit), { params }),
        "credit_topup_not_found",
        () => Effect.fail(new NotHere())
      )
      return topupPage(topup, visit.mayChange)
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
  offerings: ReadonlyArray<PackageOffering>,
  cards: ReadonlyArray<ListedPaymentMethod>,
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

const cardForm = (
  csrf: string,
  offerings: ReadonlyArray<PackageOffering>,
  cards: ReadonlyArray<ListedPaymentMethod>
): Html =>
  html`<section class="card" aria-labelledby="by-card"><h2 id="by-card">By card</h2>${form(
    address,
    csrf,
    html`${select({
      name: "package",
      label: "Package",
      choices: offerings.map(({ code, price_brl, quota_messages, unit_price_brl }) => [
        code,
        html`${countOf(quota_messages)} messages for ${formatReais(price_brl)}, ${formatReais(unit_price_brl)} each`
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

const pixHint = html`From ${formatReais(topupBounds.least)} to ${formatReais(topupBounds.most)}.`

/**
 * Returns the page of a top-up, which moves by itself until it ends; the bank's authentication is offered to members who
 * may change something.
 */
export const topupPage = (topup: Topup, mayChange: boolean): Page => {
  const isOpen = topup.status === "pending"
  const proof = mayChange && isOpen && topup.authentication_url
  return {
    title: "Top-up",
    section: "billing",
    up: upToBilling,
    again: isOpen ? again : undefined,
    body: html`<div id="top-up"${live}>${isOpen && html`<p class="muted" role="status"${moving(again)}>This page moves by itself.</p>`}
${topup.status === "succeeded" && notice("good", say("Paid. The balance has it."))}
${topup.status === "failed" && notice("bad", say("The card was declined. Nothing was charged."))}
${proof && html`<div class="card"><p>The bank asks the cardholder to prove who they are.</p><p><a class="button primary" href="${proof}" rel="noreferrer" target="_blank">Authenticate at the bank</a></p></div>`}
${isOpen && topup.pix_copy_paste && pixCode(topup.pix_copy_paste, topup.pix_qr_code_base64 ?? null)}
<div class="card">${topupFacts(topup)}</div></div>`
  }
}

const topupFacts = (topup: Topup): Html =>
  facts([
    ["Status", topupBadge(topup.status)],
    ["Amount", formatReais(topup.amount_brl)],
    ["Package", topup.package_code ?? say("none")],
    ["Paid by", contractWord(topup.payment_method)],
    topup.decline_code === null ? undefined : ["Declined", html`<code>${topup.decline_code}</code>`],
    topup.pix_expires_at ? ["Pay until", instant(topup.pix_expires_at)] : undefined,
    ["Begun", instant(topup.created_at)],
    ["Completed", instant(topup.completed_at, "not yet")],
    ["Id", html`<code>${topup.id}</code>`]
  ])

/** The QR code for a banking app, and the code to paste into it. */
const pixCode = (code: string, qrBase64: string | null): Html =>
  html`<div class="card">${qrBase64 && html`<p><img class="qr" alt="QR code of the Pix charge" src="data:image/png;base64,${qrBase64}"></p>`}
<div class="field"><label for="pix">Pix code to copy</label><textarea id="pix" rows="4" readonly spellcheck="false">${code}</textarea></div></div>`
