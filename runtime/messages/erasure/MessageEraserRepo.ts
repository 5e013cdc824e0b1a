import { Ids, lowestIdAt } from "@carteiro/owners/Ids.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasedSubject, Eraser } from "../../erasure/Erasers.ts"
import { eventItem, firstEvents } from "../message/MessageRead.ts"
import { cancelErased, withoutSource, withoutWords } from "../message/MessageWrites.ts"
import { channelsOf } from "../message/Recipient.ts"
import { endsErased } from "../message/StoredReports.ts"

const batch = 500

/** Returns the id below which messages existed when the customer was erased. */
const boundOf = ({ erased_at }: ErasedSubject): string => lowestIdAt("msg", erased_at + 1)

/**
 * Erases a customer from messages: queued ones are cancelled with the erasure unless a stored report proves that an
 * attempt was sent, and all lose content, payload, names, metadata, recipient and the provider's texts; ids and
 * statuses stay. Conversations get the customer's keyed hash as their key, so that a later pass finds nothing again.
 */
export const messageErasers: Effect.Effect<ReadonlyArray<Eraser>, never, SqlClient.SqlClient | Ids> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const ids = yield* Ids

    const queued = (erased: ErasedSubject) =>
      many(
        sql.unsafe<{ readonly id: string; readonly created_at: number }>(
          `select id, created_at from messages
          where customer_key = $1 and environment_id = $2 and channel = any($3::text[]) and status = 'queued' order by id`,
          [erased.subject.key, erased.environment_id, arrayParameter("text", channelsOf(erased.subject.type))]
        )
      )

    const clearSome = (erased: ErasedSubject) =>
      many(
        sql.unsafe(clearSql, [
          erased.environment_id,
          erased.subject.key,
          boundOf(erased),
          arrayParameter("text", channelsOf(erased.subject.type)),
          `erased:${erased.hashes[0]}`,
          instant(erased.erased_at)
        ])
      )

    return [
      {
        rows: (erased) =>
          Effect.map(queued(erased), (messages) =>
            messages.map(({ created_at, id }) => {
              const cancelled = {
                type: "message.cancelled",
                status: "cancelled",
                occurred_at: erased.erased_at,
                error_code: null,
                details: null
              } as const
              return cancelErased.row({
                environment_id: erased.environment_id,
                id,
                first_events: firstEvents({ id, direction: "outbound", created_at }),
                event: jsonText(eventItem(ids.mint("mev", erased.erased_at), cancelled)),
                updated_at: erased.erased_at
              })
            })
          ),
        clear: Effect.fnUntraced(function* (erased) {
          while ((yield* clearSome(erased)).length >= batch) {}
        }),
        redact: redactMessages
      }
    ]
  }
)

/**
 * Returns a stored response with a message of an erased customer (of an inbound simulation, of a cancel), with the
 * customer's members null; the 202 of a send holds none.
 */
const redactMessages = (body: unknown, { erased_at }: ErasedSubject): unknown => {
  if (!isRecord(body) || body.object !== "message" || !isRecord(body.sender) || !isRecord(body.recipient)) return body
  if (String(body.id) >= lowestIdAt("msg", erased_at + 1)) return body
  const sides =
    body.direction === "inbound"
      ? { sender: { ...body.sender, id: null, profile_name: null, user_id: null, username: null } }
      : { recipient: { ...body.recipient, id: null } }
  const content = ["payload", "metadata", "media", "unsupported", "unknown"].filter((name) => name in body)
  return { ...body, ...sides, ...Object.fromEntries(content.map((name) => [name, null])) }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

// Dependent rows are found by the keys of the cleared conversations. A locked row waits for the next pass.
const clearSql = `with found as materialized (
    select id, channel, business_id from messages
    where customer_key = $2 and environment_id = $1 and id < $3 and channel = any($4::text[])
    order by id limit ${batch} for update skip locked
  ), conversations as materialized (
    select distinct channel, business_id from found
  ), windows as (
    delete from service_windows w using conversations f where w.environment_id = $1 and w.channel = f.channel
      and w.business_id = f.business_id and w.customer_key = $2 and w.latest_inbound_at <= $6::timestamptz
  ), claims as (
    delete from marketing_claims k where k.environment_id = $1 and k.customer_key = $2 and k.message_id < $3
      and exists (select 1 from found)
  ), attempts as (
    delete from marketing_attempts t using conversations f where t.environment_id = $1 and t.business_id = f.business_id
      and t.customer_key = $2 and t.latest_message_id < $3
  ), slots as (
    update allowance_slots s set customer_key = $5 from conversations f where s.environment_id = $1
      and s.business_id = f.business_id and s.customer_key = $2 and not exists (select 1 from allowance_slots o
        where o.environment_id = $1 and o.business_id = f.business_id and o.customer_key = $5)
  )
  update messages m set content = null, provider_payload = null, customer_name = null, metadata = null, flow_token = null,
    customer_user_id = null, customer_username = null, context = ${withoutSource("m.context")},
    provider_error = ${withoutWords("m.provider_error")}, customer_id = '', customer_key = $5, redacted_at = coalesce(m.redacted_at, $6::timestamptz), updated_at = $6::timestamptz,
    status_reason = case when ${endsErased("m")} then null else m.status_reason end,
    due_at = case when ${endsErased("m")} then null else m.due_at end,
    status = case when ${endsErased("m")} then 'cancelled' else m.status end
  from found f where m.environment_id = $1 and m.id = f.id returning 1`
