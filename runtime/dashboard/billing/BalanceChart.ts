import { formatReais } from "../../locale/Reais.ts"
import { type Html, html } from "../kit/Html.ts"

const width = 640
const height = 180
/** Room for what is written left of the plot and below it. */
const left = 8
const bottom = 20
const top = 18

/** A balance by day as a line; its text alternative states the ends and bounds, and the table holds every day. */
export const balanceChart = (days: ReadonlyArray<{ readonly day: string; readonly balance: number }>): Html => {
  const first = days[0]
  const last = days.at(-1)
  if (first === undefined || last === undefined) return html`<p class="empty">Nothing has moved yet.</p>`
  const balances = days.map(({ balance }) => balance)
  const most = Math.max(0, ...balances)
  const least = Math.min(0, ...balances)
  const span = Math.max(1, most - least)
  const x = (index: number) => left + (index * (width - 2 * left)) / Math.max(1, days.length - 1)
  const y = (balance: number) => top + ((most - balance) * (height - top - bottom)) / span
  const points = days.map(({ balance }, index) => `${x(index).toFixed(1)},${y(balance).toFixed(1)}`)
  const said = html`Balance from ${formatReais(first.balance)} on ${first.day} to ${formatReais(last.balance)} on ${last.day}; highest ${formatReais(Math.max(...balances))}, lowest ${formatReais(Math.min(...balances))}.`
  return html`<figure class="chart">
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${said}" preserveAspectRatio="none">
<line class="axis" x1="${left}" x2="${width - left}" y1="${y(0).toFixed(1)}" y2="${y(0).toFixed(1)}"></line>
<polygon class="area" points="${`${x(0).toFixed(1)},${y(0).toFixed(1)} ${points.join(" ")} ${x(days.length - 1).toFixed(1)},${y(0).toFixed(1)}`}"></polygon>
<polyline class="line" points="${points.join(" ")}"></polyline>
${days.map(
  ({ balance, day }, index) =>
    html`<circle class="point" cx="${x(index).toFixed(1)}" cy="${y(balance).toFixed(1)}" r="3"><title>${day}: ${formatReais(balance)}</title></circle>`
)}
</svg>
<figcaption>${said}</figcaption>
</figure>`
}
