import { AccountDueRepo } from "@carteiro/runtime/billing/owner/AccountDueRepo.ts"
import { WalletRepo } from "@carteiro/runtime/billing/wallet/WalletRepo.ts"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { OwnerTest } from "../support/OwnerTest.ts"
import { connectionOver } from "../support/SteadyDatabase.ts"
import { seedTenant } from "../support/Tenants.ts"

/** A client over the file's database, and how many statements went through it. */
const counting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  let statements = 0
  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(
      connectionOver(sql, (_, statement) =>
        Effect.suspend(() => {
          statements++
          return statement
        })
      )
    ),
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    spanAttributes: []
  }).pipe(Effect.provide(Reactivity.layer))
  return { client: Layer.succeed(SqlClient.SqlClient, client), statements: () => statements }
})

const at = Date.parse("2026-01-01T00:00:00Z")

it.layer(OwnerTest(Layer.empty), { excludeTestServices: true })("Accounts that look at the same time", (it) => {
  it.effect(
    "reads due work of many accounts in one statement, and gives each account only its own (gaps-3 D Usage posting)",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenants = yield* Effect.forEach(Array.from({ length: 40 }), (_, n) => seedTenant(`quiet-${n}`, 0))
        const ids = tenants.map(({ organization_id }) => organization_id)
        const [used, corrected, billed] = ids
        for (const [n, second] of [1, 0, 3600].entries()) {
          const meter = ["message.transport.utility", "message.transport.marketing", "message.transport.service"][n]
          yield* sql`insert into usage_records (organization_id, id, project_id, environment_id, meter_id, source_type, source_id,
          occurred_at) values (${used}, ${`usg_${n}`}, ${tenants[0]?.project.id}, ${tenants[0]?.production.id}, ${meter},
          'message', ${`msg_${n}`}, '2026-01-01'::timestamptz + ${second} * interval '1 second')`
        }
        yield* sql`insert into wallets (account_id, organization_id, environment, created_at, updated_at)
        select id, id, 'production', now(), now() from organizations where id in (${corrected}, ${billed})`
        yield* sql`insert into ledger_corrections (account_id, id, type, source, amount, reason, created_at)
        values (${corrected}, 'ctu_1', 'credit', 'manual', 1, 'test', now())`
        yield* sql`insert into account_months (account_id, month, job, due_at)
        select id, '2026-01', 'month_charge', '2026-01-01' from organizations where id = ${billed}`

        const { client, statements } = yield* counting
        const repo = yield* Effect.provide(AccountDueRepo, Layer.provide(AccountDueRepo.layer, client))
        const found = yield* Effect.all(
          ids.map((id, n) => repo.due(id, at + (n === 0 ? 2000 : 0))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(statements(), 1)
        const [ofUsed, ofCorrected, ofBilled, ...others] = found.map(({ usage, ...rest }) => ({
          ...rest,
          usage: usage.map(({ id, unit_price }) => [id, unit_price])
        }))
        const nothing = { usage: [], hasMoreUsage: false, hasCorrections: false, hasMonths: false }
        // The oldest first, and not what is yet to be used.
        assert.deepStrictEqual(ofUsed, {
          ...nothing,
          usage: [
            ["usg_1", 800],
            ["usg_0", 500]
          ]
        })
        assert.deepStrictEqual(ofCorrected, { ...nothing, hasCorrections: true })
        assert.deepStrictEqual(ofBilled, { ...nothing, hasMonths: true })
        for (const other of others) assert.deepStrictEqual(other, nothing)
        assert.isFalse((yield* repo.due(billed ?? "", at - 1)).hasMonths)
      })
  )

  it.effect("shares the rows of one statement, and tells each account when more may be due", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const busy = yield* seedTenant("busy", 0)
      yield* sql`insert into usage_records (organization_id, id, project_id, environment_id, meter_id, source_type, source_id,
        occurred_at) select ${busy.organization_id}, 'usg_busy_' || n, ${busy.project.id}, ${busy.production.id},
        'message.transport.utility', 'message', 'msg_busy_' || n, '2026-01-01'::timestamptz from generate_series(1, 20) n`
      const { client } = yield* counting
      const repo = yield* Effect.provide(AccountDueRepo, Layer.provide(AccountDueRepo.layer, client))
      const alone = yield* repo.due(busy.organization_id, at)
      assert.deepStrictEqual([alone.usage.length, alone.hasMoreUsage], [20, false])
      const asks = Array.from({ length: 200 }, () => repo.due(busy.organization_id, at))
      for (const { hasMoreUsage, usage } of yield* Effect.all(asks, { concurrency: "unbounded" })) {
        assert.deepStrictEqual([usage.length, hasMoreUsage], [16, true])
      }
    })
  )

  it.effect("looks up the holds of many accounts together, and none when all are known", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenants = yield* Effect.forEach([1, 2], (n) => seedTenant(`held-${n}`, 0))
      for (const { organization_id } of tenants) {
        yield* sql`insert into wallets (account_id, organization_id, environment, created_at, updated_at)
          select id, id, 'production', now(), now() from organizations where id = ${organization_id}`
        yield* sql`insert into reservations (account_id, id, amount, meter_id, source_type, created_at)
          values (${organization_id}, ${`rsv_${organization_id}`}, 7, 'payment.completion', 'payment_fee_hold', now())`
      }
      const { client, statements } = yield* counting
      const repo = yield* Effect.provide(WalletRepo, Layer.provide(WalletRepo.layer, client))
      const asks = tenants.map(({ organization_id }) =>
        repo.reservations(
          organization_id,
          tenants.map((other) => `rsv_${other.organization_id}`)
        )
      )
      const found = yield* Effect.all(asks, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        found.map((reservations) => reservations.map(({ id }) => id)),
        tenants.map(({ organization_id }) => [`rsv_${organization_id}`])
      )
      assert.deepStrictEqual(yield* repo.reservations(tenants[0]?.organization_id ?? "", []), [])
      assert.strictEqual(statements(), 1)
    })
  )
})
