import { customerTypes } from "@carteiro/schema/messages/Vocabulary.ts"
import { rowOf } from "../../platform/commit/TableWrite.ts"
import { defineWrite } from "../../platform/commit/Write.ts"

/** The type of a conversation's customer, in SQL. */
export const customerTypeOf = (channel: string): string =>
  `case ${channel} ${Object.entries(customerTypes)
    .map(([name, type]) => `when '${name}' then '${type}'`)
    .join(" ")} end`

const messageTarget = rowOf("messages", "id")

/**
 * An accepted send: the whole effect of POST /v1/messages is this one row. Constants are left to the statement. Passes
 * only while the number is as it was read and the customer has not opted out. gaps-2 A "Check order inside
 * POST /v1/messages after the idempotency step"
 */
export const insertOutbound = defineWrite({
  name: "messages.insert_outbound",
  columns: {
    environment_id: "text",
    id: "text",
    channel: "text",
    type: "text",
    status_reason: "text",
    business_id: "text",
    number_version: "text",
    business_phone: "text",
    customer_id: "text",
    customer_key: "text",
    provider: "text",
    content: "text",
    context: "text",
    metadata: "text",
    trace_id: "text",
    scenario: "text",
    due_at: "timestamptz",
    created_at: "timestamptz"
  },
  // Scalar sub-selects are looked up by their index, row by row, whatever the planner believes about the tables.
  guard: (asked) => `select a.unit from ${asked} a
    where (select n.xmin::text from phone_numbers n where n.id = a.business_id) = a.number_version
      and (select c.opt_in_status from contacts c where c.environment_id = a.environment_id
        and c.match_key = a.customer_key and c.customer_type = ${customerTypeOf("a.channel")})
        is distinct from 'opted_out'`,
  sql: (source) => `insert into messages (environment_id, id, channel, direction, type, status, status_reason,
      business_id, business_phone, customer_id, customer_key, provider, content, context, metadata, trace_id, scenario,
      due_at, created_at, updated_at)
    select r.environment_id, r.id, r.channel, 'outbound', r.type, 'queued', r.status_reason,
      r.business_id, r.business_phone, r.customer_id, r.customer_key, r.provider, r.content, r.context, r.metadata,
      r.trace_id, r.scenario, r.due_at, r.created_at, r.created_at
    from ${source} r
    on conflict (environment_id, id) do nothing`
})

/** A captured inbound message. A repeated call finds its row and writes nothing, not even its event again. */
export const insertInbound = defineWrite({
  name: "messages.insert_inbound",
  columns: {
    environment_id: "text",
    id: "text",
    channel: "text",
    type: "text",
    business_id: "text",
    business_phone: "text",
    customer_id: "text",
    customer_key: "text",
    customer_name: "text",
    provider: "text",
    provider_message_id: "text",
    content: "text",
    provider_payload: "text",
    metadata: "text",
    trace_id: "text",
    created_at: "timestamptz"
  },
  guard: (asked) => `select a.unit from ${asked} a where not exists (
    select 1 from messages m where m.environment_id = a.environment_id and m.id = a.id)`,
  target: messageTarget,
  sql: (source) => `insert into messages (environment_id, id, channel, direction, type, status,
      business_id, business_phone, customer_id, customer_key, customer_name, provider, provider_message_id, content,
      provider_payload, metadata, trace_id, created_at, updated_at)
    select r.environment_id, r.id, r.channel, 'inbound', r.type, 'received',
      r.business_id, r.business_phone, r.customer_id, r.customer_key, r.customer_name, r.provider,
      r.provider_message_id, r.content, r.provider_payload, r.metadata, r.trace_id, r.created_at, r.created_at
    from ${source} r
    on conflict (environment_id, id) do nothing`
})

/** The latest inbound instant of a conversation; never moves backwards. gaps-2 B "Service window definition" */
export const openWindow = defineWrite({
  name: "service_windows.open",
  columns: {
    environment_id: "text",
    channel: "text",
    business_id: "text",
    customer_key: "text",
    latest_inbound_at: "timestamptz"
  },
  target: rowOf("service_windows", "environment_id", "channel", "business_id", "customer_key"),
  sql: (source) => `insert into service_windows as w (environment_id, channel, business_id, customer_key,
      latest_inbound_at)
    select r.environment_id, r.channel, r.business_id, r.customer_key, max(r.latest_inbound_at)
    from ${source} r group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (environment_id, channel, business_id, customer_key) do update
      set latest_inbound_at = greatest(w.latest_inbound_at, excluded.latest_inbound_at)`
})

/**
 * Moves a message from the status it was found in: when that has changed meanwhile, nothing of the unit is written,
 * neither the new status nor its events. Architecture, section 2 "Claims are conditional updates"
 */
export const advance = defineWrite({
  name: "messages.advance",
  columns: {
    environment_id: "text",
    id: "text",
    from_status: "text",
    status: "text",
    status_reason: "text",
    provider: "text",
    provider_message_id: "text",
    provider_payload: "text",
    error_code: "text",
    error_message: "text",
    provider_error: "text",
    events: "text",
    due_at: "timestamptz",
    sending_since: "timestamptz",
    released_at: "timestamptz",
    delivery_unconfirmed_at: "timestamptz",
    updated_at: "timestamptz"
  },
  guard: (asked) => `select a.unit from ${asked} a
    join messages m on m.environment_id = a.environment_id and m.id = a.id and m.status = a.from_status
    order by a.environment_id, a.id for update of m`,
  target: messageTarget,
  sql: (source) => `update messages m set status = r.status, status_reason = r.status_reason, provider = r.provider,
      provider_message_id = r.provider_message_id, provider_payload = r.provider_payload, error_code = r.error_code,
      error_message = r.error_message, provider_error = r.provider_error, events = r.events, due_at = r.due_at,
      sending_since = r.sending_since, released_at = r.released_at,
      delivery_unconfirmed_at = r.delivery_unconfirmed_at, updated_at = r.updated_at
    from ${source} r where m.environment_id = r.environment_id and m.id = r.id`
})
