import { room } from "@carteiro/runtime/activity/room.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The jobs of the room: counting, and forgetting. */
export const [count = Effect.void, purge = Effect.void] = room.jobs.map(({ run }) => run)

/** Counts until everything that was written before is counted: other tests hold transactions open in the same cluster. */
export const countAll = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [now] = yield* sql<{ readonly xid: string }>`select activity_number()::text as xid`
  const isBehind = Effect.map(
    sql`select 1 from activity_borders where counted_before <= ${now?.xid ?? "0"}::int8`,
    (rows) => rows.length > 0
  )
  yield* count
  while (yield* isBehind) yield* count
})
