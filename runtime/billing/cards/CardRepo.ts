import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AutoTopup } from "../topups/AutoTopup.ts"
import { autoTopupColumns } from "../topups/TopupTables.ts"
import { cardColumns } from "./CardTables.ts"
import type { CardCustomer, SavedCard } from "./SavedCard.ts"

/** The saved cards of an account. */
export interface AccountCards {
  readonly customer: CardCustomer | undefined
  readonly cards: ReadonlyArray<SavedCard>
  readonly auto: AutoTopup | undefined
}

/** Rows of `billing_customers`, `billing_payment_methods` and `auto_topups`. */
export class CardRepo extends Context.Service<
  CardRepo,
  {
    /** Returns everything of an account, deleted cards included. */
    all(accountId: string): Effect.Effect<AccountCards>
    customer(accountId: string): Effect.Effect<CardCustomer | undefined>
    auto(accountId: string): Effect.Effect<AutoTopup | undefined>
  }
>()("@carteiro/runtime/billing/cards/CardRepo") {
  static readonly layer = Layer.effect(
    CardRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const customer = (accountId: string) =>
        one(sql<CardCustomer>`select customer as id, default_payment_method_id, created_at from billing_customers
          where account_id = ${accountId}`)
      const auto = (accountId: string) =>
        one(
          sql<AutoTopup>`select ${sql.literal(autoTopupColumns.list)} from auto_topups where account_id = ${accountId}`
        )
      return CardRepo.of({
        all: (accountId) =>
          Effect.all(
            {
              customer: customer(accountId),
              cards: many(
                sql<SavedCard>`select ${sql.literal(cardColumns.list)} from billing_payment_methods where account_id = ${accountId} order by id`
              ),
              auto: auto(accountId)
            },
            { concurrency: "unbounded" }
          ),
        customer,
        auto
      })
    })
  )
}
