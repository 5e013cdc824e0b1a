import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { NumprovResource } from "@carteiro/schema/provider-connections/NumprovConnection.ts"
import { Effect, Layer, Result } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { environmentName } from "../kit/Environments.ts"
import { field, queryParameter, unconfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { addressOf } from "../kit/Lists.ts"
import { live, moving } from "../kit/LiveScript.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, form, instant, none, pager } from "../kit/Parts.ts"
import { accountBadge, inventoryTable, newKey, numberAccountsAddress, troubleOf } from "./NumberAccountParts.ts"
import { accountPage, type FoundAccount, makeAccountReads } from "./NumberAccountReads.ts"

/** Seconds after which a page whose account is being proven is loaded again. */
const again = 3

/** One account of the organization at the number provider: its numbers, its key and its end. */
export const NumberAccountHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { numprovConnections, phoneCoverage } = yield* Operations
    const { change, inventoryOf, requireAccount } = makeAccountReads(numprovConnections)

    const show = Effect.fnUntraced(function* (visit: Visit, refusal?: ApiError): Effect.fn.Return<Outcome, ApiError> {
      const one = yield* requireAccount(visit)
      const { account, environment, here } = one
      const after = queryParameter(visit.request, "after")
      const { data, next_cursor } = yield* inventoryOf(visit, one, after)
      const managed = yield* phoneCoverage.all(asVisitor(visit, environment))
      const known = new Map(managed.data.flatMap(({ id, phone }) => (phone === null ? [] : [[phone, { id }] as const])))
      const isMoving = account.latest_operation?.status === "pending"
      const mayChange = visit.mayChange && account.status === "connected"
      const connectAt = (number: NumprovResource) => addressOf(`${here}/connect`, { number: number.id, after })
      return {
        ...accountPage(one),
        title: html`${account.display_name}`,
        ...(refusal === undefined ? undefined : { status: refusal.status }),
        again: isMoving ? again : undefined,
        body: html`<div id="account"${live}>${troubleOf(account)}
${isMoving && html`<p class="muted" role="status"${moving(again)}>The provider is asked. This page moves by itself.</p>`}
<div class="card">${factsOf(one)}
${visit.mayChange && account.status !== "disconnected" && buttonsOf(visit, one)}</div>
<section aria-labelledby="numbers"><h2 id="numbers">Numbers of the account</h2>
<p class="muted">As the provider listed them last. A number that was listed more than 24 hours ago is connected after another look.</p>
${inventoryTable(environment.id, data, known, mayChange ? connectAt : undefined)}
${pager(after && here, next_cursor === null ? undefined : addressOf(here, { after: next_cursor }))}</section></div>
${mayChange && newKey(visit, here, refusal)}`
      }
    })

    const refresh = change((visit, { account, environment, here }) => {
      const params = { numprov_connection_id: account.id }
      return Effect.as(numprovConnections.discover(asVisitor(visit, environment), { params }), { to: here })
    })

    const rotate = change((visit, { account, environment, here }, sent) =>
      Effect.gen(function* () {
        const webhook_secret = field(sent, "webhook_secret").trim()
        const payload = {
          api_key: field(sent, "api_key").trim(),
          ...(webhook_secret === "" ? {} : { webhook_secret })
        }
        const params = { numprov_connection_id: account.id }
        const outcome = yield* Effect.result(
          numprovConnections.rotate(asVisitor(visit, environment), { params, payload })
        )
        return Result.isSuccess(outcome) ? { to: here } : yield* show(visit, outcome.failure)
      })
    )

    const disconnect = change((visit, one, sent) =>
      Effect.gen(function* () {
        const { account, environment, here } = one
        const error = unconfirmed(sent, account.display_name)
        if (error !== undefined) return disconnectPage(visit.csrf, one, error)
        const params = { numprov_connection_id: account.id }
        yield* numprovConnections.disconnect(asVisitor(visit, environment), { params })
        return { to: `${here}?done=disconnected` }
      })
    )

    const path = `${numberAccountsAddress}/:environment/:id`
    return Layer.mergeAll(
      page({ operation: "numberAccount", path, handler: (visit) => show(visit) }),
      page({
        operation: "askDisconnectNumberAccount",
        path: `${path}/disconnect`,
        handler: (visit) => Effect.map(requireAccount(visit), (one) => disconnectPage(visit.csrf, one))
      }),
      action({
        operation: "disconnectNumberAccount",
        audit: "number_account.disconnected",
        path: `${path}/disconnect`,
        handler: disconnect
      }),
      action({
        operation: "refreshNumberAccount",
        audit: "number_account.refreshed",
        path: `${path}/refresh`,
        handler: refresh
      }),
      action({
        operation: "rotateNumberAccount",
        audit: "number_account.key_changed",
        path: `${path}/key`,
        handler: rotate
      })
    )
  })
)

/** Asks for the name of an account before it is disconnected. */
const disconnectPage = (csrf: string, one: FoundAccount, error?: Html): Page =>
  confirmationPage({
    ...accountPage(one),
    title: "Disconnect this account?",
    up: [one.here, html`${one.account.display_name}`],
    action: `${one.here}/disconnect`,
    csrf,
    explanation: html`<p>Its key is erased, and nothing is heard of its text messages any more. Numbers that are connected stay.</p>`,
    button: "Disconnect",
    dangerous: true,
    name: { value: one.account.display_name, error }
  })

const factsOf = ({ account, environment }: FoundAccount): Html =>
  facts([
    ["Status", accountBadge(account.status)],
    ["Environment", environmentName(environment)],
    ["Account", html`<code>${account.account_id}</code>`],
    [
      "API key",
      account.credential_last_four === null ? none("not shown") : html`<code>…${account.credential_last_four}</code>`
    ],
    ["Webhook secret", account.webhook_secret_configured ? say("configured") : none("none")],
    ["Numbers listed", instant(account.last_discovered_at)],
    ["Added", instant(account.created_at)],
    account.disconnected_at === null ? undefined : ["Disconnected", instant(account.disconnected_at)],
    ["Id", html`<code>${account.id}</code>`]
  ])

const buttonsOf = (visit: Visit, { account, here }: FoundAccount): Html =>
  html`<div class="buttons">${
    account.status === "connected" && form(`${here}/refresh`, visit.csrf, html`<button>List the numbers again</button>`)
  }<a class="button danger" href="${here}/disconnect">Disconnect</a></div>`
