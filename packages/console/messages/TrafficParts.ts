import { noChart, smallMultiples } from "../kit/Charts.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { countOf } from "../kit/Numbers.ts"
import { axisOf, type Buckets, type Span, sum } from "../kit/Spans.ts"

/** Returns how many messages went and came over a span: in words, and as small charts with their table. */
export const messageTraffic = (span: Span, buckets: Buckets): { readonly summary: Html; readonly drawn: Html } => {
  const of = buckets.counts
  const [received, sent, delivered, read, failed] = [
    of("message.received"),
    of("message.sent"),
    of("message.delivered"),
    of("message.read"),
    of("message.failed")
  ]
  const [went, arrived, seen, lost, came] = [sum(sent), sum(delivered), sum(read), sum(failed), sum(received)]
  const summary = html`${went === 1 ? say("1 sent") : html`${countOf(went)} sent`}, ${arrived === 1 ? say("1 delivered") : html`${countOf(arrived)} delivered`}, ${seen === 1 ? say("1 read") : html`${countOf(seen)} read`}, ${lost === 1 ? say("1 failed") : html`${countOf(lost)} failed`}; ${came === 1 ? say("1 received") : html`${countOf(came)} received`}.`
  if (went + came + lost === 0) {
    return { summary, drawn: noChart("No message went or came in this time.") }
  }
  const drawn = smallMultiples({
    id: "messages",
    caption: "Messages by status",
    said: summary,
    ...axisOf(span, buckets),
    write: countOf,
    series: [
      { name: "Sent", tone: "info", values: sent },
      { name: "Delivered", tone: "deep", values: delivered },
      { name: "Read", tone: "good", values: read },
      { name: "Failed", tone: "bad", values: failed },
      { name: "Received", tone: "plain", values: received }
    ]
  })
  return { summary, drawn }
}
