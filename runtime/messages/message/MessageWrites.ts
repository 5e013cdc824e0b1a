import type { MessageEventItem } from "@carteiro/schema/messages/Message.ts"
import { customerTypes } from "@carteiro/schema/messages/Vocabulary.ts"
import { json } from "@carteiro/tables/StoredJson.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { messagesTable } from "./MessageTables.ts"
import { versionOf } from "./Senders.ts"
import { endsErased, isReported } from "./StoredReports.ts"

/**
 * Returns the SQL of rows with the type of each conversation's customer beside its `channel`, as a column. An expression in
 * the condition of a look-up would make the index of customers cost as much as the primary key, and where a table was
 * small when its plan was made the planner would take that, and read all contacts of the environment.
 */
export const withCustomerType = (rows: string): string =>
  `(select typed.*, case typed.channel ${Object.entries(customerTypes)
    .map(([name, type]) => `when '${name}' then '${type}'`)
    .join(" ")} end as customer_type from ${rows} typed offset 0)`

/**
 * Returns the SQL of a stored refusal of the provider without its title and sentence, which may repeat number and name
 * of the customer; the provider and the numbers of the error stay. gaps-2 I "Erasure"
 */
export const withoutWords = (refusal: string): string =>
  `(select json_build_object('provider', e.j->'provider', 'code', e.j->'code', 'subcode', e.j->'subcode', 'title', null,
    'message', null, 'http_status', e.j->'http_status')::text from (select ${refusal}::json as j) e where e.j is not null)`

/** Returns the SQL of a stored context without the source from which the customer came. gaps-2 I "Erasure" */
export const withoutSource = (context: string): string =>
  `(select case when e.j is null then null else json_build_object('reply_to', e.j->'reply_to', 'forwarded',
    e.j->'forwarded', 'frequently_forwarded', e.j->'frequently_forwarded')::text end from (select ${context}::json as j) e)`

const messageTarget = rowOf("messages", "id")

const outboundColumns = [
  "environment_id",
  "id",
  "channel",
  "type",
  "status_reason",
  "business_id",
  "business_phone",
  "customer_id",
  "customer_key",
  "provider",
  "content",
  "context",
  "metadata",
  "trace_id",
  "scenario",
  "due_at",
  "created_at"
] as const

/**
 * Returns the SQL that tells whether a customer has opted out, or had when they were erased and has not chosen since.
 * Without hashes, a customer without a choice counts as opted out once the environment has any erased opt-out: the send
 * is then decided again with hashes. Scalar sub-selects make the planner use an index for each row.
 */
export const isOptedOut = (of: {
  readonly environment_id: string
  /** A column, see `withCustomerType`. */
  readonly type: string
  readonly key: string
  /** Keyed hashes joined by commas. */
  readonly subjects: string
}): string => `case (select c.opt_in_status from contacts c where c.environment_id = ${of.environment_id}
        and c.match_key = ${of.key} and c.customer_type = ${of.type})
      when 'opted_out' then true when 'opted_in' then false
      else case when ${of.subjects} is null
        then exists (select 1 from contact_suppressions s where s.environment_id = ${of.environment_id})
        else exists (select 1 from contact_suppressions s where s.environment_id = ${of.environment_id}
          and s.subject = any(string_to_array(${of.subjects}, ','))) end end`

const acceptable = (asked: string): string => `select a.unit
    from ${withCustomerType(asked)} a
    where ${versionOf("a.business_id")} = a.number_version
      and not ${isOptedOut({
        environment_id: "a.environment_id",
        type: "a.customer_type",
        key: "a.customer_key",
        subjects: "a.subjects"
      })}`

const outboundBeside = { number_version: "text", subjects: "text" } as const

const outboundValues = { direction: "'outbound'", status: "'queued'", updated_at: "r.created_at" }

/**
 * Inserts an accepted send: this row is the whole effect of POST /v1/messages. Constants stay in the statement. Passes
 * only while the number is unchanged since the read and the customer has not opted out. gaps-2 A "Check order inside
 * POST /v1/messages after the idempotency step"
 */
export const insertOutbound = insertInto(messagesTable, {
  name: "messages.insert_outbound",
  columns: outboundColumns,
  beside: outboundBeside,
  values: outboundValues,
  conflict: { on: ["environment_id", "id"] },
  guard: acceptable
})

// Any change of a template or of its versions changes its row.
const sendable = (asked: string): string => `${acceptable(asked)}
      and (a.template_id is null or a.template_row_version = (select t.xmin::text from templates t
        where t.environment_id = a.environment_id and t.id = a.template_id and t.deleted_at is null))`

/**
 * Inserts a send of a template or a flow, or one to a group, with their frozen columns, which other sends do not have. Passes only while
 * the template is unchanged since the read, too.
 */
export const insertNaming = insertInto(messagesTable, {
  name: "messages.insert_naming",
  columns: [
    ...outboundColumns,
    "template_name",
    "template_id",
    "template_version_id",
    "template_version",
    "template_category",
    "marketing_hash",
    "flow_id",
    "flow_token",
    "batch_id",
    "group_id",
    "provider_group_id"
  ],
  beside: { ...outboundBeside, template_row_version: "text" },
  values: outboundValues,
  conflict: { on: ["environment_id", "id"] },
  guard: sendable
})

/** Marks a message that its author corrected or withdrew, at an instant by the provider's clock. U-INB-03 */
export const markMessage = updateOf(messagesTable, {
  name: "messages.mark",
  beside: { direction: "text", edited_at: "timestamptz", revoked_at: "timestamptz", updated_at: "timestamptz" },
  values: {
    edited_at: "greatest(t.edited_at, r.edited_at)",
    revoked_at: "coalesce(t.revoked_at, r.revoked_at)",
    updated_at: "greatest(t.updated_at, r.updated_at)"
  },
  where: "t.direction = r.direction",
  target: messageTarget
})

/**
 * Records the latest inbound instant of a conversation; it never moves backward. gaps-2 B "Service window definition"
 */
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

// A late response or report of the provider does not restore erased data.
const unlessErased = {
  provider_payload: "case when t.redacted_at is null then r.provider_payload end",
  provider_error: `case when t.redacted_at is null then r.provider_error else ${withoutWords("r.provider_error")} end`
}

type Steps = ReadonlyArray<MessageEventItem>

const moved = [
  "status",
  "status_reason",
  "provider",
  "provider_message_id",
  "provider_payload",
  "error_code",
  "error_message",
  "provider_error",
  "pricing",
  "events",
  "due_at",
  "sending_since",
  "released_at",
  "delivery_unconfirmed_at",
  "updated_at"
] as const

/**
 * Changes a message from the status that was read: when the status has changed meanwhile, nothing of the unit is
 * written, neither the new status nor its events. With `unreported`, nothing is written either while a stored report of
 * the message waits. M-MSG-14
 */
export const advance = updateOf(messagesTable, {
  name: "messages.advance",
  set: moved,
  values: unlessErased,
  beside: { from_status: "text", batch_id: "text", unreported: "bool" },
  guard: `t.status = r.from_status and (not r.unreported or not ${isReported("t.id", "t.business_id")})`,
  target: messageTarget
})

/**
 * Cancels a queued message, with the step `event` (JSON text); changes nothing in any other status, and when a stored
 * report proves that an attempt was sent. Decision 0036
 */
export const cancelErased = updateOf(messagesTable, {
  name: "messages.cancel_erased",
  set: ["updated_at"],
  beside: { first_events: json<Steps>(), event: json<MessageEventItem>() },
  values: {
    status: "'cancelled'",
    status_reason: "null",
    due_at: "null",
    events: `left(coalesce(t.events, r.first_events), -1) || ',' || r.event || ']'`
  },
  where: endsErased("t"),
  target: messageTarget
})

/**
 * Changes a message like `advance`, after a temporary refusal of the provider: with the number of refusals and their
 * beginning. gaps-2 D "Throughput exhaustion"
 */
export const sendBack = updateOf(messagesTable, {
  name: "messages.send_back",
  set: [...moved, "refusals", "refused_by", "refused_since"],
  values: unlessErased,
  beside: { from_status: "text" },
  guard: "t.status = r.from_status",
  target: messageTarget
})
