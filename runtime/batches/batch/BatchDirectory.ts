import { parseId } from "@carteiro/owners/Ids.ts"
import type { Batch, BatchFailure, BatchRecipient, BatchStatus } from "@carteiro/schema/batches/Batch.ts"
import { walkOn } from "@carteiro/tables/BoundedWalk.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { AudienceRepo } from "../audience/AudienceRepo.ts"
import { type BatchRow, readBatch, readFailure, readRecipient } from "./BatchRead.ts"
import { BatchRepo, type FailureReason } from "./BatchRepo.ts"

/** Recipients among which failures are counted by code, so that one look stays short. */
export const countedRecipients = 10_000

/** Something of a batch with its place among the recipients. */
export type Placed<A> = A & { readonly position: number }

/** A batch with a slice of its recipients; `after` is the position before the slice, -1 for its start. */
interface BatchSlice<A> {
  readonly batch: Batch
  readonly rows: ReadonlyArray<Placed<A>>
}

/** Batches as people and operators look at them, within one environment. M-BAT-08..11 */
export class BatchDirectory extends Context.Service<
  BatchDirectory,
  {
    /** Newest first, before the batch with that id. */
    list(
      environmentId: string,
      wanted: { readonly status?: BatchStatus | undefined; readonly before?: string | undefined },
      count: number
    ): Effect.Effect<ReadonlyArray<Batch>>
    find(environmentId: string, id: string): Effect.Effect<Batch | undefined>
    /** Saved audiences, newest first. gaps-2 H "Audiences" */
    audiences(
      environmentId: string,
      count: number
    ): Effect.Effect<ReadonlyArray<{ readonly id: string; readonly name: string }>>
    /** Recipients in the order in which they were given; undefined when there is no such batch. */
    recipients(
      environmentId: string,
      id: string,
      after: number,
      count: number
    ): Effect.Effect<BatchSlice<BatchRecipient> | undefined>
    /** Those that it failed for. */
    failures(
      environmentId: string,
      id: string,
      after: number,
      count: number
    ): Effect.Effect<BatchSlice<BatchFailure> | undefined>
    /** Failures by code and guard, of as many recipients as are looked at for one page. */
    reasons(environmentId: string, id: string): Effect.Effect<ReadonlyArray<FailureReason>>
  }
>()("@carteiro/runtime/batches/batch/BatchDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* BatchRepo
      const audiences = yield* AudienceRepo
      const clock = yield* Clock.Clock

      const row = (environmentId: string, id: string) =>
        parseId("bat", id) ? repo.find(environmentId, id) : Effect.undefined

      const slice = Effect.fnUntraced(function* <Row extends { readonly position: number }, A>(
        environmentId: string,
        id: string,
        rows: (batch: BatchRow) => Effect.Effect<ReadonlyArray<Row>>,
        read: (row: Row, batch: BatchRow) => A
      ) {
        const batch = yield* row(environmentId, id)
        if (batch === undefined) return undefined
        const found = yield* rows(batch)
        return {
          batch: readBatch(batch),
          rows: found.map((one) => ({ ...read(one, batch), position: one.position }))
        }
      })

      return BatchDirectory.of({
        list: (environmentId, { before, status }, count) =>
          Effect.map(
            walkOn(count, (reached, rest) => repo.list(environmentId, status, reached ?? before, rest)),
            (rows) => rows.map((one) => readBatch(one))
          ),
        find: (environmentId, id) =>
          Effect.map(row(environmentId, id), (one) => (one === undefined ? undefined : readBatch(one))),
        audiences: (environmentId, count) => audiences.list(environmentId, undefined, count),
        reasons: (environmentId, id) =>
          Effect.flatMap(row(environmentId, id), (batch) =>
            batch === undefined ? Effect.succeed([]) : repo.reasons(batch, countedRecipients)
          ),
        recipients: (environmentId, id, after, count) =>
          slice(environmentId, id, (batch) => repo.recipients(batch, after, count), readRecipient),
        failures: (environmentId, id, after, count) =>
          slice(
            environmentId,
            id,
            (batch) => repo.failures(batch, after, count),
            (one) => readFailure(one, clock.currentTimeMillisUnsafe())
          )
      })
    })
  )
}
