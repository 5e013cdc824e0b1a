import { DueRepo } from "@carteiro/runtime/messages/facts/DueRepo.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seedNumber } from "../support/Numbers.ts"
import { OwnerTest } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"

it.layer(OwnerTest(DueRepo.layer), { excludeTestServices: true })("The throughput of a number", (it) => {
  it.effect("is that of its organization's plan in force (gaps-2 D Per-number throughput budget) C-PLAN-07", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* DueRepo
      const { organization_id, production, sandbox } = yield* seedTenant("throughput")
      const number = yield* seedNumber(production)
      const simulated = yield* seedNumber(sandbox)
      const tier = (id: string) => Effect.map(repo.dueInstants(id), ({ number }) => number?.throughput_plan)
      assert.strictEqual(yield* tier(number.id), "starter")
      yield* sql`insert into account_plans values (${organization_id}, '2026-01-01', 'plo_scale')`
      assert.deepStrictEqual([yield* tier(number.id), yield* tier(simulated.id)], ["scale", "starter"])
      yield* sql`insert into account_plans values (${organization_id}, '2026-01-02', 'plo_standard')`
      assert.strictEqual(yield* tier(number.id), "growth")
      yield* sql`insert into account_plans values (${organization_id}, '2026-01-03', null)`
      assert.strictEqual(yield* tier(number.id), "starter")
    })
  )
})
