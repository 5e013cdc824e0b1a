import { many } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Eraser } from "../../erasure/Erasers.ts"

const batch = 500

/**
 * Moves a customer's windows, allowance slots, marketing records and messages to another key. Of two rows the later
 * window, the later slot and the latest attempt stay; a stop of either key holds for both. Decision 0135
 */
export const messageMover: Effect.Effect<Eraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql): Eraser => ({
    move: Effect.fnUntraced(function* ({ environment_id, from, to }) {
      const keys = [environment_id, from, to]
      for (const statement of [windowsSql, slotsSql, claimsSql, attemptsSql, stopsSql]) {
        yield* many(sql.unsafe(statement, keys))
      }
      while ((yield* many(sql.unsafe(messagesSql, keys))).length >= batch) {}
    })
  })
)

// Rows whose key begins with a number are looked up number by number, by their primary key.
const ofNumbers = (table: string, more = ""): string => `delete from ${table} x using phone_numbers n
    where n.environment_id = $1 and x.environment_id = $1 and x.business_id = n.id and x.customer_key = $2 ${more}
    returning x.*`

const windowsSql = `with gone as (${ofNumbers("service_windows", "and x.channel = 'chatapp'")})
  insert into service_windows as w (environment_id, channel, business_id, customer_key, latest_inbound_at)
  select environment_id, channel, business_id, $3, latest_inbound_at from gone order by business_id
  on conflict (environment_id, channel, business_id, customer_key) do update
    set latest_inbound_at = greatest(w.latest_inbound_at, excluded.latest_inbound_at)`

const slotsSql = `with gone as (${ofNumbers("allowance_slots")})
  insert into allowance_slots as s (environment_id, business_id, customer_key, expires_at, uses, lender_id)
  select environment_id, business_id, $3, expires_at, uses, lender_id from gone order by business_id
  on conflict (environment_id, business_id, customer_key) do update
    set expires_at = greatest(s.expires_at, excluded.expires_at), uses = s.uses + excluded.uses,
      lender_id = case when s.lender_id is not null then excluded.lender_id end`

const claimsSql = `with gone as (
    delete from marketing_claims where environment_id = $1 and customer_key = $2 returning *
  )
  insert into marketing_claims (environment_id, customer_key, content_hash, business_id, message_id,
    replaced_message_id, attempted_at, claimed_at)
  select environment_id, $3, content_hash, business_id, message_id, replaced_message_id, attempted_at, claimed_at
  from gone order by content_hash on conflict (environment_id, customer_key, content_hash) do nothing`

const attemptsSql = `with gone as (${ofNumbers("marketing_attempts")})
  insert into marketing_attempts as a (environment_id, business_id, customer_key, latest_message_id, latest_at,
    latest_code, previous_message_id, previous_at, previous_code)
  select environment_id, business_id, $3, latest_message_id, latest_at, latest_code, previous_message_id, previous_at,
    previous_code from gone order by business_id
  on conflict (environment_id, business_id, customer_key) do update set
    (latest_message_id, latest_at, latest_code, previous_message_id, previous_at, previous_code) = (
      select l.id, l.at, l.code, p.id, p.at, p.code
      from (select * from (values (a.latest_message_id, a.latest_at, a.latest_code),
          (excluded.latest_message_id, excluded.latest_at, excluded.latest_code)) as v(id, at, code)
        order by at desc limit 1) l
      left join (select * from (values (a.latest_message_id, a.latest_at, a.latest_code),
          (a.previous_message_id, a.previous_at, a.previous_code),
          (excluded.latest_message_id, excluded.latest_at, excluded.latest_code),
          (excluded.previous_message_id, excluded.previous_at, excluded.previous_code)) as v(id, at, code)
        where at is not null order by at desc offset 1 limit 1) p on true)`

const stopsSql = `with gone as (
    delete from marketing_stops where customer_key = $2 and environment_id = $1 returning *
  )
  insert into marketing_stops (environment_id, account_id, customer_key, stopped_at)
  select environment_id, account_id, $3, stopped_at from gone order by account_id
  on conflict (environment_id, account_id, customer_key) do nothing`

// What is still to be sent comes first; a locked row waits for the next pass.
const messagesSql = `update messages m set customer_key = $3 from (
    select id from messages where customer_key = $2 and environment_id = $1 and channel = 'chatapp'
    order by (due_at is null), id desc limit ${batch} for update skip locked
  ) f where m.environment_id = $1 and m.id = f.id returning 1`
