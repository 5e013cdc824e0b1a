import { AccountPlans, planAccountOf } from "@carteiro/runtime/billing/Billing.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { OwnerTest } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"

it.layer(OwnerTest(AccountPlans.layer), { excludeTestServices: true })("The plan other rooms ask for", (it) => {
  it.effect(
    "is the free tier without a paid plan, otherwise the newest paid one; a sandbox has its own C-PLAN-04 C-PLAN-09",
    () =>
      Effect.gen(function* () {
        const { inForce } = yield* AccountPlans
        const sql = yield* SqlClient.SqlClient
        const { organization_id, production, sandbox } = yield* seedTenant("planned", 0)
        const caller = { organization_id, environment_id: production.id, environment: "production" as const }
        const sandboxed = { organization_id, environment_id: sandbox.id, environment: "sandbox" as const }
        const free = {
          plan_offering_id: null,
          display_name: null,
          throughput_tier: "starter" as const,
          max_phones: 1,
          multiplier: 10_000,
          numprov_byok_enabled: false
        }
        assert.deepStrictEqual(yield* inForce(planAccountOf(caller)), free)
        yield* sql`insert into account_plans values (${organization_id}, '2026-01-01', 'plo_scale'),
        (${organization_id}, '2026-01-02', 'plo_growth')`
        assert.deepStrictEqual(yield* inForce(planAccountOf(caller)), {
          plan_offering_id: "plo_growth",
          display_name: "Growth",
          throughput_tier: "growth",
          max_phones: 20,
          multiplier: 6500,
          numprov_byok_enabled: true
        })
        assert.deepStrictEqual(yield* inForce(planAccountOf(sandboxed)), free)
        yield* sql`insert into account_plans values (${organization_id}, '2026-01-03', null)`
        assert.deepStrictEqual(yield* inForce(organization_id), free)
      })
  )
})
