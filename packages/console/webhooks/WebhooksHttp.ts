import type { DeliveryEntry, DeliveryLine } from "@carteiro/schema/webhooks/DeliveryLogApi.ts"
import { SubscribableEventType } from "@carteiro/schema/webhooks/EventCatalog.ts"
import type { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { WebhookEventStatus } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Effect, Layer } from "effect"
import { chosenEnvironment } from "../kit/Environments.ts"
import { choiceFilter, nameFilter, wordFilter } from "../kit/Filters.ts"
import { html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList, fileOfLines } from "../kit/ListPage.ts"
import { live } from "../kit/LiveScript.ts"
import { narrowedBy, peoplesList } from "../kit/OperationList.ts"
import { Operations } from "../kit/Operations.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { deliveryTable } from "./DeliveryParts.ts"
import { endpointReader } from "./EndpointCalls.ts"
import { endpointTable, webhooksAddress } from "./EndpointParts.ts"

/** A delivery beside the endpoints that it may have gone to. */
interface ListedDelivery {
  readonly delivery: DeliveryEntry
  readonly endpoints: ReadonlyArray<WebhookEndpoint>
}

/** Receivers with their health and the latest deliveries. */
export const WebhooksHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const endpointsOf = endpointReader(operations)
    const deliveries = peoplesList(operations.deliveryLog.list)
    const lines = peoplesList(operations.deliveryLog.lines)
    const filters = {
      status: wordFilter("Status", WebhookEventStatus.literals, { thing: "delivery" }),
      event_type: nameFilter("Event", SubscribableEventType.literals),
      webhook_endpoint_id: choiceFilter(
        "Endpoint",
        Effect.fnUntraced(function* (visit) {
          const { environment } = yield* chosenEnvironment(visit)
          const endpoints = environment === undefined ? [] : yield* endpointsOf(visit, environment)
          return endpoints.map(({ id, url }) => [id, html`${url}`] as const)
        }, Effect.orDie)
      )
    }
    const { routes } = yield* environmentList({
      operation: "webhooks",
      path: webhooksAddress,
      title: "Webhooks",
      section: "webhooks",
      heading: "Latest deliveries",
      api: "webhooks.events.list",
      follows: "events",
      filters,
      read: Effect.fnUntraced(function* (environment, search, before, count, visit) {
        const { rows, walked_to } = yield* deliveries(visit, environment, before, count, narrowedBy(search))
        const endpoints = yield* endpointsOf(visit, environment)
        return { rows: rows.map((delivery) => ({ delivery, endpoints })), walked_to }
      }),
      idOf: ({ delivery }: ListedDelivery) => delivery.id,
      table: (rows, { id }, nothing) =>
        deliveryTable(
          id,
          rows.map(({ delivery }) => delivery),
          rows[0]?.endpoints ?? [],
          nothing
        ),
      file: fileOfLines<EnvironmentEntry, typeof filters, DeliveryLine>(
        membersOf(
          (line) => line,
          "id",
          "type",
          "status",
          "source_type",
          "source_id",
          "endpoint_id",
          "trace_id",
          "created_at"
        ),
        (environment, search, before, count, visit) => lines(visit, environment, before, count, narrowedBy(search))
      ),
      empty: () => ({ purpose: say("What was posted to your endpoints, with every attempt and every answer.") }),
      around: Effect.fnUntraced(function* (environment, visit) {
        if (environment === undefined) return {}
        const { id } = environment
        return {
          before: html`<section aria-labelledby="endpoints"><h2 id="endpoints">Endpoints</h2><div id="receivers"${live}>${endpointTable(id, yield* endpointsOf(visit, environment))}</div>
${
  visit.mayChange &&
  html`<div class="buttons pager"><a class="button primary" href="${webhooksAddress}/${id}/new">Add an endpoint</a></div>`
}</section>`
        }
      })
    })
    return routes
  })
)
