import { parseId } from "@carteiro/owners/Ids.ts"
import type { Batch, BatchFailure, BatchStatus } from "@carteiro/schema/batches/Batch.ts"
import { walkOn } from "@carteiro/tables/BoundedWalk.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { readBatch, readFailure } from "./BatchRead.ts"
import { BatchRepo } from "./BatchRepo.ts"

/** Batches as operators look at them, within one environment. M-BAT-08..11 */
export class BatchDirectory extends Context.Service<
  BatchDirectory,
  {
    /** Newest first. */
    list(
      environmentId: string,
      wanted: { readonly status?: BatchStatus | undefined },
      count: number
    ): Effect.Effect<ReadonlyArray<Batch>>
    find(environmentId: string, id: string): Effect.Effect<Batch | undefined>
    /** Recipients that a batch failed for, in the order in which they were given; undefined when there is no such batch. */
    failures(environmentId: string, id: string, count: number): Effect.Effect<ReadonlyArray<BatchFailure> | undefined>
  }
>()("@carteiro/runtime/batches/batch/BatchDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* BatchRepo
      const clock = yield* Clock.Clock

      const row = (environmentId: string, id: string) =>
        parseId("bat", id) ? repo.find(environmentId, id) : Effect.undefined

      return BatchDirectory.of({
        list: (environmentId, { status }, count) =>
          Effect.map(
            walkOn(count, (reached, rest) => repo.list(environmentId, status, reached, rest)),
            (rows) => rows.map((one) => readBatch(one))
          ),
        find: (environmentId, id) =>
          Effect.map(row(environmentId, id), (one) => (one === undefined ? undefined : readBatch(one))),
        failures: Effect.fnUntraced(function* (environmentId, id, count) {
          const batch = yield* row(environmentId, id)
          if (batch === undefined) return undefined
          const failed = yield* repo.failures(batch, -1, count)
          return failed.map((one) => readFailure(one, clock.currentTimeMillisUnsafe()))
        })
      })
    })
  )
}
