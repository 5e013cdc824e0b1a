import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { parseBrl } from "@carteiro/schema/conventions/Money.ts"
import type { CreatePayment } from "@carteiro/schema/payments/PaymentRequest.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { environmentName, environmentOf } from "../kit/Environments.ts"
import { goesBack, isConfirmed, type Refused } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { say, sentence } from "../kit/Language.ts"
import { percentOf } from "../kit/Numbers.ts"
import { orNothing } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { form, notice, personText } from "../kit/Parts.ts"
import { dialled } from "../kit/PhoneText.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import {
  newPayment,
  type PaymentField,
  paymentBody,
  paymentFields,
  refusedPaymentField,
  type TypedPayment,
  typedPayment
} from "./PaymentForm.ts"
import { newPaymentAddress, paymentsAddress } from "./PaymentParts.ts"

/** Asks a customer for money by a link or a Pix code, as `POST /v1/payments` does. */
export const NewPaymentHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations

    /** Returns the provider of an environment's payments; undefined in a production that has no account for them. */
    const providerOf = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry) {
      const { channels } = yield* operations.providerConnections.status(asVisitor(visit, environment))
      const { active_mode } = channels.payments
      if (active_mode === "sandbox") return "pixprov1"
      return active_mode === "pixprov1" || active_mode === "pixprov2" ? active_mode : undefined
    })

    /** Returns what a payment costs the organization itself. */
    const costOf = Effect.fnUntraced(function* (visit: Visit, { kind }: EnvironmentEntry) {
      if (kind === "sandbox") return say("This is a sandbox: nobody pays, and it costs nothing.")
      const card = yield* orNothing(operations["rate-cards"].current(asVisitor(visit)))
      const entry = (id: string) => card?.entries.find(({ meter_id }) => meter_id === id)
      const initiation = entry("payment.initiation")?.unit_price_brl
      const rate = parseBrl(entry("payment.completion")?.rate ?? "")
      return initiation == null || rate === undefined
        ? say("It costs a fee of your credit now, and a share of the amount once it is paid.")
        : html`It costs ${formatReais(initiation)} of your credit now, and ${percentOf(rate)} of the amount once it is paid.`
    })

    const show = Effect.fnUntraced(function* (
      visit: Visit,
      environment: EnvironmentEntry,
      typed: TypedPayment,
      refused?: Refused<PaymentField>,
      status = 400
    ): Effect.fn.Return<Outcome, ApiError> {
      const provider = yield* providerOf(visit, environment)
      return {
        title: "New payment",
        section: "payments",
        environment: environment.id,
        ...(refused && { status }),
        up: [listOf(environment), "Payments"],
        body:
          provider === undefined
            ? withoutAccount(environment)
            : html`<p>In ${environmentName(environment)}. ${yield* costOf(visit, environment)}</p>
${refused?.field === "form" && notice("bad", sentence(refused.error))}
${form(
  newPaymentAddress(environment.id),
  visit.csrf,
  html`${paymentFields(typed, environment.default_region, refused)}
<div class="buttons"><button class="primary">Create the payment</button><a class="button" href="${listOf(environment)}">Go back</a></div>`
)}`
      }
    })

    const create = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const typed = typedPayment(sent)
      if (goesBack(sent)) return { ...(yield* show(visit, environment, typed)), changes: false }
      const provider = yield* providerOf(visit, environment)
      if (provider === undefined) return yield* show(visit, environment, typed)
      const payload = paymentBody(typed, { provider, region: environment.default_region })
      if ("field" in payload) return yield* show(visit, environment, typed, payload)
      if (environment.kind === "production" && !isConfirmed(sent)) {
        const amount = formatReais(payload.amount_brl_centavos * 100)
        return paymentQuestion({ amount, sent, visit, environment, payload, costs: yield* costOf(visit, environment) })
      }
      return yield* operations.payments.create(asVisitor(visit, environment), { payload }).pipe(
        Effect.map(
          ({ amount_brl, id }): Outcome => ({
            to: `${paymentsAddress}/${environment.id}/${id}?done=payment_created`,
            audited: { subject: id, after: { amount_brl } }
          })
        ),
        Effect.catchIf(
          ({ status }) => status < 500,
          (error) => show(visit, environment, typed, refusedPaymentField(error), error.status)
        )
      )
    })

    const path = newPaymentAddress(":environment")
    return Layer.merge(
      page({
        operation: "newPayment",
        path,
        handler: (visit) => Effect.flatMap(environmentOf(visit), (one) => show(visit, one, newPayment))
      }),
      action({ operation: "createPayment", audit: "payment.created", path, handler: create })
    )
  })
)

const listOf = ({ id }: EnvironmentEntry): string => `${paymentsAddress}?environment=${id}`

const withoutAccount = ({ id }: EnvironmentEntry): Html => html`<div class="card narrow">
<p>The money of production goes to your own account at a Pix provider, and none is connected yet.</p>
<div class="buttons"><a class="button primary" href="/dashboard/connections?environment=${id}">Connect an account</a></div></div>`

interface PaymentQuestion {
  readonly amount: string
  readonly sent: URLSearchParams
  readonly visit: Visit
  readonly environment: EnvironmentEntry
  readonly payload: CreatePayment
  readonly costs: Html
}

/** Says what is charged of whom and what it costs, before real money is asked for. */
const paymentQuestion = ({ amount, costs, environment, payload, sent, visit }: PaymentQuestion): Outcome => {
  const here = newPaymentAddress(environment.id)
  const { customer_email, customer_name, customer_phone, description } = payload
  const phone = customer_phone == null ? undefined : dialled(customer_phone)
  const customer = [customer_name, phone, customer_email].filter((piece) => piece != null)
  return confirmationPage({
    title: "Create this payment?",
    section: "payments",
    environment: environment.id,
    up: [here, "New payment"],
    action: here,
    csrf: visit.csrf,
    explanation: html`<p><strong>${amount}</strong>${customer.length > 0 && html`, to be paid by ${customer.map((piece, index) => html`${index > 0 && ", "}${personText(piece)}`)}`}${description != null && html`: ${personText(description)}`}</p>
<p>In ${environmentName(environment)}. ${costs} Nothing is sent to your customer: you get a link to hand on.</p>`,
    typed: sent,
    refills: true,
    button: "Create the payment",
    dangerous: false
  })
}
