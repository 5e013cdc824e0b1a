import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { EventType } from "@carteiro/schema/webhooks/EventCatalog.ts"
import type { LoggedEvent } from "@carteiro/schema/webhooks/EventLogApi.ts"
import { Effect, Layer } from "effect"
import { environmentName, environmentOf } from "../kit/Environments.ts"
import { nameFilter } from "../kit/Filters.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { positionOf } from "../kit/Lists.ts"
import { narrowedBy, orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, moment, type Table, table } from "../kit/Parts.ts"
import { section } from "../kit/Story.ts"
import { mostDeliveries } from "../story/Stories.ts"
import { deliveryTable, sourceLink, traceLink } from "../webhooks/DeliveryParts.ts"
import { endpointReader } from "../webhooks/EndpointCalls.ts"

const address = "/dashboard/events"

/** The events of an environment, whether an endpoint gets them or not, and one with its envelope and deliveries. */
export const EventsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const { deliveryLog, eventLog } = operations
    const endpointsOf = endpointReader(operations)

    const { routes } = yield* environmentList({
      operation: "events",
      path: address,
      title: "Events",
      section: "events",
      follows: "events",
      filters: { type: nameFilter("Event", EventType.literals) },
      read: Effect.fnUntraced(function* (environment, search, before, count, visit) {
        const query = { ...positionOf(before, count), ...narrowedBy(search) }
        const { data: rows, walked_to } = yield* eventLog.list(asVisitor(visit, environment), { query })
        return { rows, walked_to }
      }),
      idOf: ({ id }: LoggedEvent) => id,
      table: (rows, { id }, nothing) => eventTable(id, rows, nothing),
      file: membersOf(
        (event: LoggedEvent) => event,
        "id",
        "type",
        "source_type",
        "source_id",
        "trace_id",
        "created_at"
      ),
      empty: ({ id }) => ({
        purpose: say("What happened in this environment in the last seven days, whether an endpoint gets it or not."),
        button: [`/dashboard/webhooks?environment=${id}`, "Webhooks"]
      })
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const caller = asVisitor(visit, environment)
      const params = { event_id: visit.request.params.id ?? "" }
      const event = yield* orNotHere(eventLog.get(caller, { params }))
      const { data: deliveries } = yield* deliveryLog.ofEvent(caller, {
        params,
        query: { limit: String(mostDeliveries) }
      })
      const endpoints = yield* endpointsOf(visit, environment)
      return {
        title: html`${event.type}`,
        section: "events",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Events"],
        follows: "events",
        body: html`<div class="card">${factsOf(environment.id, event, environmentName(environment))}</div>
<section aria-labelledby="envelope"><h2 id="envelope">Envelope</h2>${envelopeOf(event)}</section>
${section("deliveries", "Deliveries", deliveryTable(environment.id, deliveries, endpoints))}`
      }
    })

    return Layer.merge(routes, page({ operation: "event", path: `${address}/:environment/:id`, handler: show }))
  })
)

const eventTable = (environmentId: string, events: ReadonlyArray<LoggedEvent>, nothing: Piece): Table =>
  table(
    "Events, newest first",
    ["Event", "About", "When", "Trace"],
    events.map((event) => [
      html`<a href="${address}/${environmentId}/${event.id}">${event.type}<span class="hidden"> ${event.source_id}</span></a>`,
      sourceLink(environmentId, event),
      moment(event.created_at),
      traceLink(event.trace_id)
    ]),
    nothing
  )

const factsOf = (environmentId: string, event: LoggedEvent, where: Html): Html =>
  facts([
    ["About", sourceLink(environmentId, event)],
    ["When", moment(event.created_at)],
    ["Environment", where],
    ["Id", html`<code>${event.id}</code>`],
    ["Trace", traceLink(event.trace_id)]
  ])

const envelopeOf = ({ envelope }: { readonly envelope: unknown }): Html =>
  envelope === null
    ? html`<p class="empty">The payload was cleared.</p>`
    : html`<pre tabindex="0">${JSON.stringify(envelope, null, 2)}</pre>`
