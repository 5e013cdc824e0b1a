import { valueReply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { lowestIdAt, parseId, ulidTimeOf } from "@carteiro/owners/Ids.ts"
import { subjectHash } from "@carteiro/owners/Subject.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { type DeliveryEntry, type DeliveryLine, DeliveryLogApi } from "@carteiro/schema/webhooks/DeliveryLogApi.ts"
import { WebhookEndpointNotFound, WebhookEventNotFound } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import type { WebhookEventStatus } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { endedByBytes } from "@carteiro/tables/PageSql.ts"
import { Effect } from "effect"
import { EventBodies } from "../../outbox/EventBodies.ts"
import { openSecrets } from "../endpoint/EndpointSecrets.ts"
import { WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"
import { openEvents } from "./OpenedEvents.ts"
import { showRequest } from "./ShownRequest.ts"
import { readWebhookEvent } from "./WebhookEventRead.ts"
import {
  type DeliveryLineRow,
  type EventSelection,
  type StoredWebhookEvent,
  WebhookEventRepo
} from "./WebhookEventRepo.ts"

/** Operations of people that read the delivery log. A-WHV-01..10, decision 0155 */
export const DeliveryLogHttp = Routes.group(
  DeliveryLogApi,
  Effect.gen(function* () {
    const endpoints = yield* WebhookEndpointRepo
    const events = yield* WebhookEventRepo
    const bodies = yield* EventBodies
    const secrets = yield* Secrets

    const select = (request: Traced, environmentId: string, wanted: EventSelection, limit: string) =>
      Effect.map(events.select(environmentId, { ...wanted, withoutEnvelopes: true }, Number(limit)), (rows) =>
        valueReply(request, 200, { object: "list", data: rows.map(entryOf) })
      )

    return Routes.handlers(DeliveryLogApi, {
      list: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const wanted = { ...selectionOf(query), isPage: true, withoutEnvelopes: true }
        const walked = yield* events.walk(caller.environment_id, wanted, Number(query.limit))
        const { rows, walked_to } = endedByBytes(walked)
        return valueReply({ traceId }, 200, { object: "list", data: rows.map(entryOf), walked_to })
      }),

      lines: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const walked = yield* events.lines(caller.environment_id, selectionOf(query), Number(query.limit))
        const { rows, walked_to } = walked
        return valueReply({ traceId }, 200, { object: "list", data: rows.map(lineOf), walked_to })
      }),

      about: ({ caller: { environment_id }, params: { source_id }, query, traceId }) => {
        const { limit, subject_key: key, subject_type: type } = query
        const isOfCustomer = type !== undefined && key !== undefined
        const subject = isOfCustomer ? subjectHash(secrets, environment_id, { type, key }) : null
        return select({ traceId }, environment_id, { about: { subject, source_id } }, limit)
      },

      ofEvent: ({ caller, params: { event_id }, query, traceId }) => {
        if (!parseId("evt", event_id)) return Effect.succeed(valueReply({ traceId }, 200, { object: "list", data: [] }))
        const at = ulidTimeOf(event_id)
        const bounds = { from: lowestIdAt("whe", at), before: lowestIdAt("whe", at + 1) }
        return select({ traceId }, caller.environment_id, { event_id, ...bounds }, query.limit)
      },

      ofAttempt: Effect.fnUntraced(function* ({ caller, params: { attempt_id }, traceId }) {
        const id = parseId("att", attempt_id)
          ? yield* events.eventOfAttempt(caller.environment_id, attempt_id)
          : undefined
        if (id === undefined) return yield* new WebhookEventNotFound()
        return valueReply({ traceId }, 200, { object: "attempt_delivery", webhook_event_id: id })
      }),

      ofRecovery: Effect.fnUntraced(function* ({ caller, params: { recovery_id }, traceId }) {
        const id = yield* endpoints.ofRecovery(caller.environment_id, recovery_id)
        if (id === undefined) return yield* new WebhookEndpointNotFound()
        return valueReply({ traceId }, 200, { object: "recovery_endpoint", webhook_endpoint_id: id })
      }),

      get: Effect.fnUntraced(function* ({ caller, params: { webhook_event_id: id }, traceId }) {
        const rows = parseId("whe", id) ? yield* events.select(caller.environment_id, { ids: [id] }, 1) : []
        const [delivery] = yield* openEvents(bodies, rows)
        if (delivery === undefined) return yield* new WebhookEventNotFound()
        const endpoint = delivery.endpoint_id === null ? undefined : yield* endpoints.load(delivery.endpoint_id)
        const beside = endpoint && (yield* events.beside(caller.environment_id, endpoint.id, delivery.id))
        const keys = endpoint && openSecrets(secrets, endpoint)
        const attemptedAt = delivery.attempts.findLast(({ attempted_at }) => attempted_at !== null)?.attempted_at
        const { attempts, ...entry } = entryOf(delivery)
        const dueAt = new Map(delivery.attempts.map((attempt) => [attempt.id, attempt.due_at]))
        return valueReply({ traceId }, 200, {
          ...entry,
          endpoint_url: endpoint?.url ?? null,
          beside: beside ?? { earlier: null, later: null },
          attempts: attempts.map((attempt) => ({ ...attempt, due_at: formatTimestamp(dueAt.get(attempt.id) ?? 0) })),
          is_cleared: delivery.envelope === null,
          request:
            attemptedAt == null || delivery.envelope === null ? null : showRequest(delivery.envelope, keys, attemptedAt)
        })
      })
    })
  })
)

interface Traced {
  readonly traceId: string
}

interface ListQuery {
  readonly before?: string
  readonly event_type?: string
  readonly status?: WebhookEventStatus
  readonly webhook_endpoint_id?: string
}

const selectionOf = ({ before, event_type, status, webhook_endpoint_id: endpoint_id }: ListQuery): EventSelection => ({
  before,
  types: event_type === undefined ? undefined : [event_type],
  endpoint_id,
  status
})

const lineOf = (row: DeliveryLineRow): DeliveryLine => ({ ...row, created_at: formatTimestamp(row.created_at) })

/** Returns a row as lists of people show it: without its payload, which stays sealed. */
const entryOf = (row: StoredWebhookEvent): DeliveryEntry => {
  const { payload: _, ...entry } = readWebhookEvent({ ...row, envelope: null })
  return entry
}
