import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Context, type Effect } from "effect"
import type { AccountCards } from "../cards/CardRepo.ts"
import type { BalanceRow, LedgerRow } from "../ledger/LedgerRead.ts"
import type { LedgerFilter } from "../ledger/LedgerRepo.ts"
import type { Month, Statement } from "../statements/Statement.ts"
import type { PlanCost } from "../subscription/PlanCost.ts"
import type { Subscription } from "../subscription/Subscription.ts"
import type { TopupView } from "../topups/TopupRead.ts"

/** Reads accounts for operators. Amounts in 1/10,000 BRL, instants in epoch milliseconds. */
export class AccountDirectory extends Context.Service<
  AccountDirectory,
  {
    /** Returns undefined for a wallet that was never opened. */
    balance(accountId: string): Effect.Effect<BalanceRow | undefined>
    /** True when any entry exists in the wallet. */
    hasMoved(accountId: string): Effect.Effect<boolean>
    /** Returns entries of the ledger, newest first, after `before` when given, by a bounded walk. */
    entries(
      accountId: string,
      filter: LedgerFilter,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<LedgerRow>>
    /** Returns saved cards, deleted ones included, and the settings of automatic top-up. */
    cards(accountId: string): Effect.Effect<AccountCards>
    /** Returns top-ups newest first. */
    topups(accountId: string, count: number): Effect.Effect<ReadonlyArray<TopupView>>
    statement(accountId: string, month: Month, now: RealInstant): Effect.Effect<Statement>
    /** Returns the subscription of an account. C-PLAN-02 */
    subscription(accountId: string): Effect.Effect<Subscription>
    /** Returns the present cost of a change to each plan on offer, the cheapest plan first. */
    planCosts(accountId: string, now: number): Effect.Effect<ReadonlyArray<PlanCost>>
  }
>()("@carteiro/runtime/billing/account/AccountDirectory") {}
