import { formatReais } from "@carteiro/spellings/Reais.ts"
import { areaChart } from "../kit/Charts.ts"
import { type Html, html } from "../kit/Html.ts"
import { dayName } from "../kit/Spans.ts"

/** A balance by day; its text alternative states the ends and bounds, and the table holds every day. */
export const balanceChart = (days: ReadonlyArray<{ readonly day: string; readonly balance: number }>): Html => {
  const first = days[0]
  const last = days.at(-1)
  if (first === undefined || last === undefined) return html`<p class="empty">Nothing has moved yet.</p>`
  const values = days.map(({ balance }) => balance)
  const said = html`Balance from ${formatReais(first.balance)} on ${dayName(first.day)} to ${formatReais(last.balance)} on ${dayName(last.day)}; highest ${formatReais(Math.max(...values))}, lowest ${formatReais(Math.min(...values))}.`
  return html`<p class="muted">${said}</p>
${areaChart({
  id: "balance",
  caption: "Balance by day",
  said,
  buckets: days.map(({ day }) => dayName(day)),
  bucket: "Day",
  series: [{ name: "Balance", tone: "info", values }],
  write: formatReais,
  writeTick: (value) => formatReais(value).replace(/,00$/, "")
})}`
}
