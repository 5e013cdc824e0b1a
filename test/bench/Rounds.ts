import { Effect } from "effect"
import { Bench } from "./Bench.ts"
import { BenchFailure } from "./BenchFailure.ts"
import { type Loaded, load, type Requests } from "./Load.ts"
import type { Database } from "./Postgres.ts"
import { cpuSeconds } from "./Processes.ts"

/** What one round of one side cost and gave. Absent members were not measured. */
export interface Sample {
  readonly perSecond: number
  readonly p50Ms?: number
  readonly p99Ms?: number
  /** Processor milliseconds for each request: the side's processes and the database server together. */
  readonly cpuMs?: number
  /** The database server's part of it. */
  readonly databaseCpuMs?: number
  readonly statements?: number
}

/** One of the programs compared. */
export interface Side<E = BenchFailure, R = Bench> {
  readonly name: string
  readonly round: Effect.Effect<Sample, E, R>
}

/** The counted rounds of one side. */
export interface SideResult {
  readonly name: string
  readonly samples: ReadonlyArray<Sample>
}

/** Rounds A B C, A B C, …: one uncounted, then as many as asked for, so that all sides meet the same machine. */
export const alternate = Effect.fn("Rounds.alternate")(function* <E, R>(sides: ReadonlyArray<Side<E, R>>) {
  const { options, say } = yield* Bench
  const samples = sides.map((): Array<Sample> => [])
  for (let round = 0; round <= options.rounds; round++) {
    for (const [at, side] of sides.entries()) {
      const sample = yield* side.round
      if (round > 0) samples[at]?.push(sample)
      const about = round === 0 ? "warm-up" : `round ${round}`
      say(`  ${about.padEnd(8)} ${side.name.padEnd(18)} ${Math.round(sample.perSecond)}/s`)
    }
  }
  return sides.map(({ name }, at): SideResult => ({ name, samples: samples[at] ?? [] }))
})

/** The processes and the database whose work a round is charged with. */
export interface Cost {
  readonly pids: () => ReadonlyArray<number>
  /** Absent for a side that uses none. */
  readonly database?: Database
}

/** Runs work, waits until what it caused has come to rest, and divides what that cost by the requests served. */
export const charged = Effect.fn("Rounds.charged")(function* <A, E, R>(
  cost: Cost,
  work: Effect.Effect<A, E, R>,
  requests: (result: A) => number
) {
  const { postgres } = yield* Bench
  const reading = Effect.gen(function* () {
    const own = cost.pids().reduce((sum, pid) => sum + cpuSeconds(pid), 0)
    if (cost.database === undefined) return { own, database: 0, statements: 0 }
    return { own, database: yield* postgres.cpuSeconds, statements: yield* cost.database.statements }
  })
  if (cost.database !== undefined) yield* postgres.checkpoint
  yield* rest(cost.pids)
  const before = yield* reading
  const result = yield* work
  yield* rest(cost.pids)
  const after = yield* reading
  const served = Math.max(1, requests(result))
  const ownCpuMs = ((after.own - before.own) * 1000) / served
  if (cost.database === undefined) return { result, cpuMs: ownCpuMs }
  const databaseCpuMs = ((after.database - before.database) * 1000) / served
  const statements = (after.statements - before.statements) / served
  return { result, cpuMs: ownCpuMs + databaseCpuMs, databaseCpuMs, statements }
})

const restMillis = 200
const restLimitMillis = 30_000
// A process at rest still looks at its clock and its locks.
const restShare = 0.15

/** Waits until no statement runs and the processes are next to idle; fails when that takes more than 30 s. */
export const rest = Effect.fnUntraced(function* (pids: () => ReadonlyArray<number>) {
  const { postgres } = yield* Bench
  const started = performance.now()
  while (performance.now() - started < restLimitMillis) {
    const before = pids().reduce((sum, pid) => sum + cpuSeconds(pid), 0)
    yield* Effect.sleep(restMillis)
    const used = pids().reduce((sum, pid) => sum + cpuSeconds(pid), 0) - before
    if (used < (restShare * restMillis) / 1000 && (yield* postgres.active) === 0) return
  }
  return yield* new BenchFailure({ message: `still busy ${restLimitMillis / 1000} s after its load ended` })
})

/** One round of HTTP load, charged; a refused or broken request fails it unless `expected` says what answers are. */
export const httpRound = Effect.fn("Rounds.http")(function* (
  cost: Cost,
  url: string,
  requests: Requests,
  expected: "accepted" | "refused" = "accepted"
) {
  const { folder, options } = yield* Bench
  const { result, ...spent } = yield* charged(cost, load(folder, url, requests, options.seconds), served)
  const wrong = expected === "accepted" ? result.refused : result.requests - result.refused
  if (result.requests === 0 || wrong > 0 || result.broken > 0) {
    const message = `${url}: ${wrong} of ${result.requests} answers were not ${expected}, ${result.broken} did not come`
    return yield* new BenchFailure({ message })
  }
  const sample: Sample = {
    perSecond: result.requests / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    ...spent
  }
  return { sample, loaded: result }
})

const served = (loaded: Loaded): number => loaded.requests
