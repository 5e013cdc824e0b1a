import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { WebhookEventStatus } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Effect, Layer, Schema } from "effect"
import type { Environments } from "../../access/Access.ts"
import { WebhookAdmin } from "../../webhooks/Webhooks.ts"
import { chosenEnvironment, environmentName, environmentOf } from "../kit/Environments.ts"
import { asked, field } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, confirmation, facts, form, instant, notice, pager, select, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { deliveryTable } from "./DeliveryParts.ts"

const address = "/dashboard/webhooks"
const pageRows = 25

/** Receivers with their health and deliveries. A-WHE-01..11, A-WHE-24..30 */
export const WebhooksHttp = Layer.unwrap(
  Effect.gen(function* () {
    const board = yield* WebhookAdmin

    const requireEndpoint = Effect.fnUntraced(function* (
      visit: Visit
    ): Effect.fn.Return<Found, ApiError, Environments> {
      const environment = yield* environmentOf(visit)
      const endpoint = yield* board.endpoint(environment.id, environment.kind, visit.request.params.id ?? "")
      return { environment, endpoint: endpoint ?? (yield* new NotHere()) }
    })

    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError, Environments> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const endpoints = environment === undefined ? [] : yield* board.endpoints(environment.id, environment.kind)
      const before = asked(visit.request, "before")
      const rows = environment === undefined ? [] : yield* board.deliveries(environment.id, { before }, pageRows + 1)
      const shown = rows.slice(0, pageRows)
      const last = rows.length > pageRows ? shown.at(-1)?.id : undefined
      const here = `${address}?environment=${environment?.id}`
      return {
        title: "Webhooks",
        section: "webhooks",
        environment: environment?.id,
        body: html`<section aria-labelledby="endpoints"><h2 id="endpoints">Endpoints</h2>${endpointTable(environment?.id ?? "", endpoints)}</section>
<section aria-labelledby="recent"><h2 id="recent">Latest deliveries</h2>${deliveryTable(environment?.id ?? "", shown, endpoints)}
${pager("deliveries", before && here, last && `${here}&before=${last}`)}</section>`
      }
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError, Environments> {
      const { environment, endpoint } = yield* requireEndpoint(visit)
      const wanted = asked(visit.request, "status")
      const status = isStatus(wanted) ? wanted : undefined
      const before = asked(visit.request, "before")
      const rows = yield* board.deliveries(environment.id, { endpoint_id: endpoint.id, status, before }, pageRows + 1)
      const shown = rows.slice(0, pageRows)
      const here = `${address}/${environment.id}/endpoints/${endpoint.id}`
      const last = rows.length > pageRows ? shown.at(-1)?.id : undefined
      const filtered = `${here}?status=${status ?? ""}`
      return {
        title: "Webhook endpoint",
        section: "webhooks",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Webhooks"],
        body: html`<div class="card">${health(endpoint, environmentName(environment))}
${visit.mayChange && standing(visit, here, endpoint)}</div>
<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>
<form method="get" action="${here}" class="picker">${select({ name: "status", label: "Status", choices: statuses, chosen: status ?? "" })}<button>Show</button></form>
${deliveryTable(environment.id, shown)}
${pager("deliveries", before && filtered, last && `${filtered}&before=${last}`)}</section>`
      }
    })

    const askDisable = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError, Environments> {
      const { environment, endpoint } = yield* requireEndpoint(visit)
      const here = `${address}/${environment.id}/endpoints/${endpoint.id}`
      return {
        title: "Disable this endpoint?",
        section: "webhooks",
        environment: environment.id,
        up: [here, "Webhook endpoint"],
        body: confirmation({
          action: `${here}/status`,
          csrf: visit.csrf,
          explanation: html`<p><code class="url">${endpoint.url}</code></p><p>Deliveries that wait are cancelled, and events from now on are not sent there later. They stay readable by listening.</p>`,
          button: "Disable the endpoint",
          back: here,
          dangerous: true
        })
      }
    })

    const setStatus = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError, Environments> {
      const { environment, endpoint } = yield* requireEndpoint(visit)
      const status = field(sent, "status") === "active" ? "active" : "disabled"
      yield* board.setStatus(environment.id, endpoint.id, status, visit.request.traceId)
      const done = status === "active" ? "enabled" : "disabled"
      return { to: `${address}/${environment.id}/endpoints/${endpoint.id}?done=${done}` }
    })

    const endpointPath = `${address}/:environment/endpoints/:id`
    return Layer.mergeAll(
      page({ operation: "webhooks", path: address, handler: list }),
      page({ operation: "webhookEndpoint", path: endpointPath, handler: show }),
      page({ operation: "askDisableEndpoint", path: `${endpointPath}/disable`, handler: askDisable }),
      action({ operation: "setEndpointStatus", path: `${endpointPath}/status`, handler: setStatus })
    )
  })
)

interface Found {
  readonly environment: Effect.Success<ReturnType<typeof environmentOf>>
  readonly endpoint: WebhookEndpoint
}

const isStatus = Schema.is(WebhookEventStatus)
const statuses = [["", "All"], ...WebhookEventStatus.literals.map((status) => [status, status] as const)] as const

const healthOf = (endpoint: WebhookEndpoint): Html =>
  endpoint.status === "disabled"
    ? badge(endpoint.disabled_reason === "manual" ? "disabled by hand" : "disabled after failures", "bad")
    : endpoint.probation
      ? html`${badge("active", "good")} ${badge("on probation", "warn")}`
      : isFailing(endpoint)
        ? html`${badge("active", "plain")} ${badge("failing", "warn")}`
        : badge("active", "good")

/** Its last attempt failed, and none has succeeded since. */
const isFailing = ({ last_failure_at, last_success_at }: WebhookEndpoint): boolean =>
  last_failure_at !== null && (last_success_at === null || last_failure_at > last_success_at)

const endpointTable = (environmentId: string, endpoints: ReadonlyArray<WebhookEndpoint>): Html =>
  table(
    "Webhook endpoints of the environment",
    ["URL", "Health", "Events", "Last success", "Last failure"],
    endpoints.map((endpoint) => [
      html`<a class="url" href="${address}/${environmentId}/endpoints/${endpoint.id}">${endpoint.url}</a>`,
      healthOf(endpoint),
      endpoint.subscribed_events.length,
      instant(endpoint.last_success_at),
      instant(endpoint.last_failure_at)
    ]),
    html`This environment has no webhook endpoint. Register one with <code>POST /v1/webhook-endpoints</code>.`
  )

const health = (endpoint: WebhookEndpoint, where: string): Html =>
  facts([
    ["URL", html`<code class="url">${endpoint.url}</code>`],
    ["Health", healthOf(endpoint)],
    endpoint.disabled_detail === null
      ? undefined
      : [
          "Last answer",
          html`${endpoint.disabled_detail.last_status_code ?? "none"} ${endpoint.disabled_detail.failure_class ?? ""}${
            endpoint.disabled_detail.probation_retrip && html` ${badge("failed on probation", "bad")}`
          }`
        ],
    ["Environment", where],
    endpoint.description === null ? undefined : ["Description", endpoint.description],
    ["Last success", instant(endpoint.last_success_at)],
    ["Last failure", instant(endpoint.last_failure_at)],
    ["Events", endpoint.subscribed_events.map((type) => html`<code class="scope">${type}</code> `)],
    ["Id", html`<code>${endpoint.id}</code>`]
  ])

const standing = (visit: Visit, here: string, endpoint: WebhookEndpoint): Html =>
  endpoint.status === "active"
    ? html`<div class="buttons"><a class="button" href="${here}/disable">Disable…</a></div>`
    : html`${endpoint.disabled_reason !== "manual" && notice("warn", "Twenty deliveries in a row failed. Once the receiver is well again, enable it; it is on probation until one succeeds.")}
${form(`${here}/status`, visit.csrf, html`<input type="hidden" name="status" value="active"><div class="buttons"><button class="primary">Enable again</button></div>`)}`
