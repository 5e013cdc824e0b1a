import { Ids } from "@carteiro/owners/Ids.ts"
import type { AcceptItem } from "@carteiro/runtime/messages/accept/AcceptItem.ts"
import { PhoneNumberEntity } from "@carteiro/runtime/messages/Messages.ts"
import type { InboundItem } from "@carteiro/runtime/messages/receive/InboundItem.ts"
import type { MessageEventItem } from "@carteiro/schema/messages/Message.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { TestNumber } from "../support/Numbers.ts"

/** The customer to whom most tests write. */
export const customer = "5511912345678"

/** A send as the edge makes it. */
export const sendOf = Effect.fnUntraced(function* (number: TestNumber, options: Partial<AcceptItem> = {}) {
  const now = yield* Clock.currentTimeMillis
  const ids = yield* Ids
  return {
    id: ids.mint("msg", now),
    environment_id: number.environment_id,
    environment: number.kind,
    channel: "chatapp",
    type: "text",
    customer_id: `+${options.customer_key ?? customer}`,
    customer_key: customer,
    content: jsonText({ type: "text", text: { body: "Olá" } }),
    metadata: null,
    trace_id: "0".repeat(32),
    created_at: now,
    claim: undefined,
    scenario: "success",
    reply_to: undefined,
    ...options
  } satisfies AcceptItem
})

/** Accepts one send and returns the parsed 202. */
export const accept = Effect.fnUntraced(function* (number: TestNumber, options: Partial<AcceptItem> = {}) {
  const owner = yield* PhoneNumberEntity.client
  const item = yield* sendOf(number, options)
  return JSON.parse(yield* owner.Accept(number.id, item)) as { readonly id: string; readonly status: string }
})

/** Captures one inbound text. */
export const hear = Effect.fnUntraced(function* (
  number: TestNumber,
  options: Partial<InboundItem> & { readonly body?: string } = {}
) {
  const { body = "oi", ...rest } = options
  const now = yield* Clock.currentTimeMillis
  const ids = yield* Ids
  const owner = yield* PhoneNumberEntity.client
  const id = rest.id ?? ids.mint("msg", now)
  const text = yield* owner.Inbound(number.id, {
    id,
    environment_id: number.environment_id,
    environment: number.kind,
    channel: "chatapp",
    type: "text",
    customer_id: `+${options.customer_key ?? customer}`,
    customer_key: customer,
    content: jsonText({ type: "text", text: { body } }),
    metadata: null,
    trace_id: "0".repeat(32),
    created_at: now,
    claim: undefined,
    contact_id: ids.mint("con", now),
    profile_name: null,
    provider: "sandbox",
    provider_message_id: `sb_${id}`,
    payload: jsonText<unknown>({}),
    ...rest
  })
  return JSON.parse(text) as { readonly id: string }
})

/** The stored columns of a message. */
export interface StoredMessage {
  readonly status: string
  readonly status_reason: string | null
  readonly provider: string | null
  readonly provider_message_id: string | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly provider_error: string | null
  readonly due_at: number | null
  readonly delivery_unconfirmed_at: number | null
  readonly events: string | null
}

/** The row of a message. */
export const stored = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<StoredMessage>`select * from messages where id = ${id}`
  if (rows[0] === undefined) return yield* Effect.die(new Error(`no message ${id}`))
  return rows[0]
}, Effect.orDie)

/** The recorded steps of a message as `type@milliseconds since acceptance`. */
export const steps = Effect.fnUntraced(function* (id: string, since: number) {
  const { events } = yield* stored(id)
  return (JSON.parse(events ?? "[]") as ReadonlyArray<MessageEventItem>).map(
    (event) => `${event.type.slice("message.".length)}@${Date.parse(event.occurred_at) - since}`
  )
})

/** The outbox events about a message, in their order. */
export const announced = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly envelope: string }>`select envelope from outbox_events
    where source_id = ${id} order by created_at, case type when 'message.sent' then 1 when 'message.delivered' then 2
      else 3 end`
  return rows.map(
    (row) => JSON.parse(row.envelope) as { readonly type: string; readonly data: Record<string, unknown> }
  )
}, Effect.orDie)
