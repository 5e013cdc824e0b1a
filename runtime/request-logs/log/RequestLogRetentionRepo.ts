import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { subjectHashes } from "@carteiro/owners/Subject.ts"
import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { Job } from "@carteiro/tables/Retention.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Eraser } from "../../erasure/Erasers.ts"
import { keptDays } from "../../tenancy/KeptDays.ts"
import { markOf } from "./RedactionMemory.ts"
import { eraseFrom } from "./RequestBlock.ts"
import { RequestLogSettings } from "./RequestLogSettings.ts"
import { erasedBlockColumns } from "./RequestLogTables.ts"

const batch = 500

interface NextEnvironment {
  readonly environment_id: string
  readonly production: boolean
}

/** The tables of requests, and the column that orders the rows of each by the time of their newest request. */
const orders = { request_blocks: "last_id", request_logs: "id" } as const

/**
 * Deletes requests at the end of their retention, within each environment along the primary key and in small batches; a
 * block goes once its newest request does, ten seconds after its oldest at most. The rows of a log that was switched off
 * follow the standard retention.
 */
const purge = (table: keyof typeof orders): Job["run"] =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = yield* Clock.currentTimeMillis
    const settings = (yield* RequestLogSettings) ?? RequestLogSettings.defaultValue()
    const daysOf = yield* keptDays
    const from = sql(table)
    const id = sql(orders[table])
    let after = ""
    while (true) {
      const next = yield* one(sql<NextEnvironment>`select environment_id, production from ${from}
        where environment_id > ${after} order by environment_id, ${id} limit 1`)
      if (next === undefined) return
      after = next.environment_id
      const kept = settings?.[next.production ? "production" : "sandbox"].days ?? 0
      const bound = lowestIdAt("req", now - Math.min(kept, daysOf(after).payload_retention_days) * dayMs)
      const some = sql`delete from ${from} r where r.environment_id = ${after} and r.${id} = any(array(
        select ${id} from ${from} where environment_id = ${after} and ${id} < ${bound}
        order by ${id} limit ${batch} for update skip locked)) returning 1`
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
  { name: "request_blocks.purge", everyMs: hourMs, run: purge("request_blocks") },
  { name: "request_logs.purge", everyMs: hourMs, run: purge("request_logs") },
  { name: "request_log_counts.purge", everyMs: hourMs, run: purgeCounts }
]

/**
 * Erases a customer from the log: requests with the customer's hash, or with the contact's id, lose path, query and bodies. A
 * block is opened, and sealed again without them.
 */
export const requestLogErasers: Effect.Effect<ReadonlyArray<Eraser>, never, SqlClient.SqlClient | Secrets> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets

    /** Erases from the next blocks after one, in a transaction; returns the last of them, undefined where none is left. */
    const eraseSome = Effect.fnUntraced(
      function* (environmentId: string, marks: ReadonlyArray<number>, end: string, after: string) {
        // Found by their marks alone, whatever the planner believes about how rare they are.
        const blocks = yield* many(sql<ErasedBlock>`with found as materialized (
            select environment_id, last_id from request_blocks where subjects && ${arrayParameter("int8", marks)})
          select ${sql.literal(erasedBlockColumns.of("b"))} from found f
          join request_blocks b on b.environment_id = f.environment_id and b.last_id = f.last_id
          where b.environment_id = ${environmentId} and b.first_id < ${end} and b.last_id > ${after}
          order by b.last_id limit ${blocksAtOnce} for update of b skip locked`)
        const erased = new Set(marks)
        for (const block of blocks) {
          const rest = eraseFrom(secrets, block, erased, end)
          if (rest === undefined) continue
          const subjects = rest.subjects === null ? null : arrayParameter("int8", rest.subjects)
          yield* many(sql`update request_blocks set details = ${rest.details}, subjects = ${subjects}
            where environment_id = ${environmentId} and last_id = ${block.last_id}`)
        }
        return blocks.at(-1)?.last_id
      },
      (erasing) => Effect.orDie(sql.withTransaction(erasing))
    )

    return [
      {
        clear: Effect.fnUntraced(function* ({ environment_id, erased_at, hashes, id }) {
          const subjects = [...hashes, ...subjectHashes(secrets, environment_id, { type: "contact", key: id })]
          const end = lowestIdAt("req", erased_at + 1)
          let after: string | undefined = ""
          while (after !== undefined) after = yield* eraseSome(environment_id, subjects.map(markOf), end, after)
          const some = sql`update request_logs set details = null, subjects = null where ctid = any(array(
            select ctid from request_logs where subjects && ${arrayParameter("text", subjects)}
              and environment_id = ${environment_id} and id < ${end}
            limit ${batch} for update skip locked)) returning 1`
          while ((yield* many(some)).length >= batch) {}
        })
      }
    ]
  }
)

/** The blocks that one transaction opens and seals again. */
const blocksAtOnce = 64

type ErasedBlock = SelectedRow<typeof erasedBlockColumns>
