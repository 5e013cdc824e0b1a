import { auditGauge } from "@carteiro/runtime/billing/ledger/AuditNights.ts"
import { nightlyAudit } from "@carteiro/runtime/billing/ledger/NightlyAudit.ts"
import * as Billing from "@carteiro/runtime/billing/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OwnerTest, turnTo } from "../support/OwnerTest.ts"
import { hold, seedFunds, walletOf } from "./Accounts.ts"
import { billingOwners } from "./TestActs.ts"

const product = OwnerTest(Layer.provideMerge(billingOwners, Billing.room.services), Billing.room.followers)

const audits = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.orDie(
    sql<{ readonly day: string; readonly invariants_broken: number | null; readonly findings: string | null }>`
      select day::text as day, invariants_broken, findings from ledger_audits order by day`
  )
)
const shown = Effect.map(auditGauge.read(0), (values) => values[""])

it.layer(product, { excludeTestServices: true })("The nightly audit (gaps-3 D Invariants)", (it) => {
  it.effect("runs once a night, reports by row and metric, and repairs nothing", () =>
    Effect.gen(function* () {
      const account = yield* seedFunds(10_0000)
      yield* hold(account, 2_0000)
      yield* nightlyAudit.run
      assert.deepStrictEqual(yield* audits, [])
      yield* turnTo("2026-01-01T04:00:00.000Z")
      yield* nightlyAudit.run
      yield* nightlyAudit.run
      assert.deepStrictEqual(yield* audits, [{ day: "2026-01-01", invariants_broken: 0, findings: "[]" }])

      const sql = yield* SqlClient.SqlClient
      yield* sql`update wallets set balance = balance + 1 where account_id = ${account.id}`
      yield* turnTo("2026-01-02T04:00:00.000Z")
      assert.strictEqual(yield* shown, 0)
      yield* nightlyAudit.run
      const [, second] = yield* audits
      assert.strictEqual(second?.invariants_broken, 2)
      assert.include(second?.findings, account.id)
      assert.strictEqual(yield* shown, 2)
      assert.strictEqual((yield* walletOf(account)).balance, 8_0001)
    })
  )

  it.effect("starts again when its node is lost", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* turnTo("2026-01-03T04:00:00.000Z")
      yield* sql`insert into ledger_audits (day, started_at) values ('2026-01-03', '2026-01-03T04:00:00Z')`
      yield* nightlyAudit.run
      assert.isNull((yield* audits).find(({ day }) => day === "2026-01-03")?.invariants_broken)
      yield* turnTo("2026-01-03T05:00:00.000Z")
      yield* nightlyAudit.run
      assert.isNumber((yield* audits).find(({ day }) => day === "2026-01-03")?.invariants_broken)
    })
  )
})
