import { one } from "@carteiro/tables/Read.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { failed, type HealthResult, passed } from "../HealthChecks.ts"
import {
  type ClockReading,
  type ClockStatus,
  firstStatus,
  readingOf,
  statusAfter,
  toleranceMillis
} from "./ClockReading.ts"
import { OffsetClock } from "./OffsetClock.ts"

export { toleranceMillis } from "./ClockReading.ts"

/** Holds whether this node's clock can be trusted. */
export class ClockHealth extends Context.Service<ClockHealth, { readonly status: () => ClockStatus }>()(
  "@carteiro/owners/clock/ClockHealth"
) {}

/** Returns the clock's status as the result of a health check. */
export const clockHealth = ({ driftMillis, ready, uncertaintyMillis }: ClockStatus): HealthResult => {
  const off = `${Math.round(Math.abs(driftMillis))} ms off the database's at the last look`
  const exact = `exact to ${Math.round(uncertaintyMillis)} ms`
  return ready
    ? passed(`The clock was ${off}, ${exact}.`)
    : failed(`The clock was ${off}, ${exact}; ${toleranceMillis} ms are allowed. Look at NTP here and there.`)
}

/** Readings to take at most for one status, and the uncertainty in milliseconds at which it stops early. */
const looks = 5
const exactEnough = 5

const monotonic = () => performance.now()

const lookOnce = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const asked = monotonic()
  const row = yield* one(
    sql<{ readonly millis: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as millis`
  )
  const answered = monotonic()
  if (row === undefined) return yield* Effect.die("the database did not tell the time")
  return readingOf(asked, row.millis, answered)
})

const readClock = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  let best = yield* lookOnce(sql)
  for (let i = 1; i < looks && best.uncertainty > exactEnough; i++) best = sharper(best, yield* lookOnce(sql))
  return best
})

/**
 * Returns how many milliseconds the database's clock is ahead of this machine's, give or take `uncertaintyMillis`. A
 * node that follows the database's clock starts with this difference.
 */
export const clockDifference = Effect.gen(function* () {
  const { at, millis, uncertainty } = yield* readClock(yield* SqlClient.SqlClient)
  const atHere = (yield* Clock.currentTimeMillis) - (monotonic() - at)
  return { aheadMillis: millis - atHere, uncertaintyMillis: uncertainty }
})

/**
 * Replaces `Clock` by the database's clock. It is set at start, checked every minute, and every second while it is off.
 * Layers built on this one use that time, so instants of all nodes compare. The start fails if the database does not
 * answer.
 */
export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const base = yield* Clock.Clock
    const read = readClock(sql)

    const first = yield* read
    const clock = new OffsetClock({ base, monotonic, setTo: first.millis, setAt: first.at })
    let status = firstStatus(first)
    const check = Effect.gen(function* () {
      const reading = yield* read
      const next = statusAfter(status, reading, clock.behind(reading.millis, reading.at))
      if (next.set) clock.set(reading.millis, reading.at)
      if (!next.status.ready && status.ready) yield* Effect.logWarning("the clock is off", next.status)
      status = next.status
    })
    yield* Effect.suspend(() => Effect.sleep(status.ready ? "1 minute" : "1 second")).pipe(
      Effect.andThen(check),
      Effect.catchCause((cause) => Effect.logWarning("the clock could not be checked", cause)),
      Effect.forever,
      Effect.forkScoped
    )
    return Context.make(ClockHealth, { status: () => status }).pipe(Context.add(Clock.Clock, clock))
  })
)

const sharper = (a: ClockReading, b: ClockReading): ClockReading => (b.uncertainty < a.uncertainty ? b : a)
