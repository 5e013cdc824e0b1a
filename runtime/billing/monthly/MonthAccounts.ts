import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { monthStart } from "../../locale/Months.ts"
import { planEndOf } from "../subscription/SubscriptionClock.ts"
import { SubscriptionRepo } from "../subscription/SubscriptionRepo.ts"

/** The plan of an account from an instant on, epoch milliseconds. */
export interface PlanSince {
  readonly effective_from: number
  /** Null is the free tier. */
  readonly plan_offering_id: string | null
  /** Whether it covers the management of imported numbers. C-PMGT-05 */
  readonly covers: boolean
}

/** An account as far as its numbers' months go; money in 1/10,000 BRL, instants in epoch milliseconds. */
export interface MonthAccount {
  readonly account_id: string
  readonly environment: EnvironmentKind
  readonly balance: number
  /** Plans since a month, the oldest first; the first is the one it began with. */
  readonly plans: ReadonlyArray<PlanSince>
  /** When the present plan ends unless it is renewed; null on the free tier. */
  readonly plan_ends_at: number | null
}

/** Accounts as rooms that charge for months ask for them. gaps-3 F */
export class MonthAccounts extends Context.Service<
  MonthAccounts,
  {
    /** An account (`org_…`, or `env_…` for a sandbox) with its plans since the beginning of a month. */
    read(accountId: string, month: string): Effect.Effect<MonthAccount>
  }
>()("@carteiro/runtime/billing/monthly/MonthAccounts") {
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
