import type { Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect, Layer, Schedule, Semaphore } from "effect"
import { Singleton } from "effect/cluster"
import type { SqlClient } from "effect/sql"
import { Activations } from "../activation/Activations.ts"
import { failed, HealthChecks, passed } from "../HealthChecks.ts"
import { sampleTables, type TableGauge } from "./TableGauges.ts"

/** One page of the owners of one type. */
export interface DuePage {
  /** Owners with rows due. */
  readonly ids: ReadonlyArray<string>
  /** The owner after which the next page begins; undefined on the last page. */
  readonly next: string | undefined
}

/** Finds the owners of one type that have rows due. */
export interface DueOwners {
  readonly type: string
  /**
   * Reads owners with waiting rows after the owner `after`, in the order of their ids and by an index, at most `limit`
   * of them. Returns those with rows due at or before `now` (epoch milliseconds).
   */
  readonly due: (now: number, after: string, limit: number) => Effect.Effect<DuePage, never, SqlClient.SqlClient>
  /**
   * SQL of the owners of the tenant `$1` that have waiting rows (`id`), and of the instant at which each is first due
   * on the tenant's clock (`due_at`). Without it only the sweeper finds them, on the node's time. See `ownersOfTenant`.
   */
  readonly ofTenant?: string
}

const sweepEvery = "1 second"
/** Owners in one statement, statements in one sweep, and owners after which a sweep wakes no more. */
const pageSize = 1000
const pagesASweep = 20
const wakeAtOnce = 1000
const sweepTimeout = "10 seconds"
/** The time after which a sweep that has not ended counts as hanging, in milliseconds. */
const hangsAfterMs = 60_000

/**
 * Wakes some thousand owners with rows due after the owner `from`. Returns where the next sweep continues, so that
 * sweeps reach every owner, however many have rows due.
 */
export const sweepFrom = Effect.fnUntraced(function* (
  { due }: Pick<DueOwners, "due">,
  from: string,
  wake: (id: string) => void
) {
  const now = yield* Clock.currentTimeMillis
  let after: string | undefined = from
  let woken = 0
  for (let page = 0; page < pagesASweep && woken < wakeAtOnce && after !== undefined; page++) {
    const found: DuePage = yield* due(now, after, pageSize)
    for (const id of found.ids) wake(id)
    woken += found.ids.length
    after = found.next
  }
  return after ?? ""
})

/**
 * Runs once in the whole cluster. It wakes owners whose work is due, so that no work depends on a wake-up that got lost
 * or on a timer of a node that is gone. It also runs the periodic jobs one after another, and reads the gauges over
 * tables. The health of its node fails when a sweep hangs.
 */
export const layerSweeper = (options: {
  readonly due: ReadonlyArray<DueOwners>
  readonly jobs: ReadonlyArray<Job>
  readonly gauges: ReadonlyArray<TableGauge>
}) =>
  Layer.unwrap(
    Effect.map(Activations, (activations) => {
      const reached = new Map<DueOwners, string>()
      const sweep = (owners: DueOwners) =>
        sweepFrom(owners, reached.get(owners) ?? "", (id) => activations.wake(owners.type, id)).pipe(
          Effect.map((next) => reached.set(owners, next)),
          Effect.timeout(sweepTimeout),
          surviving("a sweep for due work failed", owners.type)
        )
      const sweeper = Effect.gen(function* () {
        let endedAt = yield* Clock.currentTimeMillis
        yield* (yield* HealthChecks).add(
          "sweeper",
          Effect.map(Clock.currentTimeMillis, (now) => sweeperHealth(now - endedAt))
        )
        const sweeps = Effect.forEach(options.due, sweep, { concurrency: "unbounded", discard: true })
        const ended = Effect.map(Clock.currentTimeMillis, (now) => {
          endedAt = now
        })
        yield* Effect.repeat(Effect.andThen(sweeps, ended), Schedule.spaced(sweepEvery))
      })
      const one = Semaphore.makeUnsafe(1)
      const job = ({ everyMs, name, run }: Job) =>
        one
          .withPermits(1)(surviving("a periodic job failed", name)(run))
          .pipe(Effect.repeat(Schedule.spaced(everyMs)))
      return Layer.mergeAll(
        Singleton.make("Sweeper", Effect.scoped(sweeper)),
        Singleton.make("Jobs", Effect.forEach(options.jobs, job, { concurrency: "unbounded", discard: true })),
        Singleton.make("Gauges", sampleTables(options.gauges))
      )
    })
  )

const sweeperHealth = (sinceMs: number) =>
  sinceMs < hangsAfterMs
    ? passed("Sweeps for due work end.")
    : failed(`No sweep for due work has ended for ${Math.round(sinceMs / 1000)} seconds; restart this node.`)

// An unreachable database must not end the only sweeper.
const surviving =
  (message: string, subject: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
    Effect.catchCause(Effect.asVoid(effect), (cause) => Effect.logWarning(message, { subject }, cause))
