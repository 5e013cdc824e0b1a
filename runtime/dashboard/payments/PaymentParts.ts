import type { PaymentRequest, PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { formatReais } from "../../locale/Reais.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, type Label, say } from "../kit/Language.ts"
import { badge, given, instant, moment, none, type Table, type Tone, table } from "../kit/Parts.ts"

export const paymentsAddress = "/dashboard/payments"

const tones: Readonly<Record<PaymentStatus, Tone>> = {
  link_pending: "plain",
  link_generated: "info",
  approval_requested: "warn",
  approved: "info",
  paid: "good",
  failed: "bad",
  expired: "plain",
  cancelled: "plain"
}

/** Where a payment stands. */
export const paymentBadge = (status: PaymentStatus): Html => badge(contractWord(status), tones[status])

/** Whether nothing moves it any more. C-PAY-26 */
export const isFinal = ({ status }: PaymentRequest): boolean =>
  status === "paid" || status === "failed" || status === "expired" || status === "cancelled"

type Fees = NonNullable<PaymentRequest["fees"]>

const feeTones: Readonly<Record<Fees["completion"]["state"], Tone>> = {
  held: "info",
  settled: "good",
  released: "plain",
  unresolved: "warn"
}

/** The state of the fee that is held until the outcome. C-FEE-06 */
export const feeBadge = ({ completion }: Fees): Html =>
  badge(contractWord(completion.state), feeTones[completion.state])

/** Payments, each leading to its page. */
export const paymentTable = (environmentId: string, rows: ReadonlyArray<PaymentRequest>, nothing: Piece): Table =>
  table(
    "Payments, newest first",
    ["Payment", "Status", "Amount", "Fees", "Customer", "Reference", "Created"],
    rows.map(({ amount_brl, created_at, customer_name, description, external_reference, fees, id, status }) => [
      given(html`<a href="${paymentsAddress}/${environmentId}/${id}">${description ?? id}</a>`),
      paymentBadge(status),
      formatReais(amount_brl),
      fees === null ? none("none") : feeBadge(fees),
      customer_name === null ? none("not said") : given(customer_name),
      external_reference === null ? none("none") : given(external_reference),
      instant(created_at)
    ]),
    nothing
  )

/** The events of a payment and their effect on its fees, in order. C-PAY-12, C-FEE-02..11 */
export const timelineOf = (payment: PaymentRequest): Html => {
  const { fees } = payment
  const of = simulated(fees)
  const steps: ReadonlyArray<readonly [what: Label, at: string | null, fee: Piece]> = [
    [
      "Accepted",
      payment.created_at,
      fees === null
        ? undefined
        : html`${formatReais(fees.initiation.amount_brl)} charged, ${formatReais(fees.completion.amount_brl)} held${of}`
    ],
    ["Link ready", payment.link_generated_at, undefined],
    ["Approval requested", payment.approval_requested_at, undefined],
    ["Approved", payment.approved_at, undefined],
    ["Paid", payment.paid_at, endOf(fees)],
    ["Failed", payment.failed_at, endOf(fees)],
    ["Expired", payment.expired_at, endOf(fees)],
    ["Cancelled", payment.cancelled_at, endOf(fees)]
  ]
  const reached = steps.flatMap((step) => (step[1] === null ? [] : [{ what: step[0], at: step[1], fee: step[2] }]))
  const ordered = reached.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
  return table(
    "What happened, oldest first",
    ["What", "When", "Fees"],
    ordered.map(({ at, fee, what }) => [say(what), moment(at), fee ?? none("untouched")]),
    say("Nothing has happened.")
  )
}

const simulated = (fees: Fees | null): Piece => fees?.simulated === true && html` ${none("simulated")}`

const endOf = (fees: Fees | null): Piece => {
  if (fees === null) return undefined
  const { amount_brl, state } = fees.completion
  const words: Readonly<Record<typeof state, Label>> = {
    held: "still held",
    settled: "charged",
    released: "given back",
    unresolved: "still held: unresolved"
  }
  return html`${formatReais(amount_brl)} ${say(words[state])}${simulated(fees)}`
}
