import type { FlowEntry } from "@carteiro/schema/flows/Flow.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import type { ShownFlow } from "../../flows/Flows.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord } from "../kit/Language.ts"
import { badge, type Tone } from "../kit/Parts.ts"

const tones: Readonly<Record<FlowEntry["status"], Tone>> = {
  draft: "plain",
  publishing: "info",
  published: "good",
  rejected: "bad",
  deprecated: "warn"
}

/** Where a flow stands. */
export const flowBadge = (status: FlowEntry["status"]): Html => badge(contractWord(status), tones[status])

/** A definition of more characters is not shown: a page stays small. */
const mostShown = 60_000

/** Returns the definition of a flow as text. */
export const definitionOf = (definition: ShownFlow["definition"]): Html =>
  definition.length > mostShown
    ? html`<p class="empty">It has ${definition.length} characters, too many for this page. The call below returns it.</p>`
    : html`<pre tabindex="0">${JSON.stringify(readJson(definition), null, 2)}</pre>`
