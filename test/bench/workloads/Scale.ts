import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { load, type Requests } from "../Load.ts"
import { cpuSeconds } from "../Processes.ts"
import { deferred, type Product, startProduct } from "../Product.ts"
import { median } from "../Report.ts"
import { alternate, rest, type Sample } from "../Rounds.ts"
import { customer, makeSenders, type Sender } from "../Senders.ts"
import { sendsOf } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

const many = 64

/** What one request costs each part: milliseconds of processor, statements, bytes of write-ahead log. */
interface Spent {
  readonly edgeMs: number
  readonly shardMs: number
  readonly databaseMs: number
  readonly statements: number
  readonly walBytes: number
}

/** What one core of an edge, of a shard and of the database serves; docs/scale.md tells what follows. */
export const scale: Workload = {
  name: "scale",
  about: `POST /v1/messages over 64 connections to an edge and a shard, of one environment and of ${many} in turn: accepted only, and until read with the events of each step.`,
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const accepting = yield* stage("scale_accept", deferred)
    const reading = yield* stage("scale_read", { CARTEIRO_SANDBOX_STATUS_DELAY_MS: "1" })
    const works = [
      work("accepted, one", accepting, 1),
      work(`accepted, ${many}`, accepting, many),
      work("read, one", reading, 1),
      work(`read, ${many}`, reading, many)
    ]
    const sides = yield* alternate(works)
    return { unit: "requests", sides, bars: [], facts: works.map(({ name, spent }) => factOf(name, spent.slice(1))) }
  })
}

const stage = Effect.fnUntraced(function* (name: string, env: Readonly<Record<string, string>>) {
  const product = yield* startProduct({ name, env, cluster: { shards: 1, edges: 1 } })
  return { product, senders: yield* makeSenders(product, many) }
})

const work = (
  name: string,
  { product, senders }: { readonly product: Product; readonly senders: ReadonlyArray<Sender> },
  callers: number
) => {
  const spent: Array<Spent> = []
  const round = Effect.gen(function* () {
    const { loaded, ...cost } = yield* costOf(product, sendsOf(senders.slice(0, callers), customer))
    spent.push(cost)
    const sample: Sample = {
      perSecond: loaded.requests / loaded.seconds,
      p50Ms: loaded.p50Ms,
      p99Ms: loaded.p99Ms,
      cpuMs: cost.edgeMs + cost.shardMs + cost.databaseMs,
      databaseCpuMs: cost.databaseMs,
      statements: cost.statements
    }
    return sample
  })
  return { name, round, spent }
}

const costOf = Effect.fnUntraced(function* (product: Product, requests: Requests) {
  const { folder, options, postgres } = yield* Bench
  const cpuOf = (role: string) =>
    product.nodes().reduce((sum, node) => sum + (node.role === role ? cpuSeconds(node.pid) : 0), 0)
  const reading = Effect.gen(function* () {
    yield* rest(product.pids)
    return {
      edgeMs: cpuOf("edge") * 1000,
      shardMs: cpuOf("shard") * 1000,
      databaseMs: (yield* postgres.cpuSeconds) * 1000,
      statements: yield* product.database.statements,
      walBytes: yield* product.database.count("select pg_current_wal_lsn() - '0/0'")
    }
  })
  yield* postgres.checkpoint
  const before = yield* reading
  const loaded = yield* load(folder, product.url, requests, options.seconds)
  if (loaded.requests === 0 || loaded.refused > 0 || loaded.broken > 0) {
    const message = `${loaded.refused} of ${loaded.requests} sends refused, ${loaded.broken} without an answer`
    return yield* new BenchFailure({ message })
  }
  const after = yield* reading
  const each = (name: keyof Spent) => (after[name] - before[name]) / loaded.requests
  return {
    loaded,
    edgeMs: each("edgeMs"),
    shardMs: each("shardMs"),
    databaseMs: each("databaseMs"),
    statements: each("statements"),
    walBytes: each("walBytes")
  }
})

const factOf = (name: string, spent: ReadonlyArray<Spent>): string => {
  const of = (metric: keyof Spent, digits: number) => (median(spent.map((one) => one[metric])) ?? 0).toFixed(digits)
  return `${name}: edge ${of("edgeMs", 3)} ms, shard ${of("shardMs", 3)} ms, PostgreSQL ${of("databaseMs", 3)} ms of a processor, ${of("statements", 2)} statements, ${of("walBytes", 0)} bytes of write-ahead log a message.`
}
