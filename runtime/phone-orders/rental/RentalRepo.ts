import { one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { rentalColumns } from "../order/OrderTables.ts"
import type { Rental } from "./Rental.ts"

/** Reads approved production orders with the state of their numbers. */
export class RentalRepo extends Context.Service<
  RentalRepo,
  {
    /** Returns undefined when no step remains. */
    find(orderId: string): Effect.Effect<Rental | undefined>
  }
>()("@carteiro/runtime/phone-orders/rental/RentalRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) =>
      RentalRepo.of({
        find: (orderId) =>
          one(sql<Rental>`select ${sql.literal(rentalColumns.of("o"))},
              n.environment_id as number_environment_id, n.status as number_status, n.phone, n.verification_code,
              n.verification_code_received_at
            from phone_number_orders o join phone_numbers n on n.id = o.phone_number_id
            where o.id = ${orderId} and o.step is not null and o.due_at is not null`)
      })
    )
  )
}
