import { Clock, Effect, Schedule } from "effect"
import type { SqlClient } from "effect/sql"
import { Instruments } from "../telemetry/Instruments.ts"

/** A gauge over rows: a room declares it and one node of the cluster reads it. */
export interface TableGauge<R = SqlClient.SqlClient> {
  /** The name, which includes the unit. */
  readonly name: string
  readonly help: string
  /** The label that tells its series apart; a gauge without one has a single series. */
  readonly label?: { readonly name: string; readonly values: ReadonlyArray<string> }
  /** Reads the values by that label, or under `""`; a missing value is 0. The statement only scans indexes. */
  readonly read: (now: number) => Effect.Effect<Readonly<Record<string, number>>, never, R>
}

const every = "15 seconds"
const readTimeout = "5 seconds"

/**
 * Reads the gauges every 15 seconds, one after another, and shows them until it is interrupted: the number of scrapers
 * does not change how often the tables are read. A gauge that could not be read shows NaN instead of an old value.
 */
export const sampleTables = <R>(gauges: ReadonlyArray<TableGauge<R>>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const instruments = yield* Instruments
      const samples = gauges.map((gauge) => ({
        gauge,
        values: undefined as Readonly<Record<string, number>> | undefined
      }))
      for (const sample of samples) {
        const { help, label, name } = sample.gauge
        for (const value of label?.values ?? [""]) {
          const read = () => (sample.values === undefined ? Number.NaN : (sample.values[value] ?? 0))
          yield* instruments.reading({ name, help, labels: label === undefined ? {} : { [label.name]: value } }, read)
        }
      }
      const readOne = (sample: (typeof samples)[number]) =>
        Effect.flatMap(Clock.currentTimeMillis, sample.gauge.read).pipe(
          Effect.timeout(readTimeout),
          Effect.catchCause((cause) =>
            Effect.as(Effect.logWarning("a gauge could not be read", { gauge: sample.gauge.name }, cause), undefined)
          ),
          Effect.map((values) => {
            sample.values = values
          })
        )
      yield* Effect.repeat(Effect.forEach(samples, readOne, { discard: true }), Schedule.spaced(every))
    })
  )

/** Returns how long the oldest due row has waited, in seconds; 0 while no row is due. */
export const secondsDue = (instant: number | null | undefined, now: number): number =>
  Math.max(0, (now - (instant ?? now)) / 1000)
