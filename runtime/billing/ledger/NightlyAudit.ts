import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { instant } from "../../platform/sql/Parameters.ts"
import { many, one } from "../../platform/sql/Read.ts"
import type { Job } from "../../platform/sql/Retention.ts"
import type { TableGauge } from "../../platform/telemetry/TableGauges.ts"
import { LedgerAudit } from "./LedgerAudit.ts"
import { ProviderAudit } from "./ProviderAudit.ts"

/** The hour of a UTC day from which it is audited, when least is sent. */
const auditHour = 4
/** An audit that has not ended by then was lost with its node, and begins again. In milliseconds. */
const lostMs = 1_800_000

/** Takes the audit of a day, once; false when it has been taken, or the night is not there yet. */
const takeDay = Effect.fnUntraced(function* (now: number) {
  const sql = yield* SqlClient.SqlClient
  const date = new Date(now)
  if (date.getUTCHours() < auditHour) return false
  const taken = yield* many(sql`insert into ledger_audits as a (day, started_at)
    values (${date.toISOString().slice(0, 10)}::date, ${instant(now)})
    on conflict (day) do update set started_at = excluded.started_at
      where a.ended_at is null and a.started_at < ${instant(now - lostMs)}
    returning 1`)
  return taken.length > 0
})

/**
 * Proves the invariants of the ledger once a night. What it finds is logged as an error and shown as a metric; it repairs
 * nothing. gaps-3 D "Invariants"
 */
export const nightlyAudit: Job = {
  name: "ledger.audit",
  everyMs: 600_000,
  run: Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    if (!(yield* takeDay(started))) return
    const sql = yield* SqlClient.SqlClient
    const ledger = yield* (yield* LedgerAudit).verify
    const findings = [...ledger, yield* (yield* ProviderAudit).verify]
    const broken = findings.filter((finding) => finding.broken.length > 0)
    for (const { broken: named, invariant } of broken) {
      yield* Effect.logError("an invariant of the ledger does not hold", { invariant, broken: named })
    }
    const checked = Math.max(0, ...findings.map((finding) => finding.checked))
    if (broken.length === 0) yield* Effect.logInfo("the ledger was audited", { checked })
    const ended = yield* Clock.currentTimeMillis
    const told = JSON.stringify(broken)
    yield* many(sql`update ledger_audits set ended_at = ${instant(ended)}, invariants_broken = ${broken.length}::int4,
      findings = ${told} where day = ${new Date(started).toISOString().slice(0, 10)}::date`)
  }).pipe(Effect.provide(Layer.merge(LedgerAudit.layer, ProviderAudit.layer)))
}

/** What the last audit that ended has found, for alerts. gaps-3 D "Invariants" */
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
