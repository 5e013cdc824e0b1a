import { latencyBoundsMs } from "@carteiro/schema/activity/Measures.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { noChart, stackedBars } from "../kit/Charts.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { type Label, say } from "../kit/Language.ts"
import { countOf, percentOf } from "../kit/Numbers.ts"
import { badge, personText, table } from "../kit/Parts.ts"
import { phoneText } from "../kit/PhoneText.ts"
import { axisOf, type Buckets, type Span, spanChoice, sum } from "../kit/Spans.ts"
import { messageTraffic } from "../messages/TrafficParts.ts"
import { numberBadge, qualityBadge } from "../numbers/NumberParts.ts"
import { figures } from "./Figures.ts"

/** What the overview shows of an environment and a span. */
export interface ShownActivity {
  readonly environment: string
  readonly span: Span
  readonly buckets: Buckets
  /** The balance in 1/10,000 BRL, where credit is spent. */
  readonly balance: number | undefined
  /** 1/10,000 BRL a day over the last seven days. */
  readonly pace: number
  /** Epoch milliseconds. */
  readonly now: number
}

/** Returns the choice of a span, four figures with their trend, and the charts of what happened in it. */
export const activity = (shown: ShownActivity): Html => html`<section aria-labelledby="activity">
<div class="section-head"><h2 id="activity">What happened</h2>${spanChoice("/dashboard", shown.span, { environment: shown.environment })}</div>
<p class="hint">Counted every ten seconds: what happened just now follows.</p>
${figures(shown.environment, shown.buckets, shown.balance === undefined)}
<div class="charts">${messages(shown)}${deliveries(shown)}${spend(shown)}${payments(shown)}</div></section>`

const chart = (title: Label, summary: Piece, drawn: Piece): Html =>
  html`<div class="card"><h3>${say(title)}</h3><p>${summary}</p>${drawn}</div>`

/** Writes 1/10,000 BRL to the centavo: sums of small prices have more places than people read. */
const inCentavos = (amount: number): string => formatReais(Math.round(amount / 100) * 100)

const inReais = (amount: number): string => formatReais(amount).replace(/,00$/, "")

const messages = ({ buckets, span }: ShownActivity): Html => {
  const { drawn, summary } = messageTraffic(span, buckets)
  return chart("Messages by status", summary, drawn)
}

const deliveries = (shown: ShownActivity): Html => {
  const succeeded = shown.buckets.counts("webhook.succeeded")
  const failed = shown.buckets.counts("webhook.failed")
  const calls = sum(succeeded) + sum(failed)
  const within = latencyOf(shown)
  const summary =
    calls === 0
      ? html`No call of your receivers.`
      : html`${percentOf(Math.round((sum(succeeded) / calls) * 10_000))} of ${countOf(calls)} calls of your receivers succeeded; 95% ended ${within === undefined ? html`in more than ${slowest} s` : html`within ${within} ms`}.`
  return chart(
    "Calls of webhook endpoints",
    summary,
    calls === 0
      ? noChart("An endpoint is called when an event happens that it subscribes to.")
      : stackedBars({
          id: "calls",
          caption: "Calls of webhook endpoints",
          said: summary,
          ...axisOf(shown.span, shown.buckets),
          write: countOf,
          series: [
            { name: "Succeeded", tone: "good", values: succeeded },
            { name: "Failed", tone: "bad", values: failed }
          ]
        })
  )
}

const slowest = (latencyBoundsMs.at(-1) ?? 0) / 1000

/** Returns the bound within which 95 of 100 calls were answered, in milliseconds; undefined for none. */
const latencyOf = ({ buckets }: ShownActivity): number | undefined => {
  const counted = latencyBoundsMs.map((bound) => sum(buckets.counts(`webhook.within.${bound}`)))
  const all = sum(counted) + sum(buckets.counts("webhook.within.more"))
  let answered = 0
  for (const [index, count] of counted.entries()) {
    answered += count
    if (answered >= all * 0.95) return latencyBoundsMs[index]
  }
  return undefined
}

const spend = (shown: ShownActivity): Html => {
  const spent = shown.buckets.amounts("spend")
  const isSimulated = shown.balance === undefined
  const summary = isSimulated
    ? html`${inCentavos(sum(spent))} spent, simulated: a sandbox costs nothing.`
    : html`${inCentavos(sum(spent))} spent.`
  return chart(
    "Spend",
    html`${summary}${runOut(shown)}`,
    sum(spent) === 0
      ? noChart("Sending templates and taking payments cost credit; nothing of that happened in this time.")
      : stackedBars({
          id: "spend",
          caption: "Spend",
          said: summary,
          ...axisOf(shown.span, shown.buckets),
          write: inCentavos,
          writeTick: inReais,
          series: [{ name: "Spend", tone: "plain", values: spent }]
        })
  )
}

/** Says when the balance runs out at the pace of the last seven days. */
const runOut = ({ balance, now, pace }: ShownActivity): Piece => {
  if (balance === undefined) return undefined
  if (balance <= 0) return html` The balance is ${inCentavos(balance)}.`
  const end = runsOutAt(balance, pace, now)
  return end === undefined
    ? html` The balance is ${inCentavos(balance)}; nothing was spent in the last seven days.`
    : html` The balance of ${inCentavos(balance)} lasts until about ${new Date(end).toISOString().slice(0, 10)} at the pace of the last seven days, ${inCentavos(pace)} a day.`
}

/** Returns when a balance is used up at a pace a day, in epoch milliseconds; undefined for never, or later than anybody plans. */
export const runsOutAt = (balance: number, pace: number, now: number): number | undefined => {
  const days = balance / pace
  return pace > 0 && days < 3650 ? now + Math.round(days * dayMs) : undefined
}

const payments = (shown: ShownActivity): Html => {
  const amounts = shown.buckets.amounts("payment.paid")
  const count = sum(shown.buckets.counts("payment.paid"))
  const summary =
    count === 1
      ? html`1 payment of ${inCentavos(sum(amounts))} was paid.`
      : html`${countOf(count)} payments of ${inCentavos(sum(amounts))} together were paid.`
  return chart(
    "Payments paid",
    summary,
    count === 0
      ? noChart("A payment stands here on the day it is paid.")
      : stackedBars({
          id: "paid",
          caption: "Payments paid",
          said: summary,
          ...axisOf(shown.span, shown.buckets),
          write: inCentavos,
          writeTick: inReais,
          series: [{ name: "Paid", tone: "good", values: amounts }]
        })
  )
}

/** Shows the numbers that customers may soon not be reached by; nothing where all of them are well. */
export const troubledNumbers = (environment: string, numbers: ReadonlyArray<PhoneNumber>): Html | undefined => {
  const isSuspended = ({ numprov_management }: PhoneNumber) => numprov_management?.status === "suspended"
  const troubled = numbers.filter(
    (number) =>
      isSuspended(number) ||
      number.status === "failed" ||
      number.quality_rating === "red" ||
      number.quality_rating === "yellow"
  )
  return troubled.length === 0
    ? undefined
    : html`<section aria-labelledby="troubled"><h2 id="troubled">Numbers with trouble</h2>${table(
        "Numbers with trouble",
        ["Number", "State", "Quality"],
        troubled.map((number) => [
          personText(
            html`<a href="/dashboard/phone-numbers/${environment}/${number.id}">${phoneText(number.phone ?? number.id)}</a>`
          ),
          html`${numberBadge(number.status)}${isSuspended(number) && html` ${badge("suspended", "bad")}`}`,
          qualityBadge(number.quality_rating)
        ]),
        undefined
      )}</section>`
}
