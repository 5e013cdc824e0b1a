import { Effect, Layer } from "effect"
import { CardRepo } from "../cards/CardRepo.ts"
import { LedgerRepo } from "../ledger/LedgerRepo.ts"
import { PlanCatalogRepo } from "../plans/PlanCatalogRepo.ts"
import { StatementReads } from "../statements/StatementReads.ts"
import { planCosts } from "../subscription/PlanCost.ts"
import { SubscriptionRepo } from "../subscription/SubscriptionRepo.ts"
import { TopupRepo } from "../topups/TopupRepo.ts"
import { AccountDirectory } from "./AccountDirectory.ts"

export const accountDirectoryLayer = Layer.effect(
  AccountDirectory,
  Effect.gen(function* () {
    const ledger = yield* LedgerRepo
    const cards = yield* CardRepo
    const topups = yield* TopupRepo
    const statements = yield* StatementReads
    const subscriptions = yield* SubscriptionRepo
    const catalog = yield* PlanCatalogRepo
    return AccountDirectory.of({
      balance: ledger.balance,
      hasMoved: ledger.hasMoved,
      entries: ledger.list,
      cards: cards.all,
      topups: (accountId, count) => topups.list(accountId, undefined, undefined, count),
      statement: statements.month,
      subscription: subscriptions.read,
      planCosts: (accountId, now) =>
        Effect.zipWith(subscriptions.read(accountId), catalog.byId, (subscription, plans) =>
          planCosts(subscription, plans, now)
        )
    })
  })
)
