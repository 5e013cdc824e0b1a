import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { monthStart } from "@carteiro/spellings/Months.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { planEndOf } from "../subscription/SubscriptionClock.ts"
import { SubscriptionRepo } from "../subscription/SubscriptionRepo.ts"

/** The plan of an account from an instant (epoch milliseconds) on. */
export interface PlanSince {
  readonly effective_from: number
  /** Null for the free tier. */
  readonly plan_offering_id: string | null
  /** True when the plan covers the management of imported numbers. C-PMGT-05 */
  readonly covers: boolean
}

/**
 * The parts of an account that the months of its numbers depend on; money in 1/10,000 BRL, instants in epoch
 * milliseconds.
 */
export interface MonthAccount {
  readonly account_id: string
  readonly environment: EnvironmentKind
  readonly balance: number
  /** The plans since the start of a month, oldest first; the first one was in force at the start. */
  readonly plans: ReadonlyArray<PlanSince>
  /** When the present plan ends unless it is renewed; null on the free tier. */
  readonly plan_ends_at: number | null
}

/** Reads accounts for the rooms that charge for months. gaps-3 F */
export class MonthAccounts extends Context.Service<
  MonthAccounts,
  {
    /** Returns an account (`org_…`, or `env_…` for a sandbox) with its plans since the start of a month. */
    read(accountId: string, month: string): Effect.Effect<MonthAccount>
  }
>()("@carteiro/runtime/billing/months/MonthAccounts") {
  static readonly layer = Layer.effect(
    MonthAccounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const subscriptions = yield* SubscriptionRepo
      return MonthAccounts.of({
        read: Effect.fnUntraced(function* (accountId, month) {
          const begins = instant(monthStart(month))
          const plans = yield* many(sql<PlanSince>`select a.effective_from, a.plan_offering_id,
              coalesce(o.numprov_byok_enabled, false) as covers
            from account_plans a left join plan_offerings o on o.id = a.plan_offering_id
            where a.account_id = ${accountId} and a.effective_from >= coalesce((select max(b.effective_from)
              from account_plans b where b.account_id = ${accountId} and b.effective_from < ${begins}), ${begins})
            order by a.effective_from`)
          const wallet = yield* one(sql<{ readonly balance: number }>`select balance from wallets
            where account_id = ${accountId}`)
          return {
            account_id: accountId,
            environment: accountId.startsWith("org_") ? "production" : "sandbox",
            balance: wallet?.balance ?? 0,
            plans,
            plan_ends_at: planEndOf(yield* subscriptions.read(accountId))
          }
        })
      })
    })
  ).pipe(Layer.provide(SubscriptionRepo.layer))
}
