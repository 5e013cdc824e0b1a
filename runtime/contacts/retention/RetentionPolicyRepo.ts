import { ulidTimeOf } from "@carteiro/owners/Ids.ts"
import { one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { defaultKeptDays } from "../../tenancy/KeptDays.ts"
import type { RetentionPolicy } from "./RetentionPolicy.ts"

/** The policy of an environment that never changed it. */
export const defaultPolicy = {
  data_export_enabled: true,
  ...defaultKeptDays
} as const satisfies Omit<RetentionPolicy, "updated_at">

/** Rows of `data_retention_policies`. */
export class RetentionPolicyRepo extends Context.Service<
  RetentionPolicyRepo,
  {
    /** Returns the environment's policy, the default one until it is changed. */
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
            // The default policy has the age of the environment.
            (row) => row ?? { ...defaultPolicy, updated_at: ulidTimeOf(environmentId) }
          )
      })
    )
  )
}
