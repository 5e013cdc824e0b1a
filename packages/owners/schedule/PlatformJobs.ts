import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { deleteUpTo, type Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"

const minute = 60_000
const day = 24 * 60 * minute

/**
 * Deletes expired rows of the engine's own tables: idempotency records at their expiry, outcomes of commits that no
 * unknown outcome can need any more, and lock sessions of runners that are long gone. A-IDEM-03
 */
export const platformJobs: ReadonlyArray<Job> = [
  {
    name: "idempotency records past their window",
    everyMs: minute,
    run: Effect.flatMap(Clock.currentTimeMillis, (now) => deleteUpTo("idempotency_records", "expires_at", now))
  },
  {
    name: "subjects of idempotency records past their window",
    everyMs: minute,
    run: Effect.flatMap(Clock.currentTimeMillis, (now) => deleteUpTo("idempotency_subjects", "expires_at", now))
  },
  {
    name: "outcomes of commits",
    everyMs: 10 * minute,
    run: Effect.flatMap(Clock.currentTimeMillis, (now) => deleteUpTo("commits", "created_at", now - day))
  },
  {
    name: "lock sessions of runners that are gone",
    everyMs: 60 * minute,
    run: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = instant((yield* Clock.currentTimeMillis) - day)
      yield* many(sql`delete from runner_sessions s where s.address > '' and s.started_at < ${before}
        and not exists (select from pg_stat_activity a where a.pid = s.pid)`)
    })
  }
]
