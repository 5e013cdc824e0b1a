import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** Which numbers of ours the platform's ids stand for. */
export class RoutedNumberRepo extends Context.Service<
  RoutedNumberRepo,
  {
    /** Ids (`pn_`) of production numbers; an id that is not ours brings none. gaps-2 E "Inbound upstream webhook" */
    numbers(upstreamIds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>>
  }
>()("@carteiro/runtime/provider-connections/webhook/RoutedNumberRepo") {
  static readonly layer = Layer.effect(
    RoutedNumberRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      RoutedNumberRepo.of({
        numbers: (upstreamIds) =>
          many(
            // Of numbers that had one id after another the live one counts, else the latest: its messages still report.
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
