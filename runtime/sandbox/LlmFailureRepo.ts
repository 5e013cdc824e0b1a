import type { LlmFailure } from "@carteiro/schema/sandbox/LlmFailure.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { one } from "@carteiro/tables/Read.ts"
import { insertInto, rowOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { sandboxLlmFailuresTable } from "./LlmFailureTables.ts"

/** The simulated failure of language model calls in a sandbox; one at a time. */
export class LlmFailureRepo extends Context.Service<
  LlmFailureRepo,
  {
    /**
     * Returns the row that replaces the armed failure; `expires_at` in epoch milliseconds, null for one that the next
     * call consumes.
     */
    arm(environmentId: string, failure: LlmFailure, expires_at: number | null, now: number): Row
    /**
     * Returns the failure of a call made now, if there is one: a failure without an expiry is consumed by one of
     * several concurrent calls.
     */
    take(environmentId: string, now: number): Effect.Effect<LlmFailure | undefined>
  }
>()("@carteiro/runtime/sandbox/LlmFailureRepo") {
  static readonly layer = Layer.effect(
    LlmFailureRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      LlmFailureRepo.of({
        arm: (environment_id, failure, expires_at, now) =>
          armFailure.row({ environment_id, failure, expires_at, armed_at: now }),
        take: (environmentId, now) =>
          Effect.map(
            one(
              sql<{ readonly failure: LlmFailure }>`with gone as (
                delete from sandbox_llm_failures
                where environment_id = ${environmentId} and (expires_at is null or expires_at <= ${instant(now)}::timestamptz)
                returning failure, expires_at
              )
              select failure from gone where expires_at is null
              union all
              select failure from sandbox_llm_failures
              where environment_id = ${environmentId} and expires_at > ${instant(now)}::timestamptz`
            ),
            (row) => row?.failure
          )
      })
    )
  )
}

const armFailure = insertInto(sandboxLlmFailuresTable, {
  columns: ["environment_id", "failure", "expires_at", "armed_at"],
  conflict: { on: ["environment_id"], update: ["failure", "expires_at", "armed_at"] },
  target: rowOf("sandbox_llm_failures", "environment_id")
})
