import { Clock, Effect, Layer, Schedule, Semaphore } from "effect"
import { Singleton } from "effect/cluster"
import type { SqlClient } from "effect/sql"
import type { Job } from "../../sql/Retention.ts"
import { sampleTables, type TableGauge } from "../../telemetry/TableGauges.ts"
import { Activations } from "../activation/Activations.ts"

/** How to find the owners of one type that have something due. */
export interface DueOwners {
  readonly type: string
  /** Ids of owners with rows due at or before `now` (epoch milliseconds), at most `limit`; read by an index. */
  readonly due: (now: number, limit: number) => Effect.Effect<ReadonlyArray<string>, never, SqlClient.SqlClient>
}

const sweepEvery = "1 second"
const wakeAtOnce = 1000
const sweepTimeout = "10 seconds"

/**
 * One in the whole cluster: wakes owners whose work is due, so that nothing depends on a wake-up that got lost or on a
 * timer of a node that is gone; runs the periodic jobs one after another; and reads the gauges over tables. Architecture, section 2 rule 2
 */
export const layerSweeper = (options: {
  readonly due: ReadonlyArray<DueOwners>
  readonly jobs: ReadonlyArray<Job>
  readonly gauges: ReadonlyArray<TableGauge>
}) =>
  Layer.unwrap(
    Effect.map(Activations, (activations) => {
      const sweep = ({ due, type }: DueOwners) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => due(now, wakeAtOnce)).pipe(
          Effect.map((ids) => {
            for (const id of ids) activations.wake(type, id)
          }),
          Effect.timeout(sweepTimeout),
          surviving("a sweep for due work failed", type)
        )
      const sweeps = Effect.forEach(options.due, sweep, { concurrency: "unbounded", discard: true })
      const one = Semaphore.makeUnsafe(1)
      const job = ({ everyMs, name, run }: Job) =>
        one
          .withPermits(1)(surviving("a periodic job failed", name)(run))
          .pipe(Effect.repeat(Schedule.spaced(everyMs)))
      return Layer.mergeAll(
        Singleton.make("Sweeper", Effect.asVoid(Effect.repeat(sweeps, Schedule.spaced(sweepEvery)))),
        Singleton.make("Jobs", Effect.forEach(options.jobs, job, { concurrency: "unbounded", discard: true })),
        Singleton.make("Gauges", sampleTables(options.gauges))
      )
    })
  )

// A database that is away for a while must not end the only sweeper there is.
const surviving =
  (message: string, subject: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
    Effect.catchCause(Effect.asVoid(effect), (cause) => Effect.logWarning(message, { subject }, cause))
