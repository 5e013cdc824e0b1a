import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { environmentCookie, readCookie } from "./Cookies.ts"
import { type Html, html, type Piece } from "./Html.ts"
import { icon } from "./Icons.ts"
import { type Label, say } from "./Language.ts"
import { addressIn, isOfOrganization, type Section } from "./Menu.ts"

/** The environment that a visitor looks at, and the others of the organization. */
export interface VisitedEnvironment {
  readonly all: ReadonlyArray<EnvironmentEntry>
  readonly current: EnvironmentEntry
}

/** Returns the environment that the cookie names, else the first; a cookie with an id of another organization says nothing. */
export const rememberedIn = (
  request: RawRequest,
  all: ReadonlyArray<EnvironmentEntry>
): EnvironmentEntry | undefined => {
  const remembered = readCookie(request.headers.cookie, environmentCookie)
  return all.find(({ id }) => id === remembered) ?? all[0]
}

/** Projects that the switch lists; the page of projects has the rest. */
const mostProjects = 20

/**
 * Returns the line below the head of every page: it says in words and colour whether this is a sandbox or production, and
 * leads to the open section of any other project or environment. Pages of the whole organization have a line of their own, as
 * they are about real money and real people beside a sandbox too. It works without scripts.
 */
export const placeSwitch = (
  { all, current }: VisitedEnvironment,
  organization: string,
  section: Section = "overview"
): Html => {
  if (isOfOrganization(section)) {
    return html`<div class="place organization" role="region" aria-label="Organization"><div class="bar">
${icon("organization")}<strong class="given">${organization}</strong>
<p>This page is about the whole organization: its money and its people are real.</p>
<a href="${addressIn("overview", current.id)}">Back to ${nameOf(current)}, ${say(kinds[current.kind])}</a>
</div></div>`
  }
  const inKind = ({ kind }: EnvironmentEntry) => kind === current.kind
  const others = all.filter((entry) => inKind(entry) && entry.project_id !== current.project_id)
  const twins = all.filter(({ project_id }) => project_id === current.project_id)
  return html`<div class="place ${current.kind}" role="region" aria-label="Project and environment"><div class="bar">
<details class="projects"><summary><span class="muted">Project</span> <span>${nameOf(current)}</span>${icon("switch")}</summary><ul>
${others.slice(0, mostProjects).map((entry) => html`<li><a href="${addressIn(section, entry.id)}">${nameOf(entry)}</a></li>`)}
<li class="more"><a href="/dashboard/projects">All projects</a></li>
<li><a href="/dashboard/projects#create">New project</a></li></ul></details>
<ul class="kinds">${twins.map(
    ({ id, kind }) =>
      html`<li><a href="${addressIn(section, id)}"${kind === current.kind && html` aria-current="true"`}>${say(kinds[kind])}</a></li>`
  )}</ul>
<p>${say(promises[current.kind])}</p>
</div></div>`
}

const nameOf = ({ project_name, project_archived }: EnvironmentEntry): Piece => [
  project_name,
  project_archived && html` (archived)`
]

const kinds: Readonly<Record<EnvironmentKind, Label>> = { sandbox: "Sandbox", production: "Production" }

const promises: Readonly<Record<EnvironmentKind, Label>> = {
  sandbox: "Nothing here reaches a real phone or costs money.",
  production: "Real phones and real money."
}
