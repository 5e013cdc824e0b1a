import { lowestIdAt, parseId, ulidTimeOf } from "@carteiro/owners/Ids.ts"
import { type Subject, subjectHash } from "@carteiro/owners/Subject.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import type { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import type { WebhookEvent, WebhookEventStatus } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Context, Effect, Layer } from "effect"
import { EventBodies } from "../../outbox/EventBodies.ts"
import { maskEvents } from "../../outbox/EventMask.ts"
import { readEndpoint } from "../endpoint/EndpointRead.ts"
import { openSecrets } from "../endpoint/EndpointSecrets.ts"
import { maxEndpoints, WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"
import { openEvents } from "./OpenedEvents.ts"
import { type ShownRequest, showRequest } from "./ShownRequest.ts"
import { readWebhookEvent } from "./WebhookEventRead.ts"
import { type EventSource, type StoredWebhookEvent, WebhookEventRepo } from "./WebhookEventRepo.ts"

/** One delivery with the details of its attempts. */
export interface ShownDelivery {
  readonly event: WebhookEvent
  /** When each attempt was due, by its id; epoch milliseconds. */
  readonly dueAt: ReadonlyMap<string, number>
  /** The request of its last attempt; undefined before the first, and once the payload was cleared. */
  readonly request: ShownRequest | undefined
}

const mask = maskEvents(eventCatalog)
const masked = (event: WebhookEvent): WebhookEvent => ({ ...event, payload: mask(event.type, event.payload) })

/**
 * Reads receivers, deliveries and attempts for the dashboard, within one environment; payloads are masked where their
 * event declares a secret. A-WHE-01..11, A-WHV-01..10
 */
export class WebhookAdmin extends Context.Service<
  WebhookAdmin,
  {
    /** Returns all endpoints, newest first; an environment has few. */
    endpoints(environmentId: string, kind: EnvironmentKind): Effect.Effect<ReadonlyArray<WebhookEndpoint>>
    endpoint(environmentId: string, kind: EnvironmentKind, id: string): Effect.Effect<WebhookEndpoint | undefined>
    /** Returns deliveries newest first, before the row with that id. */
    deliveries(
      environmentId: string,
      wanted: {
        readonly endpoint_id?: string | undefined
        readonly status?: WebhookEventStatus | undefined
        readonly types?: ReadonlyArray<string> | undefined
        readonly before?: string | undefined
      },
      count: number
    ): Effect.Effect<ReadonlyArray<WebhookEvent>>
    /** Returns deliveries about one subject of one customer, such as a message; newest first. */
    deliveriesAbout(
      environmentId: string,
      subject: Subject,
      sourceId: string,
      count: number
    ): Effect.Effect<ReadonlyArray<WebhookEvent>>
    /** Returns deliveries about one thing that is no message, such as a payment or a template; newest first. */
    deliveriesOf(environmentId: string, sourceId: string, count: number): Effect.Effect<ReadonlyArray<WebhookEvent>>
    /** Returns the deliveries of one event, newest first. */
    deliveriesOfEvent(environmentId: string, eventId: string, count: number): Effect.Effect<ReadonlyArray<WebhookEvent>>
    delivery(environmentId: string, id: string): Effect.Effect<ShownDelivery | undefined>
    /** Returns the delivery of an attempt; the search covers only a bounded number of attempts before it. */
    eventOfAttempt(environmentId: string, attemptId: string): Effect.Effect<string | undefined>
    /** Returns the endpoint of a recovery. */
    endpointOfRecovery(environmentId: string, recoveryId: string): Effect.Effect<string | undefined>
    /** Returns the subject of an event; undefined once the event is no longer kept. */
    eventSource(environmentId: string, eventId: string): Effect.Effect<EventSource | undefined>
  }
>()("@carteiro/runtime/webhooks/log/WebhookAdmin") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpointRepo
      const events = yield* WebhookEventRepo
      const bodies = yield* EventBodies
      const shown = (rows: ReadonlyArray<StoredWebhookEvent>): Effect.Effect<ReadonlyArray<WebhookEvent>> =>
        Effect.map(openEvents(bodies, rows), (opened) => opened.map((row) => masked(readWebhookEvent(row))))
      const secrets = yield* Secrets
      const findEndpoint = (environmentId: string, id: string) =>
        parseId("we", id) ? endpoints.find(environmentId, id) : Effect.undefined
      return WebhookAdmin.of({
        endpoints: (environmentId, kind) =>
          Effect.map(endpoints.list(environmentId, undefined, maxEndpoints), (rows) =>
            rows.map((row) => readEndpoint(row, kind))
          ),
        endpoint: (environmentId, kind, id) =>
          Effect.map(findEndpoint(environmentId, id), (row) =>
            row === undefined ? undefined : readEndpoint(row, kind)
          ),
        deliveries: (environmentId, wanted, count) =>
          Effect.flatMap(events.select(environmentId, wanted, count), shown),
        deliveriesAbout: (environmentId, subject, source_id, count) => {
          const about = { subject: subjectHash(secrets, environmentId, subject), source_id }
          return Effect.flatMap(events.select(environmentId, { about }, count), shown)
        },
        deliveriesOf: (environmentId, source_id, count) =>
          Effect.flatMap(events.select(environmentId, { about: { subject: null, source_id } }, count), shown),
        deliveriesOfEvent: (environmentId, event_id, count) => {
          const at = ulidTimeOf(event_id)
          const bounds = { from: lowestIdAt("whe", at), before: lowestIdAt("whe", at + 1) }
          return Effect.flatMap(events.select(environmentId, { event_id, ...bounds }, count), shown)
        },
        delivery: Effect.fnUntraced(function* (environmentId, id) {
          const found = parseId("whe", id) ? yield* events.select(environmentId, { ids: [id] }, 1) : []
          const [stored] = yield* openEvents(bodies, found)
          if (stored === undefined) return undefined
          const endpoint = stored.endpoint_id === null ? undefined : yield* endpoints.load(stored.endpoint_id)
          const keys = endpoint && openSecrets(secrets, endpoint)
          const went = stored.attempts.findLast(({ attempted_at }) => attempted_at !== null)?.attempted_at ?? null
          return {
            event: masked(readWebhookEvent(stored)),
            dueAt: new Map(stored.attempts.map((attempt) => [attempt.id, attempt.due_at])),
            request: went === null || stored.envelope === null ? undefined : showRequest(stored.envelope, keys, went)
          }
        }),
        endpointOfRecovery: endpoints.ofRecovery,
        eventOfAttempt: events.eventOfAttempt,
        eventSource: events.eventSource
      })
    })
  )
}
