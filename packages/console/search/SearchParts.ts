import { environmentName } from "../kit/Environments.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import type { pagesNamed } from "../kit/Menu.ts"
import { personText, table } from "../kit/Parts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { whyNowhere } from "./IdReach.ts"
import type { Hit } from "./OrganizationFinder.ts"

/** A thing that was found. */
export interface ShownHit {
  readonly hit: Hit
  /** Undefined for a thing of the whole organization. */
  readonly environment?: EnvironmentEntry
}

/** Returns what was found, each with its page, or why nothing was. */
export const results = (typed: string, hits: ReadonlyArray<ShownHit>, pages: ReturnType<typeof pagesNamed>): Html =>
  html`<p>Looked for <code class="given">${typed}</code>.</p>
${table(
  "What was found",
  ["Name", "Kind", "Environment"],
  [
    ...hits.map(({ environment, hit }) => [
      personText(html`<a href="${hit.address}" data-hit="${kindOf(hit, environment)}">${hit.name}</a>`),
      say(hit.what),
      environment === undefined ? say("of the organization") : environmentName(environment)
    ]),
    ...pages.map(({ address, name }) => [
      html`<a href="${address}">${say(name)}</a>`,
      say("Page"),
      say("of the dashboard")
    ])
  ],
  html`Nothing of this organization has this id, phone number or name. ${reasonOf(typed)}`
)}`

/** Returns the kind of what was found and where it is: two environments may have templates of one name. */
const kindOf = ({ what }: Hit, environment: EnvironmentEntry | undefined): Html =>
  environment === undefined ? html`${say(what)}` : html`${say(what)}, ${environmentName(environment)}`

const reasonOf = (typed: string): Html => {
  const why = whyNowhere(typed)
  return why === undefined ? hint : say(why)
}

/** Says what can be typed. */
export const hint = html`<span>Type the id of anything that has a page, such as a message, request, payment, number, order or event; a trace id; a phone number; the whole name of a template; or the name of a page.</span>`
