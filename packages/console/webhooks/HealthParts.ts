import { noChart, stackedBars } from "../kit/Charts.ts"
import { type Html, html } from "../kit/Html.ts"
import { countOf, percentOf } from "../kit/Numbers.ts"
import { axisOf, type Buckets, type Span, spanChoice, sum } from "../kit/Spans.ts"

/** The calls of an endpoint over a span. */
interface ShownHealth {
  /** Where the page of the endpoint is. */
  readonly here: string
  readonly span: Span
  readonly buckets: Buckets
}

/** Returns how the calls of an endpoint went over a span, as a chart and a table, with the choice of another span. */
export const healthOverTime = ({ buckets, here, span }: ShownHealth): Html => {
  const succeeded = buckets.counts("webhook.succeeded")
  const failed = buckets.counts("webhook.failed")
  const calls = sum(succeeded) + sum(failed)
  const took = sum(buckets.amounts("webhook.succeeded")) + sum(buckets.amounts("webhook.failed"))
  const summary =
    calls === 0
      ? html`No call in this time.`
      : html`${percentOf(Math.round((sum(succeeded) / calls) * 10_000))} of ${countOf(calls)} calls succeeded; one took ${countOf(Math.round(took / calls))} ms on average.`
  return html`<div class="section-head"><p>${summary}</p>${spanChoice(here, span)}</div>
${
  calls === 0
    ? noChart("An endpoint is called when an event happens that it subscribes to.")
    : stackedBars({
        id: "calls",
        caption: "Calls of this endpoint",
        said: summary,
        ...axisOf(span, buckets),
        write: countOf,
        series: [
          { name: "Succeeded", tone: "good", values: succeeded },
          { name: "Failed", tone: "bad", values: failed }
        ]
      })
}`
}
