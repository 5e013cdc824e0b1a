import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** Finds our numbers by the platform's ids. */
export class RoutedNumberRepo extends Context.Service<
  RoutedNumberRepo,
  {
    /** Returns the ids (`pn_`) of production numbers; unknown ids return none. */
    numbers(upstreamIds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>>
  }
>()("@carteiro/runtime/provider-connections/webhook/RoutedNumberRepo") {
  static readonly layer = Layer.effect(
    RoutedNumberRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      RoutedNumberRepo.of({
        numbers: (upstreamIds) =>
          many(
            // Several numbers may have had one id in turn: the live one counts, else the latest, because its messages
            // still get reports.
            sql.unsafe<{ readonly id: string }>(
              `select distinct on (n.upstream_phone_number_id) n.id from phone_numbers n
               where n.upstream_phone_number_id = any($1) and n.environment = 'production'
               order by n.upstream_phone_number_id, n.status in ('released', 'disconnected'), n.id desc`,
              [arrayParameter("text", upstreamIds)]
            ),
            ({ id }) => id
          )
      })
    )
  )
}
