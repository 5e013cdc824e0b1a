import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { ownersOfTenant } from "@carteiro/tables/WalkOwners.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { livingColumns } from "../number/NumberTables.ts"

/** A number in its lifecycle; instants in epoch milliseconds. */
export type LivingNumber = SelectedRow<typeof livingColumns>

/** Reads numbers whose state changes with time. */
export class NumberLifecycleRepo extends Context.Service<
  NumberLifecycleRepo,
  {
    find(id: string): Effect.Effect<LivingNumber | undefined>
    /** Returns numbers that are due by now, for the sweeper; see `DueOwners`. */
    due: DueOwners["due"]
  }
>()("@carteiro/runtime/phone-numbers/lifecycle/NumberLifecycleRepo") {
  static readonly layer = Layer.effect(
    NumberLifecycleRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      NumberLifecycleRepo.of({
        find: (id) =>
          one(sql<LivingNumber>`select ${sql.literal(livingColumns.list)}
            from phone_numbers where id = ${id}`),
        due: (now, after, limit) =>
          Effect.map(
            many(sql<{ readonly id: string; readonly is_due: boolean }>`
              select id, due_at <= ${instant(now)} as is_due from phone_numbers
              where due_at is not null and id > ${after} order by id limit ${limit}`),
            (rows) => ({
              ids: rows.flatMap(({ id, is_due }) => (is_due ? [id] : [])),
              next: rows.length < limit ? undefined : rows.at(-1)?.id
            })
          )
      })
    )
  )
}

/** Returns when the numbers of an environment are due, on its clock. */
export const numbersOfTenant = ownersOfTenant(
  "select id from phone_numbers where environment_id = $1 and due_at is not null",
  "select id as owner, due_at from phone_numbers where due_at is not null"
)
