import type { Flow, FlowEntry } from "@carteiro/schema/flows/Flow.ts"
import { type Html, html } from "../kit/Html.ts"
import { statusWord } from "../kit/Language.ts"
import { badge, type Tone } from "../kit/Parts.ts"

const tones: Readonly<Record<FlowEntry["status"], Tone>> = {
  draft: "plain",
  publishing: "info",
  published: "good",
  rejected: "bad",
  deprecated: "warn"
}

/** Where a flow stands. */
export const flowBadge = (status: FlowEntry["status"]): Html => badge(statusWord("flow", status), tones[status])

/** A definition of more characters is not shown: a page stays small. */
const mostShown = 60_000

/** Returns the definition of a flow as text. */
export const definitionOf = ({ flow_json }: Pick<Flow, "flow_json">): Html => {
  const { length } = JSON.stringify(flow_json)
  return length > mostShown
    ? html`<p class="empty">It has ${length} characters, too many for this page. The call below returns it.</p>`
    : html`<pre tabindex="0">${JSON.stringify(flow_json, null, 2)}</pre>`
}
