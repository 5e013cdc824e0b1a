import type { PaymentRequest, PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { type Label, say, statusWord } from "../kit/Language.ts"
import { badge, instant, none, personText, type Table, type Tone, table } from "../kit/Parts.ts"
import { timeline } from "../kit/Story.ts"
import type { Change } from "../story/Stories.ts"

export const paymentsAddress = "/dashboard/payments"

/** Where a payment is made. */
export const newPaymentAddress = (environmentId: string): string => `${paymentsAddress}/${environmentId}/new`

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
export const paymentBadge = (status: PaymentStatus): Html => badge(statusWord("payment", status), tones[status])

/** Whether nothing moves it any more. */
export const isFinal = ({ status }: PaymentRequest): boolean =>
  status === "paid" || status === "failed" || status === "expired" || status === "cancelled"

type Fees = NonNullable<PaymentRequest["fees"]>

const feeTones: Readonly<Record<Fees["completion"]["state"], Tone>> = {
  held: "info",
  settled: "good",
  released: "plain",
  unresolved: "warn"
}

/** The state of the fee that is held until the outcome. */
export const feeBadge = ({ completion }: Fees): Html =>
  badge(statusWord("fee", completion.state), feeTones[completion.state])

/** Payments, each leading to its page. */
export const paymentTable = (environmentId: string, rows: ReadonlyArray<PaymentRequest>, nothing: Piece): Table =>
  table(
    "Payments, newest first",
    ["Payment", "Status", "Amount", "Fees", "Customer", "Reference", "Created"],
    rows.map(({ amount_brl, created_at, customer_name, description, external_reference, fees, id, status }) => [
      personText(html`<a href="${paymentsAddress}/${environmentId}/${id}">${description ?? id}</a>`),
      paymentBadge(status),
      formatReais(amount_brl),
      fees === null ? none("none") : feeBadge(fees),
      customer_name === null ? none("not said") : personText(customer_name),
      external_reference === null ? none("none") : personText(external_reference),
      instant(created_at)
    ]),
    nothing
  )

/** The request that made a payment, and the changes by members. */
interface Origins {
  readonly request: Html | undefined
  readonly changes: ReadonlyArray<Change>
}

/** The events of a payment with their causes and their effect on its fees, in order. */
export const timelineOf = (payment: PaymentRequest, { changes, request }: Origins): Html => {
  const { fees, late_outcome } = payment
  const by = (action: string) => changes.findLast((change) => change.action === action)?.by
  const provider = html`The provider reported it: ${payment.provider}.`
  const fee =
    fees !== null &&
    html`${formatReais(fees.initiation.amount_brl)} charged, ${formatReais(fees.completion.amount_brl)} held${simulated(fees)}`
  const ended = endOf(fees)
  const steps: ReadonlyArray<
    readonly [what: Label, at: string | null, tone: Tone, cause: Piece | undefined, fee?: Piece]
  > = [
    ["Accepted", payment.created_at, "plain", by("payment.created") ?? request, fee],
    ["Link ready", payment.link_generated_at, "info", html`The provider made its page: ${payment.provider}.`],
    [
      "Approval requested",
      payment.approval_requested_at,
      "warn",
      by("payment.approval_requested") ?? say("With the API.")
    ],
    ["Approved", payment.approved_at, "info", provider],
    ["Paid", payment.paid_at, "good", provider, ended],
    ["Payment failed", payment.failed_at, "bad", provider, ended],
    ["Expired", payment.expired_at, "plain", say("It was not paid in time."), ended],
    [
      "Cancelled",
      payment.cancelled_at,
      "plain",
      html`${by("payment.cancelled") ?? say("With the API.")} ${provider}`,
      ended
    ],
    [
      late_outcome?.status === "paid" ? "Money arrived after the end" : "Another outcome after the end",
      late_outcome?.at ?? null,
      "warn",
      late_outcome?.status === "paid"
        ? html`${provider} ${say("The status stays as it is: hand the money back, or book it yourself.")}`
        : provider
    ]
  ]
  const reached = steps.flatMap(([what, at, tone, cause, fee]) => (at === null ? [] : [{ what, at, tone, cause, fee }]))
  const ordered = reached.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
  return timeline(
    ordered.map(({ at, cause, fee, tone, what }) => ({
      what: say(what),
      at,
      tone,
      cause: html`${cause}${cause && fee && html`<br>`}${fee}`
    }))
  )
}

const simulated = (fees: Fees | null): Piece =>
  fees?.simulated === true && html` ${none("(simulated: nothing is charged)")}`

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
