import { Commit } from "@carteiro/owners/Commit.ts"
import { DataExportDisabled } from "@carteiro/schema/contacts/ContactErrors.ts"
import type { UpdateDataRetention } from "@carteiro/schema/contacts/DataRetention.ts"
import type { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Context, Effect, Layer } from "effect"
import type { IdempotencyDuplicate } from "../../room/EngineTypes.ts"
import type { RetentionPolicy } from "./RetentionPolicy.ts"
import { RetentionPolicyRepo } from "./RetentionPolicyRepo.ts"
import { changeRetention } from "./RetentionWrites.ts"

/** Reads and changes how long environments keep data about customers. gaps-2 I "Data retention" */
export class DataRetention extends Context.Service<
  DataRetention,
  {
    policyOf(environmentId: string): Effect.Effect<RetentionPolicy>
    /** Changes the named members and returns the resulting policy. */
    change(
      environmentId: string,
      change: UpdateDataRetention,
      at: number
    ): Effect.Effect<RetentionPolicy, IdempotencyDuplicate | ServiceUnavailable>
    /** Refuses when the policy forbids exports. A-ERR-31 */
    allowExport(environmentId: string): Effect.Effect<void, DataExportDisabled>
  }
>()("@carteiro/runtime/contacts/retention/DataRetention") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* RetentionPolicyRepo
      const commit = yield* Commit
      return DataRetention.of({
        policyOf: repo.find,
        change: (environment_id, change, updated_at) =>
          Effect.andThen(
            commit.write([
              changeRetention.row({
                environment_id,
                data_export_enabled: change.data_export_enabled ?? null,
                media_retention_days: change.media_retention_days ?? null,
                payload_retention_days: change.payload_retention_days ?? null,
                updated_at
              })
            ]),
            repo.find(environment_id)
          ),
        allowExport: Effect.fnUntraced(function* (environmentId) {
          const { data_export_enabled } = yield* repo.find(environmentId)
          if (!data_export_enabled) return yield* new DataExportDisabled()
        })
      })
    })
  )
}
