import { readReply } from "@carteiro/http-edge/Reply.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import {
  ConnectionChannel,
  ConnectionProvider,
  ConnectionStatus
} from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import { SetupTarget } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { Effect, Layer, Schema } from "effect"
import type { EnvironmentEntry } from "../../access/Access.ts"
import {
  ConnectionAdmin,
  capabilitiesOf,
  remediesOf,
  SetupActions,
  type StoredConnection
} from "../../provider-connections/ProviderConnections.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { wordFilter } from "../kit/Filters.ts"
import { field, unconfirmed } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, say, sentence } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import {
  badge,
  confirmation,
  facts,
  form,
  given,
  instant,
  none,
  notice,
  select,
  type Table,
  table
} from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { targetName } from "./SetupFields.ts"

const address = "/dashboard/connections"

/** Connections with their health, their end, what blocks them and what to do about it. M-CONN-08..18 */
export const ConnectionsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const connections = yield* ConnectionAdmin
    const setups = yield* SetupActions

    const found = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Found, ApiError> {
      const environment = yield* environmentOf(visit)
      const connection = yield* connections.find(environment.id, yield* idOf(visit, "pcn"))
      return { environment, connection: connection ?? (yield* new NotHere()) }
    })

    const { routes } = yield* environmentList({
      operation: "connections",
      path: address,
      title: "Connections",
      section: "connections",
      api: "providerConnections.list",
      filters: {
        provider: wordFilter("Provider", ConnectionProvider.literals),
        channel: wordFilter("Channel", ConnectionChannel.literals),
        status: wordFilter("Status", ConnectionStatus.literals)
      },
      read: ({ id }, search, before, count) =>
        Effect.map(connections.list(id, count, search, before), (rows) => ({ rows, walked_to: null })),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing, { now }) => connectionTable(id, rows, nothing, now),
      file: membersOf(
        (connection: StoredConnection) => connection,
        "id",
        "display_name",
        "provider",
        "channel",
        "status",
        "biz_account_id"
      ),
      empty: () => ({
        purpose: say(
          "Accounts of yours at providers of messages and payments. Production sends through them; a sandbox needs none."
        )
      }),
      around: (environment, visit) =>
        Effect.succeed(visit.mayChange && environment !== undefined ? { after: newSetup(visit, environment.id) } : {})
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const { connection, environment } = yield* found(visit)
      const here = `${address}/${environment.id}/${connection.id}`
      return {
        title: html`${connection.display_name}`,
        section: "connections",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Connections"],
        body: html`${remediesOf(connection, visit.now).map(({ problem, remedy }) => notice("warn", html`${sentence(problem)} ${sentence(remedy)}`))}
<div class="card">${factsOf(connection, environment)}
${visit.mayChange && connection.status !== "disconnected" && standing(visit, here, connection)}</div>
<section aria-labelledby="accounts"><h2 id="accounts">Accounts that its token reaches</h2>${accountTable(connection)}</section>`
      }
    })

    const askDisconnect = Effect.fnUntraced(function* (
      visit: Visit,
      error?: Html
    ): Effect.fn.Return<Outcome, ApiError> {
      const { connection, environment } = yield* found(visit)
      const here = `${address}/${environment.id}/${connection.id}`
      return {
        title: "Disconnect this account?",
        status: error === undefined ? 200 : 400,
        section: "connections",
        environment: environment.id,
        up: [here, html`${connection.display_name}`],
        body: confirmation({
          action: `${here}/disconnect`,
          csrf: visit.csrf,
          explanation: html`<p>Its credential is erased. What waits to be sent through it fails with <code>no_provider_connection</code>.</p>`,
          button: "Disconnect",
          back: here,
          dangerous: true,
          name: { value: connection.display_name, error }
        })
      }
    })

    const disconnect = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const { connection, environment } = yield* found(visit)
      const name = connection.display_name
      const error = unconfirmed(sent, name)
      if (error !== undefined) return yield* askDisconnect(visit, error)
      yield* connections.disconnect(environment.id, connection.id, visit.now)
      return { to: `${address}/${environment.id}/${connection.id}?done=disconnected` }
    })

    const choose = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const { connection, environment } = yield* found(visit)
      yield* connections.select(environment.id, connection.id, visit.now)
      return { to: `${address}/${environment.id}/${connection.id}?done=saved` }
    })

    const begin = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const target = field(sent, "target")
      if (!isTarget(target)) return yield* new NotHere()
      const caller = {
        organization_id: visit.organizationId,
        project_id: environment.project_id,
        environment_id: environment.id,
        environment: environment.kind
      }
      const made = yield* setups.create({ caller, now: visit.now, traceId: visit.request.traceId }, { target })
      return { to: `/dashboard/setup/${readReply(made).id}` }
    })

    const path = `${address}/:environment/:id`
    return Layer.mergeAll(
      routes,
      page({ operation: "connection", path, handler: show }),
      page({
        operation: "askDisconnectConnection",
        path: `${path}/disconnect`,
        handler: (visit) => askDisconnect(visit)
      }),
      action({
        operation: "disconnectConnection",
        audit: "connection.disconnected",
        path: `${path}/disconnect`,
        handler: disconnect
      }),
      action({ operation: "selectConnection", audit: "connection.selected", path: `${path}/select`, handler: choose }),
      action({
        operation: "beginSetup",
        audit: "connection.setup_begun",
        keeps: ["target"],
        path: `${address}/:environment`,
        handler: begin
      })
    )
  })
)

interface Found {
  readonly environment: EnvironmentEntry
  readonly connection: StoredConnection
}

const isTarget = Schema.is(SetupTarget)

const statusBadge = (status: StoredConnection["status"]): Html =>
  badge(contractWord(status), status === "connected" ? "good" : status === "suspended" ? "bad" : "plain")

const connectionTable = (
  environmentId: string,
  rows: ReadonlyArray<StoredConnection>,
  nothing: Piece,
  now: number
): Table =>
  table(
    "Connections, newest first",
    ["Name", "Provider", "Channel", "Status", "Account", "Token expires", "To do"],
    rows.map((row) => [
      html`<a href="${address}/${environmentId}/${row.id}">${given(row.display_name)}</a>`,
      row.provider,
      row.channel,
      statusBadge(row.status),
      row.biz_account_id === null ? none("none") : html`<code>${row.biz_account_id}</code>`,
      instant(row.token_expires_at),
      remediesOf(row, now).map(({ problem }) => html`<p>${sentence(problem)}</p>`)
    ]),
    nothing
  )

const factsOf = (row: StoredConnection, environment: EnvironmentEntry): Html =>
  facts([
    ["Status", statusBadge(row.status)],
    ["Environment", environmentName(environment)],
    ["Provider", `${row.provider} · ${row.channel}`],
    [
      "Credential",
      row.credential_last_four === null ? none("not shown") : html`<code>…${row.credential_last_four}</code>`
    ],
    ["Token expires", instant(row.token_expires_at)],
    ["Token proven", instant(row.token_refreshed_at)],
    ["Token rotated", instant(row.token_rotated_at)],
    ["Webhook secret", row.webhook_secret_configured ? say("configured") : none("none")],
    row.provider === "upstream"
      ? ["Business account", html`<code>${row.biz_account_id ?? say("not proven")}</code>`]
      : undefined,
    row.account_review_status === null ? undefined : ["Review", row.account_review_status],
    row.last_policy_warning_type === null
      ? undefined
      : ["Last policy warning", html`${row.last_policy_warning_type} ${instant(row.last_policy_warning_at)}`],
    ["Connected", instant(row.created_at)],
    ["Disconnected", instant(row.disconnected_at)],
    ["Id", html`<code>${row.id}</code>`]
  ])

const accountTable = (connection: StoredConnection): Html =>
  table(
    "Accounts",
    ["Account", "May send", "Blocked by", "Observed"],
    capabilitiesOf(connection).map((account) => [
      html`<code>${account.biz_account_id}</code>`,
      account.send_capability === null
        ? none("not known")
        : badge(contractWord(account.send_capability), account.send_capability === "available" ? "good" : "bad"),
      account.send_block_codes?.join(", ") || none("nothing"),
      instant(account.observed_at)
    ]),
    say("None is known.")
  )

const standing = (visit: Visit, here: string, connection: StoredConnection): Html =>
  html`<div class="buttons">${
    connection.channel === "payments" &&
    connection.status === "connected" &&
    form(
      `${here}/select`,
      visit.csrf,
      html`<button>${connection.selected_at === null ? say("Take payments through it") : say("It is the chosen one")}</button>`
    )
  }<a class="button danger" href="${here}/disconnect">Disconnect</a></div>`

const newSetup = (visit: Visit, environmentId: string): Html =>
  html`<section class="card" aria-labelledby="new"><h2 id="new">Enter credentials</h2>
${form(
  `${address}/${environmentId}`,
  visit.csrf,
  html`${select({
    name: "target",
    label: "What to connect",
    choices: SetupTarget.literals.map((target) => [target, targetName(target)]),
    chosen: "upstream.chatapp"
  })}<div class="buttons"><button class="primary">Continue</button></div>`
)}</section>`
