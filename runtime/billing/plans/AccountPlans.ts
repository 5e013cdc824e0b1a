import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { freeTier, type PlanTerms } from "./PlanTerms.ts"

/**
 * Returns the account of a caller's plan: its organization's, or that of its own sandbox. gaps-3 A "Who owns billing
 * state"
 */
export const planAccountOf = (caller: {
  readonly organization_id: string
  readonly environment_id: string
  readonly environment: EnvironmentKind
}): string => (caller.environment === "production" ? caller.organization_id : caller.environment_id)

/** Reads the plan of an account for other rooms. gaps-3 E "Plan catalog" */
export class AccountPlans extends Context.Service<
  AccountPlans,
  {
    /** Returns the terms of the account's plan in force (`org_…`, or `env_…` for a sandbox); the free tier when it never had a plan. C-PLAN-04 */
    inForce(accountId: string): Effect.Effect<PlanTerms>
  }
>()("@carteiro/runtime/billing/plans/AccountPlans") {
  static readonly layer = Layer.effect(
    AccountPlans,
    Effect.map(SqlClient.SqlClient, (sql) =>
      AccountPlans.of({
        inForce: (accountId) =>
          Effect.map(
            one(sql<PlanTerms>`select o.id as plan_offering_id, o.display_name, o.throughput_tier, o.max_phones,
                o.multiplier, o.numprov_byok_enabled
              from (select plan_offering_id from account_plans where account_id = ${accountId}
                order by effective_from desc limit 1) a
              join plan_offerings o on o.id = a.plan_offering_id`),
            (terms) => terms ?? freeTier
          )
      })
    )
  )
}
