import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasedSubject, Eraser } from "../../erasure/Erasers.ts"

const batch = 500

/**
 * The SQL of events about the subject from before the erasure, and of later events about messages from before it. $1 is
 * the environment, $2 the hashes, $3 the instant, $4 the lowest id of a later message.
 */
const erasedEvents = `subject = any($2::text[]) and environment_id = $1
  and (created_at <= $3::timestamptz or (source_type = 'message' and source_id < $4))`

const parametersOf = ({ environment_id, erased_at, hashes }: ErasedSubject): ReadonlyArray<unknown> => [
  environment_id,
  arrayParameter("text", hashes),
  instant(erased_at),
  lowestIdAt("msg", erased_at + 1)
]

// An owner that takes such an attempt finds it ended; it does not count for the receiver's breaker.
const clearSql = `with found as materialized (
    select id from webhook_events where ${erasedEvents} and id > $5 and not payload_cleared
    order by id limit ${batch} for update skip locked
  ), ended as (
    update webhook_attempts a set response_body_redacted = null,
      error_message = case when a.status = 'pending' then 'payload_unavailable' else a.error_message end,
      completed_at = case when a.status = 'pending' then $6::timestamptz else a.completed_at end,
      status = case when a.status = 'pending' then 'failed' else a.status end
    from found f where a.environment_id = $1 and a.webhook_event_id = f.id
  )
  update webhook_events w set payload = null, payload_cleared = true from found f
  where w.environment_id = $1 and w.id = f.id returning w.id`

const forgetSql = `delete from outbox_events where ctid = any(array(
    select ctid from outbox_events where ${erasedEvents} limit ${batch} for update skip locked)) returning 1`

/**
 * Erases a subject from events: log rows lose payload and receivers' responses, waiting attempts end as failed, and the
 * events are removed from the outbox, so that no listener sees them.
 */
export const deliveryErasers: Effect.Effect<ReadonlyArray<Eraser>, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => [
    {
      clear: Effect.fnUntraced(function* (erased) {
        const parameters = parametersOf(erased)
        const at = instant(erased.erased_at)
        let after: string | undefined = ""
        while (after !== undefined) {
          const cleared: ReadonlyArray<{ readonly id: string }> = yield* many(
            sql.unsafe<{ readonly id: string }>(clearSql, [...parameters, after, at])
          )
          const last: string = cleared.reduce((highest, { id }) => (id > highest ? id : highest), after)
          after = cleared.length < batch ? undefined : last
        }
        while ((yield* many(sql.unsafe(forgetSql, parameters))).length >= batch) {}
      })
    }
  ]
)
