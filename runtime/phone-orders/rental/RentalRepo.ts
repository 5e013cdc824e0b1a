import { one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
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
          one(sql<Rental>`select o.environment_id, o.id, o.organization_id, o.reservation_id, o.ddd, o.display_name,
              o.phone_number_id, o.step, o.step_attempts, o.step_began_at, o.failed_count, o.placed_at, o.provider_order_id,
              o.provider_number_id, o.error_code, o.error_message, o.ended_at, o.due_at,
              n.environment_id as number_environment_id, n.status as number_status, n.phone, n.verification_code,
              n.verification_code_received_at
            from phone_number_orders o join phone_numbers n on n.id = o.phone_number_id
            where o.id = ${orderId} and o.step is not null and o.due_at is not null`)
      })
    )
  )
}
