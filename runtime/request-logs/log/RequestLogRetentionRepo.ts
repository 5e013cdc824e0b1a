import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { subjectHashes } from "@carteiro/owners/Subject.ts"
import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Eraser } from "../../erasure/Erasers.ts"
import { keptDays } from "../../tenancy/KeptDays.ts"
import { RequestLogSettings } from "./RequestLogSettings.ts"

const batch = 500

interface NextEnvironment {
  readonly environment_id: string
  readonly production: boolean
}

/**
 * Deletes requests at the end of their retention, within each environment along its primary key and in small batches.
 * The rows of a log that was switched off follow the standard retention.
 */
const purge: Job["run"] = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const settings = (yield* RequestLogSettings) ?? RequestLogSettings.defaultValue()
  const daysOf = yield* keptDays
  let after = ""
  while (true) {
    const next = yield* one(sql<NextEnvironment>`select environment_id, production from request_logs
      where environment_id > ${after} order by environment_id, id limit 1`)
    if (next === undefined) return
    after = next.environment_id
    const kept = settings?.[next.production ? "production" : "sandbox"].days ?? 0
    const bound = lowestIdAt("req", now - Math.min(kept, daysOf(after).payload_retention_days) * dayMs)
    const some = sql`delete from request_logs r where r.environment_id = ${after} and r.id = any(array(
      select id from request_logs where environment_id = ${after} and id < ${bound}
      order by id limit ${batch} for update skip locked)) returning 1`
    while ((yield* many(some)).length >= batch) {}
  }
})

/** Deletes counts that are older than every log's retention. */
const purgeCounts: Job["run"] = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const settings = (yield* RequestLogSettings) ?? RequestLogSettings.defaultValue()
  const days = Math.max(settings?.sandbox.days ?? 0, settings?.production.days ?? 0)
  let after = ""
  while (true) {
    const next = yield* one(sql<{ readonly environment_id: string }>`select environment_id from request_log_counts
      where environment_id > ${after} order by environment_id limit 1`)
    if (next === undefined) return
    after = next.environment_id
    const some = sql`delete from request_log_counts c where c.environment_id = ${after} and c.hour = any(array(
      select hour from request_log_counts where environment_id = ${after} and hour < ${instant(now - days * dayMs)}
      order by hour limit ${batch} for update skip locked)) returning 1`
    while ((yield* many(some)).length >= batch) {}
  }
})

/** The jobs that delete requests and counts after their retention. */
export const requestLogJobs: ReadonlyArray<Job> = [
  { name: "request_logs.purge", everyMs: hourMs, run: purge },
  { name: "request_log_counts.purge", everyMs: hourMs, run: purgeCounts }
]

/**
 * Erases a customer from the log: rows with the customer's hash, or with the contact's id, lose path, query and bodies.
 */
export const requestLogErasers: Effect.Effect<ReadonlyArray<Eraser>, never, SqlClient.SqlClient | Secrets> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets
    return [
      {
        clear: Effect.fnUntraced(function* ({ environment_id, erased_at, hashes, id }) {
          const subjects = [...hashes, ...subjectHashes(secrets, environment_id, { type: "contact", key: id })]
          const some = sql`update request_logs set details = null, subjects = null where ctid = any(array(
            select ctid from request_logs where subjects && ${arrayParameter("text", subjects)}
              and environment_id = ${environment_id} and id < ${lowestIdAt("req", erased_at + 1)}
            limit ${batch} for update skip locked)) returning 1`
          while ((yield* many(some)).length >= batch) {}
        })
      }
    ]
  }
)
