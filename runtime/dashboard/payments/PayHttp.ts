import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { Effect, Layer } from "effect"
import { formatReais } from "../../locale/Reais.ts"
import { type PayerView, PaymentPages } from "../../payments/Payments.ts"
import { field, readForm } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { type Saying, say } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { entrance, type Outcome } from "../kit/Pages.ts"
import { badge, notice, type Tone } from "../kit/Parts.ts"

/** Seconds between two looks at a payment that is not over. */
const again = 5

/**
 * Where payers go, who have no account here: the page of a sandbox payment, whose buttons end it, and the page of a Pix code
 * whose provider has none. gaps-3 C "Sandbox pay page", "Link URL of a transparent Pix payment"
 */
export const PayHttp = Layer.unwrap(
  Effect.gen(function* () {
    const pages = yield* PaymentPages

    const show =
      (isHere: (payment: PayerView) => boolean) =>
      ({ params }: RawRequest): Effect.Effect<Outcome, ApiError> =>
        Effect.map(pages.find(params.token ?? ""), (payment) =>
          payment !== undefined && isHere(payment) ? payPage(payment) : nothingHere
        )

    const pay = Effect.fnUntraced(function* (request: RawRequest): Effect.fn.Return<Outcome, ApiError> {
      const status = field(yield* readForm(request), "status")
      const token = request.params.token ?? ""
      const payment = yield* pages.find(token)
      if (payment === undefined || !isSandbox(payment)) return nothingHere
      if (status !== "paid" && status !== "failed") return { ...payPage(payment), status: 400 }
      const ended = yield* Effect.result(pages.end(token, status, request.now))
      if (ended._tag === "Success") return { to: payment.pix_copy_paste === null ? request.path : `/pay/${token}` }
      const found = ended.failure.status === 409 ? yield* pages.find(token) : undefined
      return found === undefined ? yield* ended.failure : { ...payPage(found), status: 409 }
    })

    return Layer.mergeAll(
      entrance({ operation: "sandboxPayPage", method: "GET", path: "/sandbox/pay/:token", handler: show(isSandbox) }),
      entrance({ operation: "payInSandbox", method: "POST", path: "/sandbox/pay/:token", handler: pay }),
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

const payPage = (payment: PayerView): Page => {
  const { amount, description, isOver, status } = payment
  const [word, tone] = words[status]
  return {
    title: html`Pay ${formatReais(amount)}`,
    forPayers: true,
    again: isOver ? undefined : again,
    body: html`<div class="card narrow">
${description !== null && html`<p class="given">${description}</p>`}
<p>Status: <data value="${status}">${badge(word, tone)}</data></p>
${!isOver && codeOf(payment)}
${isSandbox(payment) && !isOver && buttonsOf(payment)}
</div>
${status === "paid" && notice("good", say("Paid. You can close this page."))}
${isSandbox(payment) && notice("info", say("This is a sandbox: no money moves."))}`
  }
}

/** The QR code for a banking app, and the code to paste into it. */
const codeOf = ({ pix_copy_paste: code, pix_qr_code_base64: qr }: PayerView): Html | undefined =>
  code === null
    ? undefined
    : html`${qr !== null && html`<p><img class="qr" alt="QR code of the Pix payment" src="data:image/png;base64,${qr}"></p>`}
<div class="field"><label for="pix">Pix code to copy</label><textarea id="pix" rows="4" readonly spellcheck="false">${code}</textarea></div>
<p class="hint">Scan the code or paste it in your bank's app. This page shows when it is paid.</p>`

const buttonsOf = ({ token }: PayerView): Html => html`<form method="post" action="/sandbox/pay/${token}">
<div class="buttons"><button class="primary" name="status" value="paid">Pay</button> <button class="danger" name="status" value="failed">Fail</button></div>
</form>`

const nothingHere: Page = {
  title: "No such payment",
  forPayers: true,
  status: 404,
  body: html`<div class="card narrow"><p>No payment is asked for at this address. Ask whoever sent it for a new one.</p></div>`
}
