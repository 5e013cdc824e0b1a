import { many, one } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The retention of an environment, in days. */
export interface KeptDays {
  readonly media_retention_days: number
  readonly payload_retention_days: number
}

/** The retention of an environment that never changed it. gaps-2 I "Data retention" */
export const defaultKeptDays = { media_retention_days: 30, payload_retention_days: 90 } as const satisfies KeptDays

/**
 * Returns a function that returns the retention of each environment, for the sweeps of all rooms. Few environments ever
 * change it.
 */
export const keptDays: Effect.Effect<(environmentId: string) => KeptDays, never, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* many(
      sql<
        KeptDays & { readonly environment_id: string }
      >`select environment_id, media_retention_days, payload_retention_days from data_retention_policies
        order by environment_id`
    )
    const changed = new Map(rows.map((row) => [row.environment_id, row]))
    return (environmentId) => changed.get(environmentId) ?? defaultKeptDays
  }
)

/** Returns the retention of one environment. */
export const keptDaysOf = (environmentId: string): Effect.Effect<KeptDays, never, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      one(sql<KeptDays>`select media_retention_days, payload_retention_days from data_retention_policies
        where environment_id = ${environmentId}`),
      (row) => row ?? defaultKeptDays
    )
  )

/** Returns the environments that keep payloads for less than that many days. */
export const environmentsKeepingLess = (days: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    many(sql<{ readonly environment_id: string; readonly payload_retention_days: number }>`select environment_id,
      payload_retention_days from data_retention_policies where payload_retention_days < ${days} order by environment_id`)
  )
