import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { integerParam, rowsOf, rowsQuery } from "../conventions/Page.ts"
import { RateLimited } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { InvalidWebhookEventsQuery, WebhookEventNotFound } from "./WebhookErrors.ts"
import { EventTypeFilter } from "./WebhookEvent.ts"

/** An event of an environment without its envelope, whether an endpoint gets it or not. A-SIG-01..06 */
export const LoggedEvent = Schema.Struct({
  id: id("evt"),
  type: Schema.String,
  source_type: Schema.String,
  source_id: Schema.String,
  trace_id: TraceId,
  created_at: Timestamp
})
export type LoggedEvent = typeof LoggedEvent.Type

/** An event of the stream; members of the envelope that its declaration names secret are masked. */
export const StreamedEvent = Schema.Struct({
  id: id("evt"),
  type: Schema.String,
  created_at: Timestamp,
  envelope: Schema.Unknown
})
export type StreamedEvent = typeof StreamedEvent.Type

/** A place in the stream of an environment. */
const StreamPosition = Schema.Struct({
  object: Schema.Literal("event_stream_position"),
  position: Schema.Int,
  trace_id: TraceId
})

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["webhooks:read"],
  rate: "read",
  validation: InvalidWebhookEventsQuery.code
}
const streaming: OperationTraits = { ...traits, realTime: true, longPoll: true }

/** The events that an environment still holds, and its stream, as people follow it. Decision 0155 */
export class EventLogApi extends HttpApiGroup.make("eventLog")
  .add(
    /** Events newest first; a page looks at a bounded number of them, down to `walked_to`. */
    HttpApiEndpoint.get("list", "/", {
      query: { ...rowsQuery, type: Schema.optionalKey(EventTypeFilter) },
      success: Schema.Struct({ ...rowsOf(LoggedEvent).fields, walked_to: Schema.NullOr(Schema.String) })
    }).annotate(Traits, traits),
    /** The last events of the stream, newest first, in the order that every listener sees. */
    HttpApiEndpoint.get("latest", "/latest", {
      query: { limit: integerParam(1, 100) },
      success: rowsOf(StreamedEvent)
    }).annotate(Traits, { ...traits, realTime: true }),
    HttpApiEndpoint.get("end", "/stream", { success: StreamPosition }).annotate(Traits, streaming),
    /**
     * Waits for events after a position, at most 15 seconds, and returns the position after them. Refuses when twenty
     * people already wait in the environment.
     */
    HttpApiEndpoint.get("follow", "/stream/:position", {
      params: { position: Schema.String.check(Schema.isPattern(/^\d{1,15}$/u)) },
      success: StreamPosition,
      error: RateLimited.wire
    }).annotate(Traits, streaming),
    HttpApiEndpoint.get("get", "/:event_id", {
      params: { event_id: pathId("evt") },
      success: Schema.Struct({
        ...LoggedEvent.fields,
        object: Schema.Literal("event"),
        /** Null without content left; masked where its declaration names a secret. */
        envelope: Schema.NullOr(Schema.Unknown)
      }),
      error: WebhookEventNotFound.wire
    }).annotate(Traits, traits)
  )
  .prefix("/people/events") {}
