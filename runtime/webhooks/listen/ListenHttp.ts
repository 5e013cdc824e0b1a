import { Draining } from "@carteiro/http-edge/Listener.ts"
import { Cursors, type PageRow, writeItems } from "@carteiro/http-edge/Paging.ts"
import { rawReply, reply } from "@carteiro/http-edge/Reply.ts"
import { type RequestOf, Routes } from "@carteiro/http-edge/Routes.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { inTurns } from "@carteiro/owners/Slices.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { WebhookListenApi } from "@carteiro/schema/webhooks/Listen.ts"
import { WebhookEndpointNotFound, WebhookEventNotFound } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { Clock, Effect } from "effect"
import { EventBodies } from "../../outbox/EventBodies.ts"
import { listenTypes, shows, wantedTypes } from "../endpoint/EventFilter.ts"
import { signaturePreview } from "../endpoint/Signature.ts"
import { type ListenEndpoint, ListenEndpoints } from "./ListenEndpointRepo.ts"
import { ListenEntity } from "./ListenEntity.ts"
import { defaultListenLimit, type ListenRow, retentionMillis } from "./ListenPage.ts"
import { makeListenPoll } from "./ListenPoll.ts"
import { listenEventText, listenPageText, type Preview } from "./ListenRead.ts"
import { ListenRepo } from "./ListenRepo.ts"
import {
  inWindow,
  type ListenSession,
  pollRefusal,
  readListenSession,
  sessionParameterRefusal,
  sessionRouteRefusal
} from "./ListenSession.ts"
import { ListenSessionRepo } from "./ListenSessionRepo.ts"

type ListenRequest = RequestOf<(typeof WebhookListenApi)["endpoints"]["listen"]>

/** Listening and its sessions. A-LSN-01..21, A-LSS-01..21 */
export const ListenHttp = Routes.group(
  WebhookListenApi,
  Effect.gen(function* () {
    const owners = yield* ListenEntity.client
    const poll = yield* makeListenPoll
    const events = yield* ListenRepo
    const sessions = yield* ListenSessionRepo
    const endpoints = yield* ListenEndpoints
    const bodies = yield* EventBodies
    const cursors = yield* Cursors
    const draining = yield* Draining
    const ids = yield* Ids

    const endpointOf = Effect.fnUntraced(function* (environmentId: string, id: string | undefined) {
      if (id === undefined) return undefined
      const endpoint = parseId("we", id) ? yield* endpoints.find(environmentId, id) : undefined
      return endpoint ?? (yield* new WebhookEndpointNotFound())
    })

    /** Returns the position in a cursor. */
    const positionOf = (environmentId: string, cursor: string) =>
      Effect.map(cursors.decode("listen", environmentId, cursor, "cursor"), ([position]) => Number(position))

    const find = Effect.fnUntraced(function* (
      { caller, query, now, left }: ListenRequest,
      endpoint: ListenEndpoint | undefined,
      cursor: number | undefined
    ) {
      const id = caller.environment_id
      const item = {
        api_key_id: caller.api_key_id,
        session_id: query.listen_session_id,
        limit: query.limit === undefined ? defaultListenLimit : Number(query.limit),
        types: listenTypes(wantedTypes(query), endpoint?.subscribed_events)
      }
      const wait = draining.isDraining() ? 0 : Number(query.wait_ms ?? 0)
      const tail = cursor === undefined && query.start_at === "tail"
      const after = cursor ?? 0
      if (wait === 0) return yield* owners.Read(id, { ...item, after: tail ? "tail" : after })
      const from = tail ? (yield* owners.Read(id, { ...item, after: "tail" })).position : after
      return yield* poll(id, { ...item, poll_id: ids.mint("req", now), after: from, deadline: now + wait }, left)
    })

    /** Returns events as they are served now, as many as fill a page; an event without content left is skipped. */
    const open = <Row extends Pick<ListenRow, "id" | "envelope">>(
      environment_id: string,
      rows: ReadonlyArray<Row>
    ): Effect.Effect<ReadonlyArray<Row & PageRow>> =>
      Effect.map(bodies.readPage(rows.map(({ envelope, id }) => ({ environment_id, id, envelope }))), (texts) =>
        rows.flatMap((row, n) => {
          if (n >= texts.length) return [{ ...row, page_bytes: Number.POSITIVE_INFINITY }]
          const envelope = texts[n]
          return envelope === undefined ? [] : envelope === row.envelope ? [row] : [{ ...row, envelope }]
        })
      )

    return Routes.handlers(WebhookListenApi, {
      listen: Effect.fnUntraced(function* (request) {
        const { caller, query, traceId } = request
        // The whole query is checked before any look-up. gaps-1 A "Order of checks in one request"
        const after = query.cursor === undefined ? undefined : yield* positionOf(caller.environment_id, query.cursor)
        const refusal = sessionParameterRefusal(caller.environment, query.listen_session_id)
        if (refusal !== undefined) return yield* refusal
        const endpoint = yield* endpointOf(caller.environment_id, query.webhook_endpoint_id)
        const found = yield* find(request, endpoint, after)
        const data = yield* open(caller.environment_id, found.data)
        const preview = yield* previewOf(endpoint)
        const written = writeItems(data, data.length, (event) => listenEventText(event, preview))
        const { items, last } = yield* inTurns(caller.environment_id, written)
        // Decrypted and rendered events may have more bytes than stored ones.
        const page = last === undefined ? found : { has_more: true, position: last.position, next_poll_after_ms: 0 }
        const cursor = cursors.encode("listen", caller.environment_id, [String(page.position)])
        return rawReply(200, listenPageText(items, page, cursor, traceId))
      }),

      listenEvent: Effect.fnUntraced(function* ({ caller, params, query, now }) {
        const refusal = sessionParameterRefusal(caller.environment, query.listen_session_id)
        if (refusal !== undefined) return yield* refusal
        const endpoint = yield* endpointOf(caller.environment_id, query.webhook_endpoint_id)
        const { listen_session_id } = query
        let session: ListenSession | undefined
        if (listen_session_id !== undefined) {
          session = yield* sessions.find(caller.environment_id, listen_session_id)
          const ended = pollRefusal(session, caller.api_key_id, now)
          if (ended !== undefined) return yield* ended
        }
        const id = params.outbox_event_id
        const event = parseId("evt", id) ? yield* events.findEvent(caller.environment_id, id) : undefined
        const isShown = event !== undefined && isVisible(event, session, endpoint, now)
        const [opened] = isShown ? yield* open(caller.environment_id, [event]) : []
        if (opened === undefined) return yield* new WebhookEventNotFound()
        return rawReply(200, listenEventText(opened, yield* previewOf(endpoint)))
      }),

      createSession: Effect.fnUntraced(function* (request) {
        const { caller, body, traceId, now } = request
        const refusal = sessionRouteRefusal(caller.environment)
        if (refusal !== undefined) return yield* refusal
        const session = yield* owners.OpenSession(caller.environment_id, {
          id: ids.mint("wls", now),
          api_key_id: caller.api_key_id,
          trace_id: traceId,
          ttl_seconds: body.ttl_seconds,
          reason: body.reason === undefined ? null : clean(body.reason),
          at: now
        })
        return reply(request, 201, readListenSession(session, now))
      }),

      deleteSession: Effect.fnUntraced(function* (request) {
        const { caller, params, now } = request
        const refusal = sessionRouteRefusal(caller.environment)
        if (refusal !== undefined) return yield* refusal
        const session = yield* owners.EndSession(caller.environment_id, {
          id: params.listen_session_id,
          api_key_id: caller.api_key_id,
          at: now
        })
        return reply(request, 200, readListenSession(session, now))
      })
    })
  })
)

/** Returns how an item shows the signature of an endpoint; undefined without one. */
const previewOf = (endpoint: ListenEndpoint | undefined): Effect.Effect<Preview | undefined> =>
  endpoint === undefined
    ? Effect.undefined
    : Effect.map(Clock.currentTimeMillis, (at): Preview => {
        return ({ id, envelope }) => signaturePreview(endpoint.secret, id, at, envelope)
      })

/** True for an event that is still kept, within the session's time, and of a type that the endpoint takes. */
const isVisible = (
  event: Pick<ListenRow, "created_at" | "type">,
  session: ListenSession | undefined,
  endpoint: ListenEndpoint | undefined,
  now: number
): boolean =>
  event.created_at >= now - retentionMillis &&
  (session === undefined || inWindow(session, event.created_at)) &&
  shows(listenTypes(undefined, endpoint?.subscribed_events), event.type)
