import { scaleLinear } from "d3-scale"
import { area, line } from "d3-shape"
import { formatReais } from "../../locale/Reais.ts"
import { round } from "../kit/Charts.ts"
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
  const x = scaleLinear([0, Math.max(1, days.length - 1)], [left, width - left])
  const y = scaleLinear([Math.min(0, ...balances), Math.max(1, ...balances)], [height - bottom, top])
  const at = (_: number, index: number) => round(x(index))
  const path = line<number>(at, (balance) => round(y(balance)))
  const filled = area<number>(at, round(y(0)), (balance) => round(y(balance)))
  const said = html`Balance from ${formatReais(first.balance)} on ${first.day} to ${formatReais(last.balance)} on ${last.day}; highest ${formatReais(Math.max(...balances))}, lowest ${formatReais(Math.min(...balances))}.`
  return html`<figure class="chart">
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${said}" preserveAspectRatio="none">
<line class="axis" x1="${left}" x2="${width - left}" y1="${round(y(0))}" y2="${round(y(0))}"></line>
<path class="area" d="${filled(balances)}"></path>
<path class="line" d="${path(balances)}"></path>
${days.map(
  ({ balance, day }, index) =>
    html`<circle class="point" cx="${round(x(index))}" cy="${round(y(balance))}" r="3"><title>${day}: ${formatReais(balance)}</title></circle>`
)}
</svg>
<figcaption>${said}</figcaption>
</figure>`
}
