import { formatCount } from "../../locale/Reais.ts"
import { noChart, smallMultiples } from "../kit/Charts.ts"
import { type Html, html } from "../kit/Html.ts"
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
  const summary = html`${formatCount(sum(sent))} sent, ${formatCount(sum(delivered))} delivered, ${formatCount(sum(read))} read, ${formatCount(sum(failed))} failed; ${formatCount(sum(received))} received.`
  if (sum(sent) + sum(received) + sum(failed) === 0) {
    return { summary, drawn: noChart("No message went or came in this time.") }
  }
  const drawn = smallMultiples({
    id: "messages",
    caption: "Messages by status",
    said: summary,
    ...axisOf(span, buckets),
    write: formatCount,
    series: [
      { name: "Sent", tone: "info", values: sent },
      { name: "Delivered", tone: "info", values: delivered },
      { name: "Read", tone: "good", values: read },
      { name: "Failed", tone: "bad", values: failed },
      { name: "Received", tone: "plain", values: received }
    ]
  })
  return { summary, drawn }
}
