import type { Measure } from "@carteiro/schema/activity/Measures.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { type SeriesTone, sparkline } from "../kit/Charts.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { type Saying, say } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import { countOf, percentOf } from "../kit/Numbers.ts"
import type { Tone } from "../kit/Parts.ts"
import { type Buckets, sum } from "../kit/Spans.ts"

/** A figure of a span, and the same figure of as long a time before it. */
interface Figure {
  readonly name: Saying
  /** Where it is told in full. */
  readonly address: string
  /** Undefined where it cannot be told, such as a share of nothing. */
  readonly value: number | undefined
  readonly before: number | undefined
  readonly write: (value: number) => Piece
  readonly line: ReadonlyArray<number>
  /** The colour of its line, as the charts below have it. */
  readonly colour: SeriesTone
  /** Whether more of it is good; missing where it is neither. */
  readonly isMoreGood?: boolean
  readonly note?: Saying
}

/** Shows four figures of an environment with their trend: what was sent, what arrived, what was paid, what it cost. */
export const figures = (environment: string, buckets: Buckets, isSimulated: boolean): Html => {
  const count = (measure: Measure) => sum(buckets.counts(measure))
  const share = (part: number, whole: number) => (whole === 0 ? undefined : Math.min(1, part / whole))
  const [sent, delivered] = [count("message.sent"), count("message.delivered")]
  const [sentBefore, deliveredBefore] = [
    buckets.before("message.sent").count,
    buckets.before("message.delivered").count
  ]
  const inCentavos = (amount: number) => formatReais(Math.round(amount / 100) * 100)
  const query = { environment }
  const all: ReadonlyArray<Figure> = [
    {
      name: "Messages sent",
      address: addressOf("/dashboard/messages", query),
      value: sent,
      before: sentBefore,
      write: countOf,
      line: buckets.counts("message.sent"),
      colour: "info",
      isMoreGood: true
    },
    {
      name: "Delivered",
      address: addressOf("/dashboard/messages", query),
      value: share(delivered, sent),
      before: share(deliveredBefore, sentBefore),
      write: (value) => percentOf(Math.round(value * 10_000)),
      line: buckets.counts("message.delivered"),
      colour: "deep",
      isMoreGood: true
    },
    {
      name: "Payments paid",
      address: addressOf("/dashboard/payments", query),
      value: sum(buckets.amounts("payment.paid")),
      before: buckets.before("payment.paid").amount,
      write: inCentavos,
      line: buckets.amounts("payment.paid"),
      colour: "good",
      isMoreGood: true
    },
    {
      name: "Spend",
      address: "/dashboard/billing",
      value: sum(buckets.amounts("spend")),
      before: buckets.before("spend").amount,
      write: inCentavos,
      line: buckets.amounts("spend"),
      colour: "plain",
      ...(isSimulated && { note: "simulated" })
    }
  ]
  return html`<ul class="tiles figures">${all.map(
    (figure) =>
      html`<li><a class="tile" href="${figure.address}">${say(figure.name)}${figure.note && html` <span>(${say(figure.note)})</span>`}
<strong>${figure.value === undefined ? "–" : figure.write(figure.value)}</strong>
<span class="trend">${trendOf(figure)}</span>${sparkline(figure.line, figure.colour)}</a></li>`
  )}</ul>`
}

/** Returns by how much a figure changed, and the figure before it. */
const trendOf = ({ before, isMoreGood, value, write }: Figure): Piece => {
  if (before === undefined || value === undefined || before === 0) return html`Nothing to compare with`
  const change = Math.round(((value - before) / before) * 100)
  const tone: Tone = change === 0 || isMoreGood === undefined ? "plain" : change > 0 === isMoreGood ? "good" : "bad"
  const mark = change > 0 ? "▲" : change < 0 ? "▼" : "="
  return html`<span class="change ${tone}">${mark} ${percentOf(Math.abs(change) * 100)}</span> from ${write(before)}`
}
