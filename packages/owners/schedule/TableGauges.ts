import { Clock, Effect, Schedule } from "effect"
import type { SqlClient } from "effect/sql"
import { Instruments } from "../metrics/Instruments.ts"

/** A gauge over rows, which a room declares and one node of the cluster reads. */
export interface TableGauge<R = SqlClient.SqlClient> {
  /** The unit is part of the name. */
  readonly name: string
  readonly help: string
  /** The label that tells its series apart; a gauge without one has a single series. */
  readonly label?: { readonly name: string; readonly values: ReadonlyArray<string> }
  /** The values by that label, or under `""`; what is missing is 0. The statement walks indexes only. */
  readonly read: (now: number) => Effect.Effect<Readonly<Record<string, number>>, never, R>
}

const every = "15 seconds"
const readTimeout = "5 seconds"

/**
 * Reads the gauges every 15 seconds, one after another, and shows them until it is interrupted: whatever the number of
 * scrapers, the tables are asked that often. A gauge that could not be read shows NaN rather than what was true before.
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

/** How long what was due at that instant has waited by now, in seconds; 0 while nothing is due. */
export const secondsDue = (instant: number | null | undefined, now: number): number =>
  Math.max(0, (now - (instant ?? now)) / 1000)
