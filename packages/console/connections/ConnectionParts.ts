import type { OwnConnection } from "@carteiro/schema/provider-connections/ConnectionDecisionsApi.ts"
import { SetupTarget } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { channelName } from "../kit/Channels.ts"
import { confirmationPage } from "../kit/Confirmation.ts"
import { environmentName } from "../kit/Environments.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, say, sentence, statusWord } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import type { Visit } from "../kit/Pages.ts"
import { badge, facts, form, instant, none, notice, personText, select, type Table, table } from "../kit/Parts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { targetName } from "./SetupFields.ts"

export const connectionsAddress = "/dashboard/connections"

/** Where one connection is shown. */
export const connectionAddress = (environmentId: string, id: string): string =>
  `${connectionsAddress}/${environmentId}/${id}`

/** A connection and the environment that it is of. */
export interface FoundConnection {
  readonly environment: EnvironmentEntry
  readonly connection: OwnConnection
}

/** Returns the page of a connection: what blocks it and what to do, its facts, the accounts that it reaches. */
export const connectionPage = (visit: Visit, { connection, environment }: FoundConnection): Page => ({
  title: html`${connection.display_name}`,
  section: "connections",
  environment: environment.id,
  up: [`${connectionsAddress}?environment=${environment.id}`, "Connections"],
  body: html`${connection.remedies.map(({ problem, remedy }) => notice("warn", html`${sentence(problem)} ${sentence(remedy)}`))}
<div class="card">${factsOf(connection, environment)}
${visit.mayChange && connection.status !== "disconnected" && standing(visit, connectionAddress(environment.id, connection.id), connection)}</div>
<section aria-labelledby="accounts"><h2 id="accounts">Accounts that its token reaches</h2>${accountTable(connection)}</section>`
})

/** Asks for the name of a connection before it is disconnected. */
export const disconnectPage = (csrf: string, { connection, environment }: FoundConnection, error?: Html): Page => {
  const here = connectionAddress(environment.id, connection.id)
  return confirmationPage({
    title: "Disconnect this account?",
    section: "connections",
    environment: environment.id,
    up: [here, html`${connection.display_name}`],
    action: `${here}/disconnect`,
    csrf,
    explanation: html`<p>Its credential is erased. What waits to be sent through it fails with <code>no_provider_connection</code>.</p>`,
    button: "Disconnect",
    dangerous: true,
    name: { value: connection.display_name, error }
  })
}

const statusBadge = (status: OwnConnection["status"]): Html =>
  badge(statusWord("connection", status), status === "connected" ? "good" : status === "suspended" ? "bad" : "plain")

/** Shows the connections of an environment, each leading to its page. */
export const connectionTable = (environmentId: string, rows: ReadonlyArray<OwnConnection>, nothing: Piece): Table =>
  table(
    "Connections, newest first",
    ["Name", "Provider", "Channel", "Status", "Account", "Token expires", "To do"],
    rows.map((row) => [
      html`<a href="${connectionsAddress}/${environmentId}/${row.id}">${personText(row.display_name)}</a>`,
      contractWord(row.provider),
      channelName(row.channel),
      statusBadge(row.status),
      row.biz_account_id === null ? none("none") : html`<code>${row.biz_account_id}</code>`,
      instant(row.token_expires_at),
      row.remedies.map(({ problem }) => html`<p>${sentence(problem)}</p>`)
    ]),
    nothing
  )

const factsOf = (row: OwnConnection, environment: EnvironmentEntry): Html =>
  facts([
    ["Status", statusBadge(row.status)],
    ["Environment", environmentName(environment)],
    ["Provider", html`${contractWord(row.provider)} · ${channelName(row.channel)}`],
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
    row.account_review_status === null
      ? undefined
      : ["Review", statusWord("account", row.account_review_status.toLowerCase())],
    row.last_policy_warning_type === null
      ? undefined
      : ["Last policy warning", html`${row.last_policy_warning_type} ${instant(row.last_policy_warning_at)}`],
    ["Connected", instant(row.created_at)],
    ["Disconnected", instant(row.disconnected_at)],
    ["Id", html`<code>${row.id}</code>`]
  ])

const accountTable = (connection: OwnConnection): Html =>
  table(
    "Accounts",
    ["Account", "May send", "Blocked by", "Observed"],
    connection.biz_account_send_capabilities.map((account) => [
      html`<code>${account.biz_account_id}</code>`,
      account.send_capability === null
        ? none("not known")
        : badge(
            statusWord("account", account.send_capability),
            account.send_capability === "available" ? "good" : "bad"
          ),
      account.send_block_codes?.join(", ") || none("nothing"),
      instant(account.observed_at)
    ]),
    say("None is known.")
  )

const standing = (visit: Visit, here: string, connection: OwnConnection): Html =>
  html`<div class="buttons">${
    connection.channel === "payments" &&
    connection.status === "connected" &&
    form(
      `${here}/select`,
      visit.csrf,
      html`<button>${!connection.is_selected ? say("Take payments through it") : say("It is the chosen one")}</button>`
    )
  }<a class="button danger" href="${here}/disconnect">Disconnect</a></div>`

/** The form that begins the setup of a connection. */
export const newSetup = (visit: Visit, environmentId: string): Html =>
  html`<section class="card" aria-labelledby="new"><h2 id="new">Enter credentials</h2>
${form(
  `${connectionsAddress}/${environmentId}`,
  visit.csrf,
  html`${select({
    name: "target",
    label: "What to connect",
    choices: SetupTarget.literals.map((target) => [target, targetName(target)]),
    chosen: "upstream.chatapp"
  })}<div class="buttons"><button class="primary">Continue</button></div>`
)}</section>`
