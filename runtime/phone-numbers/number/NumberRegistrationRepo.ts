import { one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** A number's registration as its row has it. */
export interface RegistrationRow {
  readonly state: "required" | "registered" | "pin_required" | "refused"
  readonly problem: string | null
  /** Epoch milliseconds. */
  readonly tried_at: number | null
  readonly sealed: Uint8Array | null
}

/** Reads registrations of numbers, always within one environment. */
export class NumberRegistrationRepo extends Context.Service<
  NumberRegistrationRepo,
  { find(environmentId: string, id: string): Effect.Effect<RegistrationRow | undefined> }
>()("@carteiro/runtime/phone-numbers/number/NumberRegistrationRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) =>
      NumberRegistrationRepo.of({
        find: (environmentId, id) =>
          one(sql<RegistrationRow>`select registration_state as state, registration_pin as sealed,
              registration_problem as problem, registration_tried_at as tried_at
            from phone_numbers where environment_id = ${environmentId} and id = ${id}
              and registration_state is not null`)
      })
    )
  )
}
