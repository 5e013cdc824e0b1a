import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { ownersOfTenant } from "@carteiro/tables/WalkOwners.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Invoice, noSubscription, type Subscription } from "./Subscription.ts"
import { invoiceColumns, subscriptionColumns } from "./SubscriptionTables.ts"

/** A subscription and the invoices that may still be paid. */
export interface StoredSubscription {
  readonly subscription: Subscription
  readonly invoices: ReadonlyArray<Invoice>
}

/** Rows of `subscriptions` and `subscription_invoices`. */
export class SubscriptionRepo extends Context.Service<
  SubscriptionRepo,
  {
    /** Returns the subscription of an account; one with status `none` when it has never had any. */
    read(accountId: string): Effect.Effect<Subscription>
    /** Returns the subscription with the invoices that may still be paid. */
    load(accountId: string): Effect.Effect<StoredSubscription>
    /** Returns the invoices with these ids, in any status. */
    named(accountId: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Invoice>>
    /** Returns the newest invoices of an account. */
    invoices(accountId: string, count: number): Effect.Effect<ReadonlyArray<Invoice>>
    /** Returns accounts whose subscription is due. */
    readonly due: DueOwners["due"]
  }
>()("@carteiro/runtime/billing/subscription/SubscriptionRepo") {
  static readonly layer = Layer.effect(
    SubscriptionRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const invoice = sql.literal(invoiceColumns.list)
      const columns = sql.literal(subscriptionColumns.list)
      const read = (accountId: string) =>
        Effect.map(
          one(sql<Subscription>`select ${columns} from subscriptions where account_id = ${accountId}`),
          (row) => row ?? noSubscription
        )
      return SubscriptionRepo.of({
        read,
        load: Effect.fnUntraced(function* (accountId) {
          const subscription = yield* read(accountId)
          const invoices = yield* many(sql<Invoice>`select ${invoice} from subscription_invoices
            where account_id = ${accountId} and status in ('open', 'void', 'expired') order by id`)
          return { subscription, invoices }
        }),
        named: (accountId, ids) =>
          many(sql<Invoice>`select ${invoice} from subscription_invoices
            where account_id = ${accountId} and id = any(${arrayParameter("text", ids)}) order by id`),
        invoices: (accountId, count) =>
          many(sql<Invoice>`select ${invoice} from subscription_invoices where account_id = ${accountId}
            order by id desc limit ${count}`),
        due: (now, after, limit) =>
          Effect.map(
            many(sql<{ readonly id: string; readonly is_due: boolean }>`select account_id as id,
                due_at <= ${instant(now)} as is_due
              from subscriptions where due_at is not null and account_id > ${after} order by account_id limit ${limit}`),
            (rows) => ({
              ids: rows.flatMap(({ id, is_due }) => (is_due ? [id] : [])),
              next: rows.length < limit ? undefined : rows.at(-1)?.id
            })
          )
      })
    })
  )
}

/** Returns when the subscription of a sandbox account is due, on the sandbox's clock. */
export const subscriptionsOfTenant = ownersOfTenant(
  "select $1::text as id",
  "select account_id as owner, due_at from subscriptions where due_at is not null"
)
