import { Effect, Layer } from "effect"
import { type EnvironmentEntry, Environments, Members } from "../../access/Access.ts"
import { MessageAdmin } from "../../messages/Messages.ts"
import { html, type Piece } from "../kit/Html.ts"
import { page } from "../kit/Pages.ts"
import { badge, given, none, table } from "../kit/Parts.ts"

/** What the organization has. */
export const OverviewHttp = Layer.unwrap(
  Effect.gen(function* () {
    const environments = yield* Environments
    const members = yield* Members
    const messages = yield* MessageAdmin
    return page({
      operation: "overview",
      path: "/dashboard",
      handler: Effect.fnUntraced(function* (visit) {
        const all = yield* environments.list(visit.organizationId)
        const people = yield* members.list(visit.organizationId)
        const active = all.filter((entry) => !entry.project_archived)
        const projects = active.filter(({ kind }) => kind === "sandbox")
        const [sandbox] = projects
        const said = sandbox && (yield* messages.list(sandbox.id, "sandbox", {}, 1)).rows.length > 0
        const sum = (of: (entry: EnvironmentEntry) => number) => active.reduce((total, entry) => total + of(entry), 0)
        const keys = sum((entry) => entry.active_api_keys)
        return {
          title: "Overview",
          section: "overview",
          body: html`${sandbox && said === false && firstMessage(sandbox)}<ul class="tiles">
${tile("/dashboard/projects", projects.length, "active project")}
${tile("/dashboard/api-keys", keys, "active API key")}
${tile(
  "/dashboard/webhooks",
  sum((entry) => entry.webhook_endpoints),
  "webhook endpoint"
)}
${tile("/dashboard/members", people.filter((member) => member.active).length, "member")}
</ul>
${keys === 0 && start}
<section aria-labelledby="projects"><h2 id="projects">Active projects</h2>
${table(
  "Active projects and what their environments hold",
  ["Project", "Sandbox", "Production"],
  projects.map((sandbox) => [
    given(html`<a href="/dashboard/projects/${sandbox.project_id}">${sandbox.project_name}</a>`),
    holding(sandbox),
    holding(active.find(({ project_id, kind }) => project_id === sandbox.project_id && kind === "production"))
  ]),
  html`There is no active project. <a href="/dashboard/projects">Create or restore one.</a>`
)}</section>`
        }
      })
    })
  })
)

const tile = (address: string, count: number, what: string) =>
  html`<li><a class="tile" href="${address}"><strong>${count}</strong> ${what}${count !== 1 && "s"}</a></li>`

/** What is in an environment, and what is switched off there. */
const holding = (entry: EnvironmentEntry | undefined): Piece => {
  if (entry === undefined) return none("none")
  const counted = (address: string, count: number, what: string) =>
    html`<a href="${address}?environment=${entry.id}">${count} ${what}${count !== 1 && "s"}<span class="hidden"> in ${entry.kind} of ${entry.project_name}</span></a>`
  return html`<span class="row">${counted("/dashboard/api-keys", entry.active_api_keys, "API key")}
${counted("/dashboard/webhooks", entry.webhook_endpoints, "webhook endpoint")}
${entry.capabilities_off.map((family) => badge(`${family.replaceAll("_", " ")} off`, "warn"))}</span>`
}

const firstMessage = ({ id, project_name }: EnvironmentEntry) =>
  html`<section class="card" aria-labelledby="first"><h2 id="first">Your first message</h2>
<p>Nothing was said yet in the sandbox of ${project_name}. Write as a customer, answer as the business, and watch the ticks, events and webhooks as they happen.</p>
<p><a class="button primary" href="/dashboard/chat?environment=${id}">Open the chat</a></p></section>`

const start = html`<div class="card"><h2>Your first call</h2>
<ol>
<li><a href="/dashboard/api-keys#create">Create an API key</a> for the sandbox. It costs nothing and reaches no real phone.</li>
<li>Send it as <code>Authorization: Bearer svc_sbx_…</code> to <code>GET /v1/me</code>.</li>
<li>Read on in the <a href="/docs">API reference</a>.</li>
</ol></div>`
