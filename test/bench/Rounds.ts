import { Effect } from "effect"
import { Bench } from "./Bench.ts"
import { BenchFailure } from "./BenchFailure.ts"
import { type Loaded, load, type Requests } from "./Load.ts"
import type { Database, Written } from "./Postgres.ts"
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
  /** Bytes of write-ahead log for each request. */
  readonly walBytes?: number
  /** Updates that touched no index, of all; absent where nothing was updated. */
  readonly inPlace?: number
  /** Processor milliseconds of the load generator for each request. */
  readonly generatorCpuMs?: number
  /** Requests of the round, for rounds that warm until they are enough. */
  readonly requests?: number
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

/** Requests after which a program is warm: hot code is compiled, caches and connections are there. */
const warmRequests = 10_000
const mostWarmRounds = 4

/**
 * Rounds A B C, A B C, …: uncounted ones until each side is warm, then as many as asked for, so that all sides meet the
 * same machine.
 */
export const alternate = Effect.fn("Rounds.alternate")(function* <E, R>(sides: ReadonlyArray<Side<E, R>>) {
  const { options, say } = yield* Bench
  const samples = sides.map((): Array<Sample> => [])
  const tell = (about: string, { name }: Side<E, R>, { perSecond }: Sample) =>
    say(`  ${about.padEnd(8)} ${name.padEnd(18)} ${Math.round(perSecond)}/s`)
  for (const side of sides) {
    let requests = 0
    for (let round = 0; round < mostWarmRounds && requests < warmRequests; round++) {
      const sample = yield* side.round
      requests += sample.requests ?? warmRequests
      tell("warm-up", side, sample)
    }
  }
  for (let round = 1; round <= options.rounds; round++) {
    for (const [at, side] of sides.entries()) {
      const sample = yield* side.round
      samples[at]?.push(sample)
      tell(`round ${round}`, side, sample)
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
    const read = { own, generator: cpuSeconds(process.pid) }
    if (cost.database === undefined) return { ...read, database: 0, statements: 0, written: nothingWritten }
    const { statements, written } = cost.database
    return { ...read, database: yield* postgres.cpuSeconds, statements: yield* statements, written: yield* written }
  })
  if (cost.database !== undefined) yield* postgres.checkpoint
  yield* rest(cost.pids)
  const before = yield* reading
  const result = yield* work
  yield* rest(cost.pids)
  const after = yield* reading
  const served = Math.max(1, requests(result))
  const ownCpuMs = ((after.own - before.own) * 1000) / served
  const generatorCpuMs = ((after.generator - before.generator) * 1000) / served
  if (cost.database === undefined) return chargedWith(result, { cpuMs: ownCpuMs, generatorCpuMs })
  const databaseCpuMs = ((after.database - before.database) * 1000) / served
  const statements = (after.statements - before.statements) / served
  const walBytes = (after.written.walBytes - before.written.walBytes) / served
  const updates = after.written.updates - before.written.updates
  const inPlace = (after.written.inPlace - before.written.inPlace) / updates
  return chargedWith(result, {
    cpuMs: ownCpuMs + databaseCpuMs,
    databaseCpuMs,
    statements,
    walBytes,
    generatorCpuMs,
    ...(updates > 0 ? { inPlace } : {})
  })
})

/** The cost of a piece of work for each request; the database's part is absent without a database. */
interface Charge
  extends Required<Pick<Sample, "cpuMs" | "generatorCpuMs">>,
    Pick<Sample, "databaseCpuMs" | "statements" | "walBytes" | "inPlace"> {}

const chargedWith = <A>(result: A, charge: Charge): Charge & { readonly result: A } => ({ ...charge, result })

const nothingWritten: Written = { walBytes: 0, updates: 0, inPlace: 0 }

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
    requests: result.requests,
    ...spent
  }
  return { sample, loaded: result }
})

const served = (loaded: Loaded): number => loaded.requests
