import { noLaterThan } from "@carteiro/tables/NoLaterThan.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AdvanceState } from "./ClockRules.ts"
import { emptiedAccounts, emptiedTables } from "./ResetTables.ts"

/** The rows of a sandbox that a reset deletes, and those that it brings back to real time. */
export class ResetRepo extends Context.Service<
  ResetRepo,
  {
    /**
     * Deletes rows of a sandbox, a bounded number of them. True once none is left; then what stays is as it was in the
     * beginning. `now` in epoch milliseconds of real time.
     */
    empty(environmentId: string, reset: AdvanceState | undefined, now: number): Effect.Effect<boolean>
  }
>()("@carteiro/runtime/sandbox/clock/ResetRepo") {
  static readonly layer = Layer.effect(
    ResetRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      /** Deletes some rows by one statement; returns how many. */
      const deleteSome = Effect.fnUntraced(function* (
        text: string,
        parameters: ReadonlyArray<ReturnType<typeof instant> | string | null>
      ) {
        let deleted = 0
        for (let batches = 0; batches < batchesAtOnce; batches++) {
          const rows = yield* many(sql.unsafe<object>(text, parameters))
          deleted += rows.length
          if (rows.length < batch) break
        }
        return deleted
      })

      return ResetRepo.of({
        empty: Effect.fnUntraced(function* (environmentId, reset, now) {
          let deleted = 0
          const ofEnvironment = [environmentId]
          for (const table of emptiedTables) {
            const rows = yield* deleteSome(deleteSql(table, "x.environment_id = $1"), ofEnvironment)
            // Those who read the advance until it is settled are logged meanwhile: the last few rows hold up no reset.
            if (!loggedTables.has(table) || rows >= batch) deleted += rows
          }
          // The ledger says which usage was the sandbox's own.
          const usage = yield* deleteSome(deleteUsageSql, ofEnvironment)
          if (usage >= batch * batchesAtOnce) return false
          deleted += usage
          for (const table of emptiedAccounts) {
            deleted += yield* deleteSome(deleteSql(table, "x.account_id = $1"), ofEnvironment)
          }
          const recordOfReset = [environmentId, reset?.request_key ?? null]
          deleted += yield* deleteSome(deleteRecordsSql, recordOfReset)
          deleted += yield* deleteSome(deleteAdvancesSql, [environmentId, reset?.id ?? null])
          deleted += yield* deleteSome(deleteAssetsSql, [environmentId, instant(now)])
          for (const text of [deleteJobsSql, deleteWorkSql, deleteMonthsSql, deleteLevelsSql, deleteNumbersSql]) {
            deleted += yield* deleteSome(text, ofEnvironment)
          }
          if (deleted > 0) return false
          for (const text of restoreSql) yield* many(sql.unsafe<object>(text, [environmentId, instant(now)]))
          return true
        })
      })
    })
  )
}

/** Tables that requests fill during a reset. */
const loggedTables: ReadonlySet<string> = new Set(["request_blocks", "request_logs", "request_log_counts"])

/** Rows that one statement deletes, and statements for one table before the next table has its turn. */
const batch = 1000
const batchesAtOnce = 20

const deleteSql = (table: string, where: string): string =>
  `delete from ${table} where ctid = any(array(select x.ctid from ${table} x where ${where} limit ${batch})) returning 1`

const deleteRecordsSql = deleteSql(
  "idempotency_records",
  "x.environment_id = $1 and x.key_hash is distinct from $2::text"
)
const deleteAdvancesSql = deleteSql(
  "sandbox_clock_advances",
  "x.environment_id = $1 and x.id is distinct from $2::text"
)
const deleteUsageSql = deleteSql(
  "usage_records",
  `exists (select from environments e join ledger_entries l on l.account_id = e.id
    where e.id = $1 and x.organization_id = e.organization_id and x.id = l.source_id)`
)
// Bytes are removed by the jobs that remove those of a deleted asset.
const deleteAssetsSql = `with gone as (
    delete from media_assets where ctid = any(array(
      select x.ctid from media_assets x where x.environment_id = $1 limit ${batch}))
    returning environment_id, environment, blob_key, trace_id
  ), discarded as (
    insert into media_jobs (environment_id, id, kind, environment, input, due_at, trace_id, created_at)
    select g.environment_id, 'discard_' || g.blob_key, 'discard', g.environment,
      json_build_object('blob_key', g.blob_key)::text, $2::timestamptz, g.trace_id, $2::timestamptz
    from gone g where g.blob_key is not null on conflict (environment_id, id) do nothing
  )
  select 1 from gone`
const deleteJobsSql = deleteSql("media_jobs", "x.environment_id = $1 and x.kind not in ('discard', 'sweep')")

const numbersSql = "select n.id from phone_numbers n where n.environment_id = $1"
const deleteWorkSql = deleteSql("vendor_webhook_work", `x.owner_type = 'PhoneNumber' and x.owner_id in (${numbersSql})`)
const deleteMonthsSql = deleteSql("phone_months", `x.phone_number_id in (${numbersSql})`)
// Levels of admission and of listening live on real time: they limit the caller, whatever the sandbox holds.
const deleteLevelsSql = deleteSql(
  "owner_levels",
  `x.owner_id in (select $1 union all ${numbersSql}) and x.owner_type not in ('Environment', 'Listen', 'SandboxClock')`
)
// A new sandbox has one number, which is fictitious.
const firstNumberSql = `select f.id from phone_numbers f
  where f.environment_id = $1 and f.source = 'byon' and f.phone like '+55209%' order by f.phone limit 1`
const deleteNumbersSql = deleteSql(
  "phone_numbers",
  `x.environment_id = $1 and x.id is distinct from (${firstNumberSql})`
)

const now = "$2::timestamptz"
/** SQL: `set` of instants that lie behind the end of the reset; those that are null stay null. */
const broughtBack = (columns: ReadonlyArray<string>): string =>
  columns.map((column) => `${column} = ${noLaterThan(column, now)}`).join(", ")
/** Brings those instants of a table's rows back. */
const bringBack = (table: string, columns: ReadonlyArray<string>): string =>
  `update ${table} set ${broughtBack(columns)} where environment_id = $1 and greatest(${columns.join(", ")}) > ${now}`

/** These statements give the rows that stay the values of a new sandbox, and bring their instants back to real time. */
const restoreSql: ReadonlyArray<string> = [
  `update phone_numbers set status = 'active', quality_rating = 'green', messaging_tier = 'tier_1k',
     messaging_limit_tier = 'TIER_1K', upstream_throughput_tier = '2', upstream_quality_rating = 'GREEN',
     upstream_phone_number_id = null, biz_account_id = null, provider_number_id = null, pending_name_review = null,
     name_review = null, suspended_at = null, error_code = null, error_message = null, released_at = null,
     verification_code = null, verification_code_received_at = null, due_at = null, moved_at = null,
     registration_pin = null, registration_state = null, registration_problem = null, registration_tried_at = null,
     verified_name = coalesce(display_name, 'Sandbox Sender'), upstream_health_synced_at = ${now},
     ${broughtBack(["created_at", "activated_at"])}, updated_at = ${now}
   where environment_id = $1`,
  bringBack("templates", ["created_at", "updated_at", "submitted_at", "approved_at", "deleted_at", "due_at"]),
  bringBack("template_versions", ["created_at", "updated_at", "submitted_at", "approved_at"]),
  bringBack("media_jobs", ["due_at", "done_at"]),
  `update media_usage set used_bytes = 0 where environment_id = $1 and ${now} is not null`,
  `update environment_counters set webhook_endpoints = 0 where environment_id = $1 and ${now} is not null`
]
