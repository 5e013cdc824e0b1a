import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Waits, turn by turn of the event loop, until the condition holds. */
export const until = <R>(holds: Effect.Effect<boolean, unknown, R>): Effect.Effect<void, never, R> => {
  const look = (turns: number): Effect.Effect<void, never, R> =>
    Effect.flatMap(Effect.orDie(holds), (done) =>
      done ? Effect.void : Effect.flatMap(nextTurn(turns), () => look(turns + 1))
    )
  return look(0)
}

/** The turns that `nextTurn` waits without a pause. */
export const turnsInARow = 100
const turnsOfOnePause = 20
const longestPauseMs = 20

/**
 * Waits for the next turn of the event loop; after a hundred turns of waiting for one thing, for a real millisecond, and
 * longer the longer that takes. A loop without a pause takes the processor from PostgreSQL and from started processes,
 * which most tests wait for.
 */
export const nextTurn = (turnsBefore: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const paused = turnsBefore - turnsInARow
    const pauseMs = Math.min(longestPauseMs, 1 + Math.floor(paused / turnsOfOnePause))
    if (paused < 0) setImmediate(() => resume(Effect.void))
    else setTimeout(() => resume(Effect.void), pauseMs)
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
