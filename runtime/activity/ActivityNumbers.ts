import { many, one } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** SQL of the condition that a border `b` counts the transactions of another database cluster than this one. */
const isElsewhere = "b.system_identifier is distinct from (select system_identifier::text from pg_control_system())"

/** The greatest number of a row that is counted or will be, each read from the end of its index. */
const newestNumber = `greatest(
  (select max(counted_before) from activity_borders),
  (select written_in from outbox_events where written_in is not null order by written_in desc limit 1),
  (select written_in from ledger_entries where written_in is not null order by written_in desc limit 1),
  (select ended_in from webhook_attempts where ended_in is not null order by ended_in desc limit 1))`

/**
 * True when activity is counted by transactions of another database cluster: the database was loaded from a dump, replicated
 * by rows into another server, or upgraded in place to another major version, and no node has started on it since.
 */
export const activityIsElsewhere = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const row = yield* one(
    sql.unsafe<{ readonly found: boolean }>(
      `select exists (select from activity_borders b where ${isElsewhere}) as found`
    )
  )
  return row?.found === true
})

/**
 * Lets the numbers of this cluster's transactions follow those of the former one, where the database moved: rows that were
 * not counted there are counted here, and none a second time. Runs before a node writes; any number may try at once.
 * decision 0121
 */
export const continueActivityNumbers = Effect.gen(function* () {
  if (!(yield* activityIsElsewhere)) return
  const sql = yield* SqlClient.SqlClient
  yield* Effect.gen(function* () {
    yield* many(sql.unsafe("select source from activity_borders order by source for update"))
    if (!(yield* activityIsElsewhere)) return
    const row = yield* one(
      sql.unsafe<{ readonly ahead: number }>(`select ${newestNumber} + 1 - pg_current_xact_id()::text::int8 as ahead`)
    )
    const ahead = row?.ahead ?? 0
    yield* many(
      sql.unsafe(`create or replace function activity_number() returns int8 language sql stable
        as 'select pg_current_xact_id()::text::int8 + (${ahead})'`)
    )
    yield* many(sql`update activity_borders set ahead = ${ahead},
      system_identifier = (select system_identifier::text from pg_control_system())`)
    yield* Effect.logInfo("the database moved to another cluster; activity is counted on from there", { ahead })
  }).pipe(sql.withTransaction, Effect.orDie)
})
