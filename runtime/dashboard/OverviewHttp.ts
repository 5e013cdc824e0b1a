import { Effect, Layer } from "effect"
import { Environments, Members } from "../access/Access.ts"
import { html } from "./Html.ts"
import { page } from "./Pages.ts"
import { badge, given, table } from "./Parts.ts"

/** What the organization has, and who is in it. */
export const OverviewHttp = Layer.unwrap(
  Effect.gen(function* () {
    const environments = yield* Environments
    const members = yield* Members
    return page({
      operation: "overview",
      path: "/dashboard",
      handler: Effect.fnUntraced(function* (visit) {
        const all = yield* environments.list(visit.organizationId)
        const people = yield* members.list(visit.organizationId)
        const active = all.filter((entry) => !entry.project_archived)
        const sum = (of: (entry: (typeof all)[number]) => number) =>
          active.reduce((total, entry) => total + of(entry), 0)
        const keys = sum((entry) => entry.active_api_keys)
        const endpoints = sum((entry) => entry.webhook_endpoints)
        return {
          title: "Overview",
          section: "overview",
          body: html`<ul class="tiles">
${tile("/dashboard/projects", active.length / 2, "active project")}
${tile("/dashboard/api-keys", keys, "active API key")}
${tile("/dashboard/webhooks", endpoints, "webhook endpoint")}
</ul>
${keys === 0 && start}
<section aria-labelledby="environments"><h2 id="environments">Environments</h2>
${table(
  "Environments of the organization",
  ["Project", "Environment", "API keys", "Webhook endpoints", "Switched off"],
  active.map((entry) => [
    given(html`<a href="/dashboard/projects/${entry.project_id}">${entry.project_name}</a>`),
    badge(entry.kind, entry.kind === "production" ? "info" : "plain"),
    html`<a href="/dashboard/api-keys?environment=${entry.id}">${entry.active_api_keys}</a>`,
    html`<a href="/dashboard/webhooks?environment=${entry.id}">${entry.webhook_endpoints}</a>`,
    entry.capabilities_off.length === 0
      ? html`<span class="muted">nothing</span>`
      : entry.capabilities_off.map((family) => badge(family, "warn"))
  ]),
  "There is no active project."
)}</section>
<section aria-labelledby="people"><h2 id="people">People</h2>
${table(
  "Members of the organization",
  ["Name", "Email", "Role"],
  people.map(({ name, email, role, active }) => [
    given(name),
    given(email),
    active ? role : html`${role} ${badge("inactive", "plain")}`
  ]),
  "There is nobody."
)}</section>`
        }
      })
    })
  })
)

const tile = (address: string, count: number, what: string) =>
  html`<li><a class="tile" href="${address}"><strong>${count}</strong> ${what}${count !== 1 && "s"}</a></li>`

const start = html`<div class="card"><h2>Your first call</h2>
<ol>
<li><a href="/dashboard/api-keys#create">Create an API key</a> for the sandbox. It costs nothing and reaches no real phone.</li>
<li>Send it as <code>Authorization: Bearer svc_sbx_…</code> to <code>GET /v1/me</code>.</li>
<li>Read on in the <a href="/docs">API reference</a>.</li>
</ol></div>`
