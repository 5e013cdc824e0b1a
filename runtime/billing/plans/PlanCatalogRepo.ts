import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { CatalogPlan } from "./PlanRead.ts"
import { planColumns } from "./PlanTables.ts"

/** Rows of `plan_offerings`, which are few and common to all organizations. */
export class PlanCatalogRepo extends Context.Service<
  PlanCatalogRepo,
  {
    /** All plans, the cheapest first. */
    readonly all: Effect.Effect<ReadonlyArray<CatalogPlan>>
    readonly byId: Effect.Effect<ReadonlyMap<string, CatalogPlan>>
  }
>()("@carteiro/runtime/billing/plans/PlanCatalogRepo") {
  static readonly layer = Layer.effect(
    PlanCatalogRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const all = many(
        sql<CatalogPlan>`select ${sql.literal(planColumns.list)} from plan_offerings where id > '' order by monthly_fee, id`
      )
      return PlanCatalogRepo.of({
        all,
        byId: Effect.map(all, (plans) => new Map(plans.map((plan) => [plan.id, plan])))
      })
    })
  )
}
