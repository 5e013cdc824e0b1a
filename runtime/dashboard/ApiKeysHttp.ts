import type { ApiKey, ApiKeyWithSecret } from "@carteiro/schema/access/ApiKey.ts"
import { EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { label } from "@carteiro/schema/conventions/Text.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect, Layer, Schema } from "effect"
import { ApiKeys, Environments, expiryWithinBounds } from "../access/Access.ts"
import { type Chosen, chosenEnvironment, environmentName, environmentOf, picker } from "./Environments.ts"
import { asked, field } from "./Forms.ts"
import { type Html, html } from "./Html.ts"
import type { Page } from "./Layout.ts"
import { action, type Outcome, page, type Visit } from "./Pages.ts"
import { badge, confirmation, facts, form, given, input, instant, notice, select, table } from "./Parts.ts"
import { NotHere } from "./Refusals.ts"
import { scopeFields } from "./ScopeFields.ts"

const address = "/dashboard/api-keys"
const pageRows = 50

/** Keys of an environment; made with any scope and revoked here. gaps-1 C "First administrative key and bootstrap" */
export const ApiKeysHttp = Layer.unwrap(
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const environments = yield* Environments

    const list = Effect.fnUntraced(function* (
      visit: Visit,
      typed: Typed = {}
    ): Effect.fn.Return<Outcome, ApiError, Environments> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const after = asked(visit.request, "after")
      const rows = environment === undefined ? [] : yield* keys.list(environment.id, after, pageRows)
      const more = rows.length > pageRows ? rows[pageRows - 1]?.id : undefined
      return {
        title: "API keys",
        section: "keys",
        status: typed.error === undefined ? 200 : 400,
        body: html`${picker(address, chosen)}
${keyTable(visit, environment?.id ?? "", rows.slice(0, pageRows))}
${more && html`<p><a class="button" href="${address}?environment=${environment?.id}&amp;after=${more}">Older keys</a></p>`}
${visit.mayChange && createForm(visit, chosen, typed)}`
      }
    })

    const create = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError, Environments> {
      const typed: Typed = {
        name: field(sent, "name"),
        scopes: sent.getAll("scopes"),
        expires: field(sent, "expires_on")
      }
      const project_id = field(sent, "project_id")
      const kind = field(sent, "environment")
      const all = yield* environments.list(visit.organizationId)
      const place = all.find((entry) => entry.project_id === project_id && entry.kind === kind)
      const expires_at = endOf(typed.expires ?? "")
      const error = isName(typed.name)
        ? typed.scopes?.every(isScope) !== true
          ? "One of the scopes is unknown."
          : place === undefined || place.project_archived || !isKind(kind)
            ? "Pick an active project and one of its environments."
            : expires_at === undefined || (expires_at !== null && !expiryWithinBounds(expires_at, visit.now))
              ? "The last day must be today or later, at most 5 years ahead."
              : undefined
        : "A name has 1 to 255 characters."
      if (error !== undefined || place === undefined) return yield* list(visit, { ...typed, error: error ?? "" })
      const key = yield* keys.mint(
        {
          organization_id: visit.organizationId,
          project_id,
          environment_id: place.id,
          environment: place.kind,
          name: (typed.name ?? "").trim().normalize("NFC"),
          scopes: [...new Set(typed.scopes?.filter(isScope))],
          kind: "standard",
          expires_at: expires_at ?? null
        },
        visit.now
      )
      return createdPage(key, place.id, environmentName(place))
    })

    const askRevoke = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError, Environments> {
      const environment = yield* environmentOf(visit)
      const key = (yield* keys.find(environment.id, visit.request.params.id ?? "")) ?? (yield* new NotHere())
      return {
        title: "Revoke this key?",
        section: "keys",
        up: [`${address}?environment=${environment.id}`, "API keys"],
        body: confirmation({
          action: `${address}/${environment.id}/${key.id}/revoke`,
          csrf: visit.csrf,
          explanation: html`${facts([
            ["Name", key.name],
            ["Key", html`<code>${key.key_prefix}…</code>`],
            ["Environment", environmentName(environment)],
            ["Last used", instant(key.last_used_at)]
          ])}<p>The next request with it is refused. This cannot be undone.</p>`,
          button: "Revoke the key",
          back: `${address}?environment=${environment.id}`,
          dangerous: true
        })
      }
    })

    const revoke = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError, Environments> {
      const environment = yield* environmentOf(visit)
      yield* keys.revoke(environment.id, visit.request.params.id ?? "", visit.now)
      return { to: `${address}?environment=${environment.id}&done=revoked` }
    })

    return Layer.mergeAll(
      page({ operation: "keys", path: address, handler: (visit) => list(visit) }),
      action({ operation: "createKey", path: address, handler: create }),
      page({ operation: "askRevokeKey", path: `${address}/:environment/:id/revoke`, handler: askRevoke }),
      action({ operation: "revokeKey", path: `${address}/:environment/:id/revoke`, handler: revoke })
    )
  })
)

/** What was typed into the form, and why it was not taken. */
interface Typed {
  readonly name?: string
  readonly scopes?: ReadonlyArray<string>
  readonly expires?: string
  readonly error?: string
}

const isName = Schema.is(label(1, 255))
const isScope = Schema.is(KeyScope)
const isKind = Schema.is(EnvironmentKind)

/** The end of a day in UTC; null when none was given, undefined when it is no day. Milliseconds. */
const endOf = (day: string): number | null | undefined => (day === "" ? null : parseTimestamp(`${day}T23:59:59.999Z`))

const keyTable = (visit: Visit, environmentId: string, rows: ReadonlyArray<ApiKey>): Html =>
  table(
    "API keys of the environment",
    ["Name", "Key", "Kind", "Status", "Last used", "Expires", "Scopes", "Revoked"],
    rows.map((key) => [
      given(key.name),
      html`<code>${key.key_prefix}…</code>`,
      badge(key.kind, key.kind === "agent" ? "info" : "plain"),
      status(key, visit.now),
      instant(key.last_used_at),
      instant(key.expires_at),
      html`<details><summary>${key.scopes.length} of ${KeyScope.literals.length}</summary>${key.scopes.map(
        (scope) => html`<code class="scope">${scope}</code> `
      )}</details>`,
      key.revoked_at === null && visit.mayChange
        ? html`<a href="${address}/${environmentId}/${key.id}/revoke">Revoke<span class="hidden"> ${key.name}</span></a>`
        : instant(key.revoked_at, "no")
    ]),
    "This environment has no keys."
  )

const status = (key: ApiKey, now: number): Html =>
  key.status === "revoked"
    ? badge("revoked", "bad")
    : key.expires_at !== null && (parseTimestamp(key.expires_at) ?? now) <= now
      ? badge("expired", "warn")
      : badge("active", "good")

const createForm = (visit: Visit, { all, environment }: Chosen, typed: Typed): Html => {
  const projects = all.filter((entry) => !entry.project_archived && entry.kind === "sandbox")
  if (projects.length === 0) return html`<p class="empty">Keys need an active project.</p>`
  return html`<section class="card" id="create" aria-labelledby="create-title"><h2 id="create-title">Create a key</h2>
${typed.error && notice("bad", typed.error)}
${form(
  address,
  visit.csrf,
  html`${input({ name: "name", label: "Name", value: typed.name ?? "", hint: "What it is for, for people.", required: true, maxLength: 255 })}
<div class="pair">${select(
    "project_id",
    "Project",
    projects.map((entry) => [entry.project_id, entry.project_name]),
    environment?.project_id
  )}
<div class="field"><label for="kind">Environment</label><select id="kind" name="environment">
${EnvironmentKind.literals.map((kind) => html`<option${kind === environment?.kind && html` selected`}>${kind}</option>`)}</select></div>
${input({ name: "expires_on", label: "Last day (optional)", type: "date", value: typed.expires ?? "" })}</div>
${scopeFields(typed.scopes ?? [])}
<div class="buttons"><button class="primary">Create the key</button></div>`
)}</section>`
}

const createdPage = (key: ApiKeyWithSecret, environmentId: string, where: string): Page => ({
  title: "Key created",
  section: "keys",
  status: 201,
  up: [`${address}?environment=${environmentId}`, "API keys"],
  body: html`<div class="card">
${notice("warn", "Copy the key now. It is shown this once and kept nowhere.")}
<p><label for="secret">API key</label><input id="secret" class="secret" type="text" readonly value="${key.secret}" autocomplete="off" spellcheck="false"></p>
${facts([
  ["Name", key.name],
  ["Environment", where],
  ["Expires", instant(key.expires_at)],
  ["Scopes", key.scopes.length === 0 ? "none" : key.scopes.map((scope) => html`<code class="scope">${scope}</code> `)]
])}</div>`
})
