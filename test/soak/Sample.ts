import { Effect } from "effect"
import { BenchFailure } from "../bench/BenchFailure.ts"
import type { Database, Postgres } from "../bench/Postgres.ts"
import { cpuSeconds, residentBytes } from "../bench/Processes.ts"
import type { Product } from "../bench/Product.ts"
import { percentile } from "../bench/Steady.ts"

/** How long answers took, in milliseconds. */
export interface Latency {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** One process of the product. */
export interface ProcessSample {
  readonly name: string
  readonly residentBytes: number
  readonly heapBytes: number
  /** Since it started. */
  readonly cpuSeconds: number
  /** Owners in its memory. */
  readonly owners: number
}

/** One table that is not tiny, as PostgreSQL estimates its rows. */
export interface TableSample {
  readonly name: string
  readonly bytes: number
  readonly indexBytes: number
  readonly live: number
  readonly dead: number
}

/** One line of a soak: the state at an instant, and what was answered since the line before. */
export interface Sample {
  /** Seconds since the load began. */
  readonly at: number
  readonly processes: ReadonlyArray<ProcessSample>
  readonly postgresCpuSeconds: number
  readonly accepts: Latency
  readonly reads: Latency
  /** Messages that were accepted since the start, and those of them whose last event has reached the receiver. */
  readonly accepted: number
  readonly ended: number
  readonly received: number
  /** Attempts that wait or are on the wire. */
  readonly outstanding: number
  readonly walBytes: number
  readonly tables: ReadonlyArray<TableSample>
}

/** The counts since the last line; each sample empties them. */
export interface Answered {
  readonly accepts: Array<number>
  readonly reads: Array<number>
}

/** Reads everything of a line that is not the traffic's to tell. */
export const sampleProduct = Effect.fnUntraced(function* (product: Product, postgres: Postgres) {
  const { database } = product
  return {
    processes: yield* Effect.forEach(product.nodes(), ({ admin, number, pid, role }) =>
      Effect.map(
        metricsOf(admin),
        (metrics): ProcessSample => ({
          name: `${role} ${number}`,
          residentBytes: residentBytes(pid),
          heapBytes: sum(metrics, /^nodejs_heap_size_used_bytes(?:\{.*\})? (\S+)$/gm),
          cpuSeconds: cpuSeconds(pid),
          owners: sum(metrics, /^owner_resident\{.*\} (\S+)$/gm)
        })
      )
    ),
    postgresCpuSeconds: yield* postgres.cpuSeconds,
    outstanding: yield* database.count("select count(*) from webhook_attempts where status = 'pending'"),
    walBytes: yield* database.count("select pg_current_wal_lsn() - '0/0'"),
    tables: yield* tablesOf(database)
  }
})

/** Takes the latencies counted since the sample before. */
export const takeLatencies = (answered: Answered) => ({
  accepts: latencyOf(answered.accepts.splice(0)),
  reads: latencyOf(answered.reads.splice(0))
})

const latencyOf = (millis: ReadonlyArray<number>): Latency => ({
  count: millis.length,
  p50: percentile(millis, 0.5),
  p99: percentile(millis, 0.99),
  max: percentile(millis, 1)
})

const metricsOf = (admin: string): Effect.Effect<string, BenchFailure> =>
  Effect.tryPromise({
    try: async () => await (await fetch(`${admin}/metrics`)).text(),
    catch: (error) => new BenchFailure({ message: `${admin}/metrics: ${String(error)}` })
  })

const sum = (text: string, values: RegExp): number =>
  [...text.matchAll(values)].reduce((total, [, value]) => total + Number(value), 0)

const leastBytes = 1_048_576

const tablesOf = (database: Database) =>
  Effect.map(
    database.query(
      `select * from (select relname as name, pg_table_size(relid) as bytes, pg_indexes_size(relid) as index_bytes,
          n_live_tup as live, n_dead_tup as dead from pg_stat_user_tables) t
        where bytes + index_bytes >= $1 order by bytes + index_bytes desc`,
      [leastBytes]
    ),
    (rows) =>
      rows.map(
        (row): TableSample => ({
          name: String(row.name),
          bytes: Number(row.bytes),
          indexBytes: Number(row.index_bytes),
          live: Number(row.live),
          dead: Number(row.dead)
        })
      )
  )
