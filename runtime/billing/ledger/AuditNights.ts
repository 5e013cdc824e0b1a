import type { TableGauge } from "@carteiro/owners/DueWork.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { AuditFinding } from "./LedgerAudit.ts"

/** The hour of a UTC day from which the day is audited; the hour with the least traffic. */
const auditHour = 4
/** The time after which an unfinished audit counts as lost with its node and begins again, in milliseconds. */
const lostMs = 1_800_000

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)

/** Claims the audit of a day; false when it is already claimed, or when its hour has not come. */
export const takeNight = Effect.fnUntraced(function* (now: number) {
  if (new Date(now).getUTCHours() < auditHour) return false
  const sql = yield* SqlClient.SqlClient
  const taken = yield* many(sql`insert into ledger_audits as a (day, started_at)
    values (${dayOf(now)}::date, ${instant(now)})
    on conflict (day) do update set started_at = excluded.started_at
      where a.ended_at is null and a.started_at < ${instant(now - lostMs)}
    returning 1`)
  return taken.length > 0
})

/** Records the findings of the audit that began at `started`. */
export const endNight = Effect.fnUntraced(function* (
  started: number,
  ended: number,
  broken: ReadonlyArray<AuditFinding>
) {
  const sql = yield* SqlClient.SqlClient
  yield* many(sql`update ledger_audits set ended_at = ${instant(ended)}, invariants_broken = ${broken.length}::int4,
    findings = ${JSON.stringify(broken)} where day = ${dayOf(started)}::date`)
})

/** Shows the findings of the last finished audit as a metric, for alerts. gaps-3 D "Invariants" */
export const auditGauge: TableGauge = {
  name: "ledger_invariants_broken",
  help: "Invariants of the ledger that the last nightly audit found broken; it repairs nothing.",
  read: () =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(
        one(sql<{ readonly broken: number }>`select invariants_broken as broken from ledger_audits
          where ended_at is not null order by day desc limit 1`),
        (row) => ({ "": row?.broken ?? 0 })
      )
    )
}
