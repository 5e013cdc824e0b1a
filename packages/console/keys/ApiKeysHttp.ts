import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import type { ApiKey, ApiKeyWithSecret } from "@carteiro/schema/access/ApiKey.ts"
import { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect, Layer, Result } from "effect"
import { shellWord } from "../../html/ShellWord.ts"
import { confirmationPage } from "../kit/Confirmation.ts"
import { envFile, secret } from "../kit/CopyParts.ts"
import { environmentName, environmentOf } from "../kit/Environments.ts"
import { field, unconfirmed } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, say, statusWord } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { shellBlock } from "../kit/ListCalls.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { makeOperationList } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, instant, none, notice, personText, type Table, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import {
  keyForm,
  mintOf,
  noPlace,
  placeNamed,
  type RefusedKey,
  refusedKey,
  type Typed,
  typedKey
} from "./ApiKeyForm.ts"
import { presetScopes } from "./ScopeFields.ts"

const address = "/dashboard/api-keys"

/** Keys of an environment; made with any scope and revoked here. */
export const ApiKeysHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { apiKeys, mintedKeys } = yield* Operations
    const publicUrl = yield* PublicUrl

    const { routes, show } = yield* keyList

    const requireKey = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<FoundKey, ApiError> {
      const environment = yield* environmentOf(visit)
      const params = { api_key_id: visit.request.params.id ?? "" }
      const key = yield* Effect.catchTag(
        apiKeys.get(asVisitor(visit, environment), { params }),
        "api_key_not_found",
        () => Effect.fail(new NotHere())
      )
      return { environment, key }
    })

    const create = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const typed = typedKey(sent)
      const all = yield* visit.environments
      const place = placeNamed(typed, all)
      if (sent.has("preset")) {
        const ticked = { ...typed, scopes: presetScopes(field(sent, "preset")) }
        const around = { after: keyForm(address, visit, all, ticked, undefined) }
        return { ...(yield* show(visit, { place: place ?? all[0], around })), changes: false }
      }
      const refuse = (refused: RefusedKey) =>
        show(visit, {
          place: place ?? all[0],
          around: { page: { status: 400 }, after: keyForm(address, visit, all, typed, refused) }
        })
      if (place === undefined) return yield* refuse(noPlace)
      const minted = yield* Effect.result(mintedKeys.mint(asVisitor(visit, place), { payload: mintOf(typed) }))
      if (Result.isFailure(minted)) {
        const refused = refusedKey(minted.failure)
        return refused === undefined ? yield* minted.failure : yield* refuse(refused)
      }
      const key = minted.success
      return { ...createdPage(key, place, publicUrl()), audited: { subject: key.id, environment: place.id } }
    })

    const revoke = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const found = yield* requireKey(visit)
      const { environment, key } = found
      const error = unconfirmed(sent, key.name)
      if (error !== undefined) return revokePage(visit.csrf, found, error)
      yield* apiKeys.revoke(asVisitor(visit, environment), { params: { api_key_id: key.id } })
      return { to: `${address}?environment=${environment.id}&done=revoked` }
    })

    return Layer.mergeAll(
      routes,
      action({
        operation: "createKey",
        audit: "api_key.created",
        keeps: ["name", "scopes", "expires_on"],
        path: address,
        handler: create
      }),
      page({
        operation: "askRevokeKey",
        path: `${address}/:environment/:id/revoke`,
        handler: (visit) => Effect.map(requireKey(visit), (found) => revokePage(visit.csrf, found))
      }),
      action({
        operation: "revokeKey",
        audit: "api_key.revoked",
        path: `${address}/:environment/:id/revoke`,
        handler: revoke
      })
    )
  })
)

const keyList = Effect.gen(function* () {
  const { mintedKeys } = yield* Operations
  const keys = (yield* makeOperationList)("mintedKeys.list", mintedKeys.list)
  return yield* environmentList({
    operation: "keys",
    path: address,
    title: "API keys",
    section: "keys",
    api: "apiKeys.list",
    filters: {},
    read: (environment, _, before, count, visit) => keys(visit, environment, before, count, {}),
    idOf: ({ id }) => id,
    table: (rows, { id }, nothing, visit) => keyTable(visit, id, rows, nothing),
    file: membersOf(
      (key: ApiKey) => key,
      "id",
      "name",
      "key_prefix",
      "kind",
      "status",
      "scopes",
      "last_used_at",
      "expires_at",
      "created_at",
      "revoked_at"
    ),
    empty: () => ({
      purpose: say(
        "A key lets a program of yours call the API, in this environment alone and with the scopes that you give it."
      )
    }),
    around: Effect.fnUntraced(function* (environment, visit, rows) {
      const typed: Typed = {
        name: "",
        project_id: environment?.project_id ?? "",
        environment: environment?.kind ?? "sandbox",
        expires: "",
        scopes: []
      }
      return visit.mayChange
        ? {
            before:
              rows.length > 0 && html`<p class="buttons"><a class="button primary" href="#create">Create a key</a></p>`,
            after: keyForm(address, visit, yield* visit.environments, typed, undefined)
          }
        : {}
    })
  })
})

const keyTable = (visit: Visit, environmentId: string, rows: ReadonlyArray<ApiKey>, nothing: Piece): Table =>
  table(
    "API keys of the environment",
    ["Name", "Key", "Kind", "Status", "Last used", "Expires", "Scopes", "Revocation"],
    rows.map((key) => [
      personText(key.name),
      html`<code>${key.key_prefix}…</code>`,
      contractWord(key.kind),
      status(key, visit.now),
      instant(key.last_used_at),
      instant(key.expires_at),
      key.scopes.length === 0
        ? none("none")
        : html`<details><summary>${key.scopes.length} of ${KeyScope.literals.length}</summary>${scopesOf(key)}</details>`,
      key.revoked_at === null && visit.mayChange
        ? html`<a href="${address}/${environmentId}/${key.id}/revoke">Revoke<span class="hidden"> ${key.name}</span></a>`
        : instant(key.revoked_at, "no")
    ]),
    nothing
  )

const scopesOf = ({ scopes }: Pick<ApiKey, "scopes">) =>
  scopes.map((scope) => html`<code class="scope">${scope}</code> `)

const status = (key: ApiKey, now: number): Html =>
  key.status === "revoked"
    ? badge(statusWord("key", "revoked"), "bad")
    : key.expires_at !== null && (parseTimestamp(key.expires_at) ?? now) <= now
      ? badge(statusWord("key", "expired"), "warn")
      : badge(statusWord("key", "active"), "good")

const createdPage = (key: ApiKeyWithSecret, place: EnvironmentEntry, base: string): Page => ({
  title: "Key created",
  section: "keys",
  environment: place.id,
  status: 201,
  up: [`${address}?environment=${place.id}`, "API keys"],
  body: html`<div class="card">
${notice("warn", say("Copy the key now. It is shown this once and kept nowhere."))}
${secret("API key", key.secret)}
${envFile([
  ["CARTEIRO_API_BASE", base],
  ["CARTEIRO_API_KEY", key.secret]
])}
${facts([
  ["Name", key.name],
  ["Environment", environmentName(place)],
  ["Expires", instant(key.expires_at)],
  ["Scopes", key.scopes.length === 0 ? none("none") : scopesOf(key)],
  ["Id", html`<code>${key.id}</code>`]
])}</div>
<section aria-labelledby="try"><h2 id="try">Try it</h2>
<p>Paste this line in a terminal and press Enter, then paste the key and press Enter again. The key is not shown and stays out of the history.</p>
${shellBlock("read -rs CARTEIRO_API_KEY")}
<p>Then call the API with it. Any key may read what it is.</p>
${shellBlock(`curl ${shellWord(`${base}/v1/me`)} \\\n  -H "Authorization: Bearer $CARTEIRO_API_KEY"`)}</section>`
})

interface FoundKey {
  readonly environment: EnvironmentEntry
  readonly key: ApiKey
}

const revokePage = (csrf: string, { environment, key }: FoundKey, error?: Html): Page =>
  confirmationPage({
    title: "Revoke this key?",
    section: "keys",
    environment: environment.id,
    up: [`${address}?environment=${environment.id}`, "API keys"],
    action: `${address}/${environment.id}/${key.id}/revoke`,
    csrf,
    explanation: html`${facts([
      ["Name", key.name],
      ["Key", html`<code>${key.key_prefix}…</code>`],
      ["Environment", environmentName(environment)],
      ["Last used", instant(key.last_used_at)],
      ["Id", html`<code>${key.id}</code>`]
    ])}<p>The next request with it is refused. This cannot be undone.</p>`,
    button: "Revoke the key",
    dangerous: true,
    name: { value: key.name, error }
  })
