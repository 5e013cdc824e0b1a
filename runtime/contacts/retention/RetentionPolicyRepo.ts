import { ulidTimeOf } from "@carteiro/owners/Ids.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { defaultPolicy, type RetentionPolicy } from "./RetentionPolicy.ts"

/** Rows of `data_retention_policies`. */
export class RetentionPolicyRepo extends Context.Service<
  RetentionPolicyRepo,
  {
    /** The environment's policy, the default one where nobody has changed it. */
    find(environmentId: string): Effect.Effect<RetentionPolicy>
  }
>()("@carteiro/runtime/contacts/retention/RetentionPolicyRepo") {
  static readonly layer = Layer.effect(
    RetentionPolicyRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      RetentionPolicyRepo.of({
        find: (environmentId) =>
          Effect.map(
            one(sql<RetentionPolicy>`select data_export_enabled, media_retention_days, payload_retention_days,
              updated_at from data_retention_policies where environment_id = ${environmentId}`),
            // As old as the environment itself.
            (row) => row ?? { ...defaultPolicy, updated_at: ulidTimeOf(environmentId) }
          )
      })
    )
  )
}

/** How many days things are kept in an environment; for the sweeps of the rooms that keep them. */
export type KeptDays = (
  environmentId: string
) => Pick<RetentionPolicy, "media_retention_days" | "payload_retention_days">

/** The policies of all environments at once: few ever change theirs. gaps-2 I "Data retention" */
export const keptDays: Effect.Effect<KeptDays, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* many(
    sql<
      ReturnType<KeptDays> & { readonly environment_id: string }
    >`select environment_id, media_retention_days, payload_retention_days from data_retention_policies`
  )
  const changed = new Map(rows.map((row) => [row.environment_id, row]))
  return (environmentId) => changed.get(environmentId) ?? defaultPolicy
})

/** Environments that keep payloads for less than so many days. */
export const environmentsKeepingLess = (days: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    many(sql<{ readonly environment_id: string; readonly payload_retention_days: number }>`select environment_id,
      payload_retention_days from data_retention_policies where payload_retention_days < ${days} order by environment_id`)
  )
