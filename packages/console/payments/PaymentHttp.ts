import type { ContactEntry } from "@carteiro/schema/contacts/Contact.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { parseBrl } from "@carteiro/schema/conventions/Money.ts"
import { PaymentDescription } from "@carteiro/schema/payments/PaymentFields.ts"
import type { PaymentRequest } from "@carteiro/schema/payments/PaymentRequest.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer, Schema } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { copyField } from "../kit/CopyParts.ts"
import { contactLink, makeContactOf } from "../kit/CustomerNames.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { field, unconfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { live } from "../kit/LiveScript.ts"
import { percentOf } from "../kit/Numbers.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, form, input, instant, linkOut, none, notice, personText } from "../kit/Parts.ts"
import { dialled } from "../kit/PhoneText.ts"
import { fold, section, storyPage } from "../kit/Story.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { Stories, type StoryCall } from "../story/Stories.ts"
import { feeBadge, isFinal, paymentBadge, paymentsAddress, timelineOf } from "./PaymentParts.ts"

interface PaymentPage {
  readonly environment: EnvironmentEntry
  readonly payment: PaymentRequest
  readonly here: string
}

/** One payment: what happened and what it costs; owners and admins ask for its approval and cancel it. */
export const PaymentHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const stories = yield* Stories
    const contactOf = yield* makeContactOf

    const found = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<PaymentPage, ApiError> {
      const environment = yield* environmentOf(visit)
      const payment = yield* orNotHere(
        operations.payments.get(asVisitor(visit, environment), { params: { payment_id: yield* idOf(visit, "pay") } })
      )
      return { environment, payment, here: `${paymentsAddress}/${environment.id}/${payment.id}` }
    })

    const show = Effect.fnUntraced(function* (visit: Visit, refused?: string): Effect.fn.Return<Outcome, ApiError> {
      const { environment, here, payment } = yield* found(visit)
      const made = yield* stories.request(visit, environment, payment.trace_id)
      const phone = payment.customer_phone
      const contact = phone === null ? undefined : yield* contactOf(asVisitor(visit, environment), phone)
      const changes = yield* stories.changes(visit, payment.id)
      const deliveries = yield* stories.deliveries(visit, environment, payment.id)
      const ledger = yield* stories.ledger(visit, environment, reservationsOf(payment))
      return {
        title: payment.description === null ? "Payment" : html`${payment.description}`,
        section: "payments",
        environment: environment.id,
        up: [`${paymentsAddress}?environment=${environment.id}`, "Payments"],
        again: isFinal(payment) ? undefined : again,
        follows: "events",
        status: refused === undefined ? 200 : 400,
        ...storyPage({
          headline: {
            amount: formatReais(payment.amount_brl),
            state: paymentBadge(payment.status),
            about: [
              customerOf(payment, environment.id, contact),
              payment.external_reference && personText(payment.external_reference)
            ],
            next: visit.mayChange && !isFinal(payment) && nextSteps(visit, payment, here)
          },
          warnings: html`${refused && notice("bad", refused)}
<div id="doubt"${live}>${
            payment.fees?.completion.state === "unresolved" &&
            notice(
              "warn",
              say(
                "The completion fee is still held: the provider has not confirmed what became of this payment. It is asked again by itself, and nothing has to be done here."
              )
            )
          }</div>
<div id="link"${live}>${isFinal(payment) ? undefined : customerLink(payment)}</div>`,
          story: html`${section("timeline", "What happened", timelineOf(payment, { request: made, changes }))}
${deliveries}
${stories.calls(callsOf(payment))}`,
          facts: factsOf(payment, environment),
          aside: html`${payment.metadata !== null && fold("metadata", "Metadata", html`<pre>${JSON.stringify(payment.metadata, null, 2)}</pre>`)}
${ledger}`
        })
      }
    })

    const askApproval = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const one = yield* found(visit)
      const note = field(sent, "note").trim()
      if (note !== "" && !isNote(note)) return yield* show(visit, "The note is 500 characters at most.")
      yield* operations.payments.requestApproval(asVisitor(visit, one.environment), {
        params: { payment_id: one.payment.id },
        payload: note === "" ? {} : { note }
      })
      return { to: `${one.here}?done=approval_requested` }
    })

    const askCancel = Effect.fnUntraced(function* (visit: Visit, error?: Html): Effect.fn.Return<Outcome, ApiError> {
      const { environment, here, payment } = yield* found(visit)
      return confirmationPage({
        title: "Cancel this payment?",
        section: "payments",
        environment: environment.id,
        up: [here, "Payment"],
        action: `${here}/cancel`,
        csrf: visit.csrf,
        explanation: html`<p>${personText(calledOf(payment))} ${formatReais(payment.amount_brl)}</p><p>The provider is asked to take its page back. The payment is cancelled once the provider confirms; somebody who pays before that has paid.</p>`,
        button: "Cancel the payment",
        dangerous: true,
        name: { value: calledOf(payment), error }
      })
    })

    const cancel = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const one = yield* found(visit)
      const error = unconfirmed(sent, calledOf(one.payment))
      if (error !== undefined) return yield* askCancel(visit, error)
      yield* operations.payments.cancel(asVisitor(visit, one.environment), {
        params: { payment_id: one.payment.id },
        payload: {}
      })
      return { to: `${one.here}?done=payment_cancelling` }
    })

    const path = `${paymentsAddress}/:environment/:id`
    return Layer.mergeAll(
      page({ operation: "payment", path, handler: (visit) => show(visit) }),
      action({
        operation: "requestPaymentApproval",
        audit: "payment.approval_requested",
        path: `${path}/approval`,
        handler: askApproval
      }),
      page({ operation: "askCancelPayment", path: `${path}/cancel`, handler: (visit) => askCancel(visit) }),
      action({ operation: "cancelPayment", audit: "payment.cancelled", path: `${path}/cancel`, handler: cancel })
    )
  })
)

/** Returns what a person types before cancelling a payment: who pays it, your reference or its id, the first that is known. */
const calledOf = ({ customer_name, external_reference, id }: PaymentRequest): string =>
  customer_name ?? external_reference ?? id

/** Seconds between two looks at a payment that is not over. */
const again = 10
const isNote = Schema.is(PaymentDescription)

/** Ids of the reservations of a payment's fees, which its ledger entries are about. */
const reservationsOf = ({ fees }: PaymentRequest): ReadonlyArray<string> =>
  fees === null ? [] : [fees.initiation.reservation_id, fees.completion.reservation_id]

/** Returns the calls that read a payment, and that ask for another one like it. */
const callsOf = (payment: PaymentRequest): ReadonlyArray<StoryCall> => {
  const { customer_email, customer_name, customer_phone, description, external_reference, metadata } = payment
  const told = { description, customer_name, customer_phone, customer_email, external_reference, metadata }
  const given = Object.entries(told).filter(([, value]) => value !== null)
  const body = {
    amount_brl_centavos: Math.round((parseBrl(payment.amount_brl) ?? 0) / 100),
    ...Object.fromEntries(given)
  }
  return [
    { title: "Read it", method: "GET", path: `/v1/payments/${payment.id}` },
    { title: "Ask for it once more", method: "POST", path: "/v1/payments", body }
  ]
}

const factsOf = (payment: PaymentRequest, environment: EnvironmentEntry): Html =>
  facts([
    payment.fees?.simulated === true
      ? ["Fees", say("A sandbox charges none. These are what production would charge.")]
      : undefined,
    ["Initiation fee", payment.fees === null ? none("none") : formatReais(payment.fees.initiation.amount_brl)],
    [
      "Completion fee",
      payment.fees === null
        ? none("none")
        : html`${formatReais(payment.fees.completion.amount_brl)} ${feeBadge(payment.fees)} ${none(html`${percentOf(parseBrl(payment.fees.completion.rate) ?? 0)} by ${payment.fees.rate_card_id}`)}`
    ],
    ["Customer", customerOf(payment)],
    [
      "Your reference",
      payment.external_reference === null ? none("no reference") : personText(payment.external_reference)
    ],
    ["Link", payment.payment_link_url === null ? none("not ready") : personText(linkOut(payment.payment_link_url))],
    payment.pix_copy_paste === null
      ? undefined
      : ["Pix code", personText(html`<code>${payment.pix_copy_paste}</code>`)],
    ["Provider", payment.provider],
    payment.provider_connection_id === null
      ? undefined
      : [
          "Connection",
          html`<a href="/dashboard/connections/${environment.id}/${payment.provider_connection_id}"><code>${payment.provider_connection_id}</code></a>`
        ],
    [
      "Provider's id",
      payment.provider_payment_id === null
        ? none("none yet")
        : personText(html`<code>${payment.provider_payment_id}</code>`)
    ],
    payment.provider_approval_id === null
      ? undefined
      : ["Provider's approval", personText(html`<code>${payment.provider_approval_id}</code>`)],
    ["Environment", environmentName(environment)],
    ["Created", instant(payment.created_at)],
    ["Id", html`<code>${payment.id}</code>`],
    ["Trace", html`<code>${payment.trace_id}</code>`]
  ])

/** Returns what is known of who pays; the first of it leads to the contact where there is one. */
const customerOf = (
  { customer_email, customer_name, customer_phone }: PaymentRequest,
  environmentId = "",
  contact?: ContactEntry
) => {
  const known = [customer_name, customer_phone && dialled(customer_phone), customer_email].filter((one) => one !== null)
  return known.length === 0
    ? none("not said")
    : personText(
        html`${known.map((one, index) => (index > 0 ? html`, ${one}` : contactLink(environmentId, contact, one)))}`
      )
}

/** Returns what is handed to the customer of a payment that is not over. */
const customerLink = ({ payment_link_url }: PaymentRequest): Html =>
  payment_link_url === null
    ? html`<p class="empty">The link for your customer is being made. It stands here in a moment.</p>`
    : html`<section class="card handed" aria-labelledby="customer-link-title"><h2 id="customer-link-title">Link for the customer</h2>
${copyField({ id: "customer-link", label: "Send it by chat or e-mail: it shows the amount and how to pay.", value: payment_link_url })}
<p>${linkOut(payment_link_url, say("Open it as your customer sees it"))}</p></section>`

/** What owners and admins can do with a payment that is not over. */
const nextSteps = (visit: Visit, payment: PaymentRequest, here: string): Html =>
  html`<a class="button danger" href="${here}/cancel">Cancel…</a>
${
  payment.status === "link_generated" &&
  html`<details class="act" id="ask"><summary class="button">Request approval…</summary><div class="card">${form(
    `${here}/approval`,
    visit.csrf,
    html`${input({ name: "note", label: "Note for who approves", maxLength: 500 })}
<div class="buttons"><button class="primary">Request approval</button></div>`
  )}</div></details>`
}`
