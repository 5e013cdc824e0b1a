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

/**
 * Returns the only thing that was found, or that has the whole name, or the customer when the rest is about one customer;
 * undefined for a choice.
 */
export const exactHit = (things: ReadonlyArray<ShownHit>): Hit | undefined => {
  const whole = things.filter(({ hit }) => hit.isExact === true)
  const customers = things.filter(({ hit }) => hit.isCustomer === true && hit.isExact !== false)
  const [only, ...others] = whole.length > 0 ? whole : customers.length > 0 ? customers : things
  return others.length === 0 ? only?.hit : undefined
}

/** Projects of one name that a search shows. */
const mostProjects = 10

/** Returns the projects whose name has what was typed. */
export const projectsNamed = (typed: string, all: ReadonlyArray<EnvironmentEntry>): ReadonlyArray<ShownHit> => {
  const words = typed.toLowerCase()
  // Each project has two environments.
  return all
    .filter(
      ({ kind, project_name }) => words !== "" && kind === "sandbox" && project_name.toLowerCase().includes(words)
    )
    .slice(0, mostProjects)
    .map(({ project_id, project_name }) => ({
      hit: {
        what: "Project",
        name: project_name,
        address: `/dashboard/projects/${project_id}`,
        isExact: project_name.toLowerCase() === words
      }
    }))
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
  html`Nothing of this organization has this id, phone number, name, amount or reference. ${reasonOf(typed)}`
)}`

/** Returns the kind of what was found and where it is: two environments may have templates of one name. */
const kindOf = ({ what }: Hit, environment: EnvironmentEntry | undefined): Html =>
  environment === undefined ? html`${say(what)}` : html`${say(what)}, ${environmentName(environment)}`

const reasonOf = (typed: string): Html => {
  const why = whyNowhere(typed)
  return why === undefined ? hint : say(why)
}

/** Says what can be typed. */
export const hint = html`<span>Type the id of anything that has a page, such as a message, request, payment, number, order or event; a trace id; a phone number, or its last digits; the name of a customer, or how its words begin; the payer, amount or reference of a payment; the beginning of a template’s name; or the name of a project or page.</span>`
