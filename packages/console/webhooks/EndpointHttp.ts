import { timeIn } from "@carteiro/owners/TenantTime.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { DeliveryEntry } from "@carteiro/schema/webhooks/DeliveryLogApi.ts"
import type { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { WebhookEventStatus } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Effect, Layer, Schema } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { environmentName, environmentOf } from "../kit/Environments.ts"
import { field, queryParameter, unconfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import type { Page } from "../kit/Layout.ts"
import { addressOf, askedWord, choicesOf, cutWalk, pageRows } from "../kit/Lists.ts"
import { live } from "../kit/LiveScript.ts"
import { narrowedBy, peoplesList } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { form, pager, select } from "../kit/Parts.ts"
import { bucketsOf, queryOf, spanNamed } from "../kit/Spans.ts"
import { section, storyPage } from "../kit/Story.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { deliveryTable } from "./DeliveryParts.ts"
import { endpointFinder, type FoundEndpoint } from "./EndpointCalls.ts"
import {
  endpointAddress,
  endpointFacts,
  endpointName,
  failingNotice,
  healthBadges,
  webhooksAddress
} from "./EndpointParts.ts"
import { healthOverTime } from "./HealthParts.ts"
import { type Outage, recoveryCard } from "./RecoveryParts.ts"

/** Seconds between two looks at a recovery that goes on, without a script. */
const again = 2

/** One endpoint: its health, its outage with the recovery in one motion, and its deliveries. */
export const EndpointHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const requireEndpoint = endpointFinder(operations)
    const deliveries = peoplesList(operations.deliveryLog.list)

    const healthOf = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry, id: string) {
      const now = yield* timeIn(environment.id, visit.now)
      const span = spanNamed(queryParameter(visit.request, "span"))
      const calls = yield* operations.activity.ofEndpoint(asVisitor(visit, environment), {
        params: { webhook_endpoint_id: id },
        query: queryOf(span, now)
      })
      const buckets = bucketsOf(span, visit.zone, now, calls)
      return healthOverTime({ here: endpointAddress(environment.id, id), span, buckets })
    })

    const outageOf = Effect.fnUntraced(function* (
      visit: Visit,
      environment: EnvironmentEntry,
      endpoint: WebhookEndpoint
    ): Effect.fn.Return<Outage, ApiError> {
      const outage = yield* operations.webhookOutages.get(asVisitor(visit, environment), {
        params: { webhook_endpoint_id: endpoint.id }
      })
      return {
        endpoint,
        outage,
        probeAddress: `${webhooksAddress}/${environment.id}/deliveries/${outage.recovery?.probe_id}`,
        action: visit.mayChange ? `${endpointAddress(environment.id, endpoint.id)}/recover` : undefined,
        csrf: visit.csrf
      }
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const found = yield* requireEndpoint(visit)
      const { endpoint, environment } = found
      const status = askedWord(visit.request, "status", isStatus)
      const before = queryParameter(visit.request, "before")
      const wanted = narrowedBy({ webhook_endpoint_id: endpoint.id, status })
      const walked = yield* deliveries(visit, environment, before, pageRows + 1, wanted)
      const outage = yield* outageOf(visit, environment, endpoint)
      const health = yield* healthOf(visit, environment, endpoint.id)
      return endpointPage(visit, found, outage, health, { status, before, walked })
    })

    const setStatus = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const found = yield* requireEndpoint(visit)
      const { environment, endpoint } = found
      const status = field(sent, "status") === "active" ? "active" : "disabled"
      const error = status === "active" ? undefined : unconfirmed(sent, endpointName(endpoint))
      if (error !== undefined) return disablePage(visit.csrf, found, error)
      yield* operations.webhookEndpoints.update(asVisitor(visit, environment), {
        params: { webhook_endpoint_id: endpoint.id },
        payload: { status }
      })
      const done = status === "active" ? "enabled" : "disabled"
      return {
        to: `${endpointAddress(environment.id, endpoint.id)}?done=${done}`,
        audited: { before: { status: endpoint.status } }
      }
    })

    const test = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const { endpoint, environment } = yield* requireEndpoint(visit)
      const sent = yield* operations.webhookEndpoints.test(asVisitor(visit, environment), {
        params: { webhook_endpoint_id: endpoint.id }
      })
      return { to: `${webhooksAddress}/${environment.id}/deliveries/${sent.webhook_event_id}` }
    })

    const recover = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = visit.request.params.id ?? ""
      yield* operations.webhookOutages.recover(asVisitor(visit, environment), { params: { webhook_endpoint_id: id } })
      return { to: `${endpointAddress(environment.id, id)}#recovery` }
    })

    const path = `${webhooksAddress}/:environment/endpoints/:id`
    return Layer.mergeAll(
      page({ operation: "webhookEndpoint", path, handler: show }),
      page({
        operation: "askDisableEndpoint",
        path: `${path}/disable`,
        handler: (visit) => Effect.map(requireEndpoint(visit), (found) => disablePage(visit.csrf, found))
      }),
      action({
        operation: "setEndpointStatus",
        audit: "webhook_endpoint.status_set",
        keeps: ["status"],
        path: `${path}/status`,
        handler: setStatus
      }),
      action({ operation: "testEndpoint", audit: "webhook_endpoint.tested", path: `${path}/test`, handler: test }),
      action({
        operation: "recoverEndpoint",
        audit: "webhook_endpoint.recovery_begun",
        path: `${path}/recover`,
        handler: recover
      })
    )
  })
)

const isStatus = Schema.is(WebhookEventStatus)

/** The actions that an endpoint is visited for most: a test event, and its edit form. */
const nextOf = ({ csrf }: Visit, here: string, { disabled_reason }: WebhookEndpoint): Html =>
  html`${disabled_reason !== "manual" && form(`${here}/test`, csrf, html`<button>Send a test event</button>`)}
<a class="button" href="${here}/edit">Edit</a>`

/** The rarer actions on an endpoint; each one that ends something asks for confirmation. */
const commandsOf = ({ csrf }: Visit, here: string, { status }: WebhookEndpoint): Html =>
  html`<div class="buttons"><a class="button" href="${here}/rotate">Rotate the secrets…</a>
${
  status === "active"
    ? html`<a class="button" href="${here}/disable">Disable…</a>`
    : form(
        `${here}/status`,
        csrf,
        html`<input type="hidden" name="status" value="active"><button>Enable without a test</button>`
      )
}
<a class="button danger" href="${here}/delete">Delete…</a></div>`

/** A page of an endpoint's deliveries, and how they were asked for. */
interface Listed {
  readonly status: WebhookEventStatus | undefined
  readonly before: string | undefined
  readonly walked: Walked<DeliveryEntry>
}

const endpointPage = (
  visit: Visit,
  { endpoint, environment }: FoundEndpoint,
  outage: Outage,
  health: Html,
  listed: Listed
): Page => {
  const here = endpointAddress(environment.id, endpoint.id)
  const story = storyPage({
    headline: {
      state: healthBadges(endpoint),
      about: [html`<code class="url">${endpoint.url}</code>`],
      next: visit.mayChange && nextOf(visit, here, endpoint)
    },
    warnings: html`<div id="failing"${live}>${failingNotice(endpoint, listed.before === undefined ? listed.walked.rows : [])}</div>`,
    story: html`${recoveryCard(outage)}
${section("health", "Health over time", health)}`,
    facts: html`${endpointFacts(endpoint, environmentName(environment))}
${visit.mayChange && commandsOf(visit, here, endpoint)}`
  })
  return {
    ...story,
    title: html`${endpointName(endpoint)}`,
    section: "webhooks",
    environment: environment.id,
    up: [`${webhooksAddress}?environment=${environment.id}`, "Webhooks"],
    follows: "events",
    again: outage.outage.is_recovering ? again : undefined,
    body: html`${story.body}
<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>${deliveriesOf(environment.id, here, listed)}</section>`
  }
}

const deliveriesOf = (environmentId: string, here: string, { before, status, walked }: Listed): Html => {
  const { next, shown } = cutWalk(walked, ({ id }) => id)
  return html`<form method="get" action="${here}" class="picker">${select({ name: "status", label: "Status", choices: choicesOf(WebhookEventStatus.literals, "delivery"), chosen: status ?? "" })}<button>Show</button></form>
<div id="delivered"${live}>${deliveryTable(environmentId, shown)}</div>
${pager(before && addressOf(here, { status }), next && addressOf(here, { status, before: next }))}`
}

const disablePage = (csrf: string, { endpoint, environment }: FoundEndpoint, error?: Html): Page => {
  const here = endpointAddress(environment.id, endpoint.id)
  return confirmationPage({
    title: "Disable this endpoint?",
    section: "webhooks",
    environment: environment.id,
    up: [here, html`${endpointName(endpoint)}`],
    action: `${here}/status`,
    csrf,
    explanation: html`<p><code class="url">${endpoint.url}</code></p><p>Deliveries that wait are cancelled, and events from now on are not sent there. They can be delivered later, from its page, for seven days.</p>`,
    button: "Disable the endpoint",
    dangerous: true,
    name: { value: endpointName(endpoint), error }
  })
}
