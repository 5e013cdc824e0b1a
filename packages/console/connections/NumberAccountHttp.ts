import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { NumprovConnection, NumprovResource } from "@carteiro/schema/provider-connections/NumprovConnection.ts"
import { NumprovByokTermsRequired } from "@carteiro/schema/provider-connections/NumprovErrors.ts"
import { Effect, Layer, Result } from "effect"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { field, queryParameter, unconfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { addressOf } from "../kit/Lists.ts"
import { live, moving } from "../kit/LiveScript.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { confirmation, facts, form, instant, none, pager } from "../kit/Parts.ts"
import { NotAllowed, NotHere } from "../kit/Refusals.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import {
  accountBadge,
  connectForm,
  inventoryTable,
  newKey,
  numberAccountAddress,
  numberAccountsAddress,
  troubleOf
} from "./NumberAccountParts.ts"

/** Numbers of an account on one page. */
const numbersShown = "50"
/** Seconds after which a page whose account is being proven is loaded again. */
const again = 3

/** One account of the organization at the number provider: its numbers, its key and its end. */
export const NumberAccountHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { numprovConnections, phoneCoverage, phoneNumbers } = yield* Operations

    const requireAccount = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<FoundAccount, ApiError> {
      const environment = yield* environmentOf(visit)
      const params = { numprov_connection_id: yield* idOf(visit, "npc") }
      const account = yield* orNotHere(numprovConnections.get(asVisitor(visit, environment), { params }))
      return { environment, account, here: numberAccountAddress(environment.id, account.id) }
    })

    /** Returns a page of the numbers that were last listed, from where the one before ended. */
    const inventoryOf = (visit: Visit, { account, environment }: FoundAccount, after: string | undefined) =>
      numprovConnections.resources(asVisitor(visit, environment), {
        params: { numprov_connection_id: account.id },
        query: { limit: numbersShown, ...(after === undefined ? {} : { starting_after: after }) }
      })

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

    const change = (
      work: (visit: Visit, one: FoundAccount, sent: URLSearchParams) => Effect.Effect<Outcome, ApiError>
    ) =>
      Effect.fnUntraced(function* (visit: Visit, sent: URLSearchParams): Effect.fn.Return<Outcome, ApiError> {
        return yield* work(visit, yield* requireAccount(visit), sent)
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

    /** Returns the number of the account that a form is about, from the page of the list that it stands on. */
    const requireNumber = Effect.fnUntraced(function* (
      visit: Visit,
      one: FoundAccount,
      id: string | undefined,
      after: string | undefined
    ): Effect.fn.Return<NumprovResource, ApiError> {
      const { data } = yield* inventoryOf(visit, one, after)
      return data.find((number) => number.id === id) ?? (yield* new NotHere())
    })

    const askConnect = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      if (!visit.mayChange) return yield* new NotAllowed()
      const one = yield* requireAccount(visit)
      const after = queryParameter(visit.request, "after")
      const number = yield* requireNumber(visit, one, queryParameter(visit.request, "number"), after)
      const typed = { display_name: "", upstream_phone_number_id: "" }
      return connectPage(one, connectForm(visit, { here: one.here, number, after, typed, refusal: undefined }))
    })

    const connect = change((visit, one, sent) =>
      Effect.gen(function* () {
        const after = field(sent, "after") || undefined
        const number = yield* requireNumber(visit, one, field(sent, "number"), after)
        const typed = {
          display_name: field(sent, "display_name").trim(),
          upstream_phone_number_id: field(sent, "upstream_phone_number_id").trim()
        }
        const refusedBy = (refusal: ApiError): Outcome => ({
          ...connectPage(one, connectForm(visit, { here: one.here, number, after, typed, refusal })),
          status: refusal.status
        })
        if (field(sent, "terms") !== terms) return refusedBy(new NumprovByokTermsRequired())
        const { display_name, upstream_phone_number_id } = typed
        const payload = {
          provider_connection_id: one.account.id,
          provider_number_id: number.provider_number_id,
          display_name,
          continuation_terms_version: terms,
          ...(upstream_phone_number_id === "" ? {} : { upstream_phone_number_id })
        } as const
        const outcome = yield* Effect.result(phoneNumbers.importNumprov(asVisitor(visit, one.environment), { payload }))
        if (Result.isFailure(outcome)) return refusedBy(outcome.failure)
        const { id } = outcome.success
        return {
          to: `/dashboard/phone-numbers/${one.environment.id}/${id}?done=number_connected`,
          audited: { subject: id, after: { provider_number_id: number.provider_number_id } }
        }
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
      page({ operation: "askConnectNumber", path: `${path}/connect`, handler: askConnect }),
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
      }),
      action({
        operation: "connectNumber",
        audit: "phone_number.connected",
        keeps: ["display_name"],
        path: `${path}/connect`,
        handler: connect
      })
    )
  })
)

/** An account, the environment that it is of, and the address of its page. */
interface FoundAccount {
  readonly environment: EnvironmentEntry
  readonly account: NumprovConnection
  readonly here: string
}

/** The version of the terms that the form shows. */
const terms = "numprov_byok_v1"

/** Returns what all pages of an account have in common. */
const accountPage = ({ environment }: FoundAccount) => ({
  section: "connections" as const,
  environment: environment.id,
  up: [addressOf(numberAccountsAddress, { environment: environment.id }), "Number accounts"] as const
})

const connectPage = (one: FoundAccount, body: Html): Page => ({
  ...accountPage(one),
  title: "Connect a number of this account",
  up: [one.here, html`${one.account.display_name}`],
  body
})

/** Asks for the name of an account before it is disconnected. */
const disconnectPage = (csrf: string, one: FoundAccount, error?: Html): Page => ({
  ...accountPage(one),
  title: "Disconnect this account?",
  status: error === undefined ? 200 : 400,
  up: [one.here, html`${one.account.display_name}`],
  body: confirmation({
    action: `${one.here}/disconnect`,
    csrf,
    explanation: html`<p>Its key is erased, and nothing is heard of its text messages any more. Numbers that are connected stay.</p>`,
    button: "Disconnect",
    back: one.here,
    dangerous: true,
    name: { value: one.account.display_name, error }
  })
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
