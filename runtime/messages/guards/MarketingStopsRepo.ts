import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Returns which of these customers stopped the marketing of a business of the environment.
 */
export const marketingStops = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    (environmentId: string, keys: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>> =>
      keys.length === 0
        ? Effect.succeed(new Set())
        : Effect.map(
            many(
              sql.unsafe<{ readonly customer_key: string }>(
                `select s.customer_key from unnest($2::text[]) as k(key) cross join lateral (
                  select customer_key from marketing_stops
                  where customer_key = k.key and environment_id = $1 limit 1) s`,
                [environmentId, arrayParameter("text", keys)]
              )
            ),
            (rows) => new Set(rows.map(({ customer_key }) => customer_key))
          )
)
