import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Waits, turn by turn of the event loop, until the condition holds. */
export const until = <R>(holds: Effect.Effect<boolean, unknown, R>): Effect.Effect<void, never, R> =>
  Effect.orDie(holds).pipe(Effect.flatMap((done) => (done ? Effect.void : Effect.andThen(nextTurn, until(holds)))))

const nextTurn = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/**
 * Returns the number of statements that wait for a lock in this test's database; it must run inside the transaction
 * that holds the lock.
 */
export const lockWaiters = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A transaction sees the activity of its first look until the snapshot is cleared.
  yield* sql`select pg_stat_clear_snapshot()::text as cleared`
  const rows = yield* sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return rows.length
})
