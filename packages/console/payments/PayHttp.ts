import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import { timeIn } from "@carteiro/owners/TenantTime.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { dayMs, formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { field, readForm } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { icon } from "../kit/Icons.ts"
import { type Saying, say } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { entrance, type Outcome } from "../kit/Pages.ts"
import { badge, type Tone } from "../kit/Parts.ts"
import { script, scriptRoute } from "../kit/Scripts.ts"
import { dayName } from "../kit/Spans.ts"
import { type PayerView, PaymentPages } from "../ports/PaymentPages.ts"

/** Seconds between two looks at a payment that is not over. */
const again = 5

const payScript = script("pay", new URL("./pay.js", import.meta.url))

/**
 * Where payers go, who have no account here: the page of a sandbox payment, whose buttons end it, and the page of a Pix code
 * whose provider has none.
 */
export const PayHttp = Layer.unwrap(
  Effect.gen(function* () {
    const pages = yield* PaymentPages

    /** Time left is counted on the clock of the payment's environment, which may have been turned. */
    const shown = (payment: PayerView, now: number) =>
      Effect.map(timeIn(payment.environment_id, now), (its) => payPage(payment, its))

    const show =
      (isHere: (payment: PayerView) => boolean) =>
      ({ now, params }: RawRequest): Effect.Effect<Outcome, ApiError> =>
        Effect.flatMap(pages.find(params.token ?? ""), (payment) =>
          payment !== undefined && isHere(payment) ? shown(payment, now) : Effect.succeed(nothingHere)
        )

    const pay = Effect.fnUntraced(function* (request: RawRequest): Effect.fn.Return<Outcome, ApiError> {
      const status = field(yield* readForm(request), "status")
      const token = request.params.token ?? ""
      const payment = yield* pages.find(token)
      if (payment === undefined || !isSandbox(payment)) return nothingHere
      if (status !== "paid" && status !== "failed") return { ...(yield* shown(payment, request.now)), status: 400 }
      const ended = yield* Effect.result(pages.end(token, status, request.now))
      if (ended._tag === "Success") return { to: payment.pix_copy_paste === null ? request.path : `/pay/${token}` }
      const found = ended.failure.status === 409 ? yield* pages.find(token) : undefined
      return found === undefined ? yield* ended.failure : { ...(yield* shown(found, request.now)), status: 409 }
    })

    return Layer.mergeAll(
      entrance({ operation: "sandboxPayPage", method: "GET", path: "/sandbox/pay/:token", handler: show(isSandbox) }),
      entrance({ operation: "payInSandbox", method: "POST", path: "/sandbox/pay/:token", handler: pay }),
      scriptRoute("console.pay_script", payScript),
      entrance({ operation: "pixPage", method: "GET", path: "/pay/:token", handler: show(hasCode) })
    )
  })
)

const isSandbox = ({ environment }: PayerView): boolean => environment === "sandbox"
const hasCode = ({ pix_copy_paste }: PayerView): boolean => pix_copy_paste !== null

const words: Readonly<Record<PaymentStatus, readonly [word: Saying, tone: Tone]>> = {
  link_pending: ["being prepared", "plain"],
  link_generated: ["waiting to be paid", "info"],
  approval_requested: ["waiting for approval", "info"],
  approved: ["approved, being paid", "info"],
  paid: ["paid", "good"],
  failed: ["failed", "bad"],
  expired: ["expired", "plain"],
  cancelled: ["cancelled", "plain"]
}

const payPage = (payment: PayerView, now: number): Page => {
  const { amount, description, isOver, merchant, status } = payment
  return {
    title: isOver ? html`${formatReais(amount)}` : html`Pay ${formatReais(amount)}`,
    forPayers: true,
    again: isOver ? undefined : again,
    script: isOver ? undefined : payScript,
    lead: html`<p class="merchant">${merchant !== undefined && [html`<span class="initial" aria-hidden="true">${initialOf(merchant)}</span>`, merchant]}</p>`,
    body: html`<div class="card">
${description !== null && html`<p class="for given">${description}</p>`}
${isOver ? outcomeOf(status) : open(payment, now)}
</div>
${isSandbox(payment) && html`<p class="empty note">This is a sandbox: no money moves.</p>`}`
  }
}

const initialOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? ""

/**
 * A payment that waits for its payer: how long, the code, and in a sandbox the buttons that end it. A code whose time is up
 * is shown no more, although the provider may still tell that it was paid.
 */
const open = (payment: PayerView, now: number): Html => {
  const isUp = payment.expires_at <= now
  const [word, tone]: readonly [Saying, Tone] = isUp ? ["time is up", "plain"] : words[payment.status]
  return html`<p><data value="${isUp ? "time_up" : payment.status}">${badge(word, tone)}</data></p>
${isUp ? html`<p>The time to pay is over. If you have paid, this page shows it in a few minutes; otherwise ask whoever sent it for a new one.</p>` : [leftOf(payment.expires_at, now), codeOf(payment)]}
${isSandbox(payment) && buttonsOf(payment)}`
}

/** The time that is left, or the day it ends where that is later than tomorrow. */
const leftOf = (expiresAt: number, now: number): Html => {
  const ms = expiresAt - now
  if (ms > dayMs) {
    return html`<p class="left"><span>To be paid until</span> <strong>${dayName(formatTimestamp(expiresAt))}</strong></p>`
  }
  const minutes = Math.ceil(ms / 60_000)
  return html`<p class="left"><span>Time left to pay</span> <strong data-left="${ms}">${minutes < 60 ? html`${minutes} min` : html`${Math.ceil(minutes / 60)} h`}</strong></p>`
}

/** The end of a payment, in a picture and a sentence. */
const outcomeOf = (status: PaymentStatus): Html => {
  const [word, tone] = words[status]
  const isPaid = status === "paid"
  const picture = isPaid ? "paid" : tone === "bad" ? "failed" : "expired"
  return html`<div class="outcome ${picture}">${icon(picture)}</div>
<p><data value="${status}">${badge(word, tone)}</data></p>
<p>${isPaid ? say("Paid. You can close this page.") : say("This payment is over. Ask whoever sent it for a new one.")}</p>`
}

/** The code to paste into a banking app, and its picture for one that scans. */
const codeOf = ({ pix_copy_paste: code, pix_qr_code_base64: qr }: PayerView): Html | undefined =>
  code === null
    ? undefined
    : html`<div class="pix"><div id="copy"></div>
${qr !== null && html`<p class="scan"><img class="qr" alt="QR code of the Pix payment" src="data:image/png;base64,${qr}"></p>`}</div>
<ol class="how"><li>Open your bank's app and choose Pix.</li><li>Scan the code, or paste it under "Pix copia e cola".</li><li>Check the name and the amount, and pay. This page shows when it is paid.</li></ol>
<div class="field"><label for="pix">Pix code to copy</label><textarea id="pix" rows="3" readonly spellcheck="false">${code}</textarea></div>`

const buttonsOf = ({ token }: PayerView): Html => html`<form method="post" action="/sandbox/pay/${token}">
<div class="buttons"><button class="primary" name="status" value="paid">Pay</button> <button class="danger" name="status" value="failed">Fail</button></div>
</form>`

const nothingHere: Page = {
  title: "No such payment",
  forPayers: true,
  status: 404,
  body: html`<div class="card"><p>No payment is asked for at this address. Ask whoever sent it for a new one.</p></div>`
}
