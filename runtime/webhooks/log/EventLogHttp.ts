import { valueReply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { EventLogApi, type LoggedEvent, type StreamedEvent } from "@carteiro/schema/webhooks/EventLogApi.ts"
import { WebhookEventNotFound } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import { Effect } from "effect"
import { EventBodies } from "../../outbox/EventBodies.ts"
import { maskEvents } from "../../outbox/EventMask.ts"
import { ListenEntity } from "../listen/ListenEntity.ts"
import { consoleHolder } from "../listen/ListenPage.ts"
import { makeListenPoll } from "../listen/ListenPoll.ts"
import { type EventRow, OutboxEventRepo } from "./OutboxEventRepo.ts"

const mask = maskEvents(eventCatalog)

/** The longest wait for events, in milliseconds. */
const waitMs = 15_000

/** The members that every poll of the console shares. */
const poller = { api_key_id: consoleHolder, session_id: undefined, types: undefined }

/**
 * Operations of people that read the events of an environment and follow its stream, at the stream's owner, from any node.
 * A-SIG-01..06, decision 0155
 */
export const EventLogHttp = Routes.group(
  EventLogApi,
  Effect.gen(function* () {
    const events = yield* OutboxEventRepo
    const bodies = yield* EventBodies
    const owners = yield* ListenEntity.client
    const poll = yield* makeListenPoll
    const ids = yield* Ids

    const endOf = (environmentId: string) =>
      Effect.map(owners.Read(environmentId, { ...poller, limit: 1, after: "tail" }), ({ position }) => position)

    return Routes.handlers(EventLogApi, {
      list: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const { before, limit, type } = query
        const { rows, walked_to } = yield* events.list(caller.environment_id, type, before, Number(limit))
        return valueReply({ traceId }, 200, { object: "list", data: rows.map(readRow), walked_to })
      }),

      latest: Effect.fnUntraced(function* ({ caller: { environment_id }, query, traceId }) {
        const limit = Number(query.limit)
        const after = Math.max(0, (yield* endOf(environment_id)) - limit)
        const { data } = yield* owners.Read(environment_id, { ...poller, limit, after })
        const texts = yield* bodies.read(data.map(({ envelope, id }) => ({ environment_id, id, envelope })))
        const shown = data.flatMap(({ created_at, id, type }, n): ReadonlyArray<StreamedEvent> => {
          const text = texts[n]
          if (text === undefined) return []
          return [{ id, type, created_at: formatTimestamp(created_at), envelope: mask(type, readJson(text)) }]
        })
        return valueReply({ traceId }, 200, { object: "list", data: shown.reverse() })
      }),

      end: ({ caller, traceId }) =>
        Effect.map(endOf(caller.environment_id), (position) =>
          valueReply({ traceId }, 200, { object: "event_stream_position", position })
        ),

      follow: ({ caller, left, now, params, traceId }) => {
        const after = Number(params.position)
        const item = { ...poller, limit: 100, after, poll_id: ids.mint("req", now), deadline: now + waitMs }
        return Effect.map(poll(caller.environment_id, item, left), ({ position }) =>
          valueReply({ traceId }, 200, { object: "event_stream_position", position })
        )
      },

      get: Effect.fnUntraced(function* ({ caller: { environment_id }, params: { event_id: id }, traceId }) {
        const row = parseId("evt", id) ? yield* events.find(environment_id, id) : undefined
        if (row === undefined) return yield* new WebhookEventNotFound()
        const text = yield* bodies.readOne({ environment_id, id, envelope: row.envelope })
        const envelope = text === undefined ? null : mask(row.type, readJson(text))
        return valueReply({ traceId }, 200, { ...readRow(row), object: "event", envelope })
      })
    })
  })
)

const readRow = ({ created_at, id, source_id, source_type, trace_id, type }: EventRow): LoggedEvent => ({
  id,
  type,
  source_type,
  source_id,
  trace_id,
  created_at: formatTimestamp(created_at)
})
