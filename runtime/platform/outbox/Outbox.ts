import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { AnyEvent, KeptData } from "@carteiro/schema/conventions/Event.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Context, Effect, Layer } from "effect"
import { defineWrite, type Row } from "../commit/Write.ts"
import { Ids } from "../ids/Ids.ts"

/**
 * An event of a declaration, about to be written in the commit of the change that caused it; `data` is what the
 * declaration says is kept with the change. Architecture, section 4
 */
export type OutboxEvent<E extends AnyEvent> = {
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly source_id: string
  readonly trace_id: string
  /** Fan-out time, epoch milliseconds. A-SIG-03 */
  readonly at: number
  readonly data: KeptData<E>
} & BusinessTime<E>

/** When it happened, epoch milliseconds, for the events that are declared with it. A-SIG-04 */
type BusinessTime<E extends AnyEvent> = E["timed"] extends true ? { readonly occurred_at: number } : unknown

/** Name under which fan-out hangs itself behind the outbox, see `CommitFollowers`. */
export const outboxInsert = defineWrite({
  name: "outbox_events.insert",
  columns: {
    environment_id: "text",
    id: "text",
    type: "text",
    source_type: "text",
    source_id: "text",
    trace_id: "text",
    created_at: "timestamptz",
    envelope: "text"
  },
  returns: true,
  sql: (source) => `insert into outbox_events
      (environment_id, id, type, source_type, source_id, trace_id, created_at, envelope)
    select r.environment_id, r.id, r.type, r.source_type, r.source_id, r.trace_id, r.created_at, r.envelope
    from ${source} r
    on conflict (environment_id, id) do nothing
    returning environment_id as key`
})

/** Makes rows of events: the envelope is serialized here, once, and every delivery, preview and resend sends its bytes. */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Compiles only for a declared event with the data of its declaration. */
    readonly event: <E extends AnyEvent>(declared: E, event: OutboxEvent<E>) => Row
  }
>()("@carteiro/runtime/platform/outbox/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.map(Ids, (ids) =>
      Outbox.of({
        event: (declared, event) => {
          const id = ids.mint("evt", event.at)
          return outboxInsert.row({
            environment_id: event.environment_id,
            id,
            type: declared.type,
            source_type: declared.source_type,
            source_id: event.source_id,
            trace_id: event.trace_id,
            created_at: event.at,
            envelope: envelopeText(id, { ...event, type: declared.type })
          })
        }
      })
    )
  )
}

/** What an envelope says beside its id; instants are epoch milliseconds. */
export interface EnvelopeFacts {
  readonly type: string
  readonly at: number
  readonly occurred_at?: number
  readonly environment: EnvironmentKind
  readonly trace_id: string
  readonly data: unknown
}

/**
 * The envelope's text, serialized once and stored: its UTF-8 bytes are what every attempt, preview and resend sends. It
 * holds neither a NUL nor an unpaired surrogate, so a text column keeps it whole. A-SIG-01..06, gaps-1 K "Raw body and timestamp"
 */
export const envelopeText = (id: string, event: EnvelopeFacts): string =>
  JSON.stringify({
    id,
    type: event.type,
    created_at: formatTimestamp(event.at),
    ...(event.occurred_at === undefined ? {} : { occurred_at: formatTimestamp(event.occurred_at) }),
    environment: event.environment,
    trace_id: event.trace_id,
    data: event.data
  })
