import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Context, type Effect } from "effect"
import type { AccountCards } from "../cards/CardRepo.ts"
import type { BalanceRow, LedgerRow } from "../ledger/LedgerRead.ts"
import type { LedgerFilter } from "../ledger/LedgerRepo.ts"
import type { CatalogPlan } from "../plans/PlanRead.ts"
import type { DayMovement, Month, Statement } from "../statements/Statement.ts"
import type { OpenHold, UsageLine } from "../statements/StatementRepo.ts"
import type { PlanCost } from "../subscription/PlanCost.ts"
import type { Subscription } from "../subscription/Subscription.ts"
import type { StoredSubscription } from "../subscription/SubscriptionRepo.ts"
import type { Offering, TopupView } from "../topups/TopupRead.ts"

/** Accounts as people and operators look at them. Amounts in 1/10,000 BRL, instants in epoch milliseconds. */
export class AccountDirectory extends Context.Service<
  AccountDirectory,
  {
    /** Undefined for a wallet that was never opened. */
    balance(accountId: string): Effect.Effect<BalanceRow | undefined>
    /** Returns whether anything has moved the wallet. */
    hasMoved(accountId: string): Effect.Effect<boolean>
    /** Returns what a project has spent in a UTC month (`2026-01`). */
    projectSpend(organizationId: string, projectId: string, month: string): Effect.Effect<number>
    /** Entries of the ledger, newest first, after `before` when given, out of a bounded walk. */
    entries(
      accountId: string,
      filter: LedgerFilter,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<LedgerRow>>
    /** Returns the entries with this id, or about the thing with this id: a usage record, a reservation, a top-up. */
    entriesNamed(accountId: string, id: string): Effect.Effect<ReadonlyArray<LedgerRow>>
    /** Returns saved cards, deleted ones included, and how the account tops itself up. */
    cards(accountId: string): Effect.Effect<AccountCards>
    /** Newest first. */
    topups(accountId: string, count: number): Effect.Effect<ReadonlyArray<TopupView>>
    /** Returns one top-up with the secret of its charge, where that has one. */
    topup(accountId: string, id: string): Effect.Effect<TopupView | undefined>
    /** Packages on offer, by price. */
    readonly packages: Effect.Effect<ReadonlyArray<Offering>>
    /** When the wallet was opened. */
    openedAt(accountId: string): Effect.Effect<number | undefined>
    statement(accountId: string, month: Month): Effect.Effect<Statement>
    /** Returns the movements of the balance, by day. */
    movements(accountId: string, month: Month): Effect.Effect<ReadonlyArray<DayMovement>>
    /** The costliest first. */
    usage(accountId: string, month: Month): Effect.Effect<ReadonlyArray<UsageLine>>
    /** Credit that is set aside now, newest first, a hundred at most. */
    holds(accountId: string): Effect.Effect<ReadonlyArray<OpenHold>>
    /** Returns what an account has subscribed to. C-PLAN-02 */
    subscription(accountId: string): Effect.Effect<Subscription>
    /** Returns the subscription with the invoices that may still be paid. */
    invoiced(accountId: string): Effect.Effect<StoredSubscription>
    /** Returns what a change to each plan on offer costs now, the cheapest plan first. */
    planCosts(accountId: string, now: number): Effect.Effect<ReadonlyArray<PlanCost>>
    /** Plans on offer by their ids, the cheapest first. */
    readonly plans: Effect.Effect<ReadonlyMap<string, CatalogPlan>>
  }
>()("@carteiro/runtime/billing/account/AccountDirectory") {}
