import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { ownersOfTenant } from "@carteiro/tables/WalkOwners.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { OrderRow } from "./OrderState.ts"
import { orderColumns } from "./OrderTables.ts"

/** Rows of `phone_number_orders`. */
export class OrderRepo extends Context.Service<
  OrderRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<OrderRow | undefined>
    /** Returns an order of a person's organization. */
    findOf(organizationId: string, id: string): Effect.Effect<OrderRow | undefined>
    /** Returns an order for its owner. */
    findAnywhere(id: string): Effect.Effect<OrderRow | undefined>
    /** Returns the order of a number. */
    ofNumber(phoneNumberId: string): Effect.Effect<OrderRow | undefined>
    /** Returns orders that are due by now, for the sweeper; see `DueOwners`. */
    due: DueOwners["due"]
    /** Returns orders newest first, after `before` when given. */
    list(organizationId: string, before: string | undefined, count: number): Effect.Effect<ReadonlyArray<OrderRow>>
  }
>()("@carteiro/runtime/phone-orders/order/OrderRepo") {
  static readonly layer = Layer.effect(
    OrderRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const select = sql.literal(`select ${orderColumns.of("o")},
          n.status as number_status, n.activated_at
        from phone_number_orders o left join phone_numbers n on n.id = o.phone_number_id`)
      return OrderRepo.of({
        find: (environmentId, id) =>
          one(sql<OrderRow>`${select} where o.environment_id = ${environmentId} and o.id = ${id}`),
        findOf: (organizationId, id) =>
          one(sql<OrderRow>`${select} where o.organization_id = ${organizationId} and o.id = ${id}`),
        findAnywhere: (id) => one(sql<OrderRow>`${select} where o.id = ${id}`),
        ofNumber: (phoneNumberId) => one(sql<OrderRow>`${select} where o.phone_number_id = ${phoneNumberId}`),
        due: (now, after, limit) =>
          Effect.map(
            many(sql<{ readonly id: string; readonly is_due: boolean }>`
              select id, due_at <= ${instant(now)} as is_due from phone_number_orders
              where due_at is not null and id > ${after} order by id limit ${limit}`),
            (rows) => ({
              ids: rows.flatMap(({ id, is_due }) => (is_due ? [id] : [])),
              next: rows.length < limit ? undefined : rows.at(-1)?.id
            })
          ),
        list: (organizationId, before, count) =>
          many(sql<OrderRow>`${select} where o.organization_id = ${organizationId} and o.id < ${before ?? "~"}
            order by o.id desc limit ${count}`)
      })
    })
  )
}

/** Returns when orders of an environment are due, on its clock. */
export const ordersOfTenant = ownersOfTenant(
  "select id from phone_number_orders where environment_id = $1 and due_at is not null",
  "select id as owner, due_at from phone_number_orders where due_at is not null"
)
