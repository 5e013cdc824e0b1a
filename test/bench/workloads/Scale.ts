import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { cpuSeconds } from "../Processes.ts"
import { deferred, type Product, type ProductOptions, startProduct } from "../Product.ts"
import { median } from "../Report.ts"
import { alternate, httpRound, rest } from "../Rounds.ts"
import { customer, makeSenders, type Sender } from "../Senders.ts"
import { sendsOf } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

const many = 64
const most = 1000

/** What one request costs each part: milliseconds of processor, statements, bytes of write-ahead log. */
interface Spent {
  readonly edgeMs: number
  readonly shardMs: number
  readonly nodesMs: number
  readonly databaseMs: number
  readonly statements: number
  readonly walBytes: number
}

/** The shapes in which the product is operated. */
const shapes = {
  "one process": {},
  "two processes": { env: { CARTEIRO_PROCESSES: "2" } },
  "edge and shard": { cluster: { shards: 1, edges: 1 } }
} as const
const shapeNames = Object.keys(shapes) as ReadonlyArray<keyof typeof shapes>

/**
 * What a message costs in each shape, of one tenant, of some and of many; and what one core of an edge, of a shard and of
 * the database serves, the ground of docs/scale.md.
 */
export const scale: Workload = {
  name: "scale",
  about: `POST /v1/messages over 64 connections, of 1, ${many} and ${most} environments in turn, to one process, to two of CARTEIRO_PROCESSES=2, and to an edge and a shard: accepted only, and of ${many} until read with the events of each step.`,
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const { sides, works } = yield* Effect.map(
      Effect.forEach(shapeNames, (shape) => Effect.scoped(measured(shape))),
      (found) => ({ sides: found.flatMap(({ sides }) => sides), works: found.flatMap(({ works }) => works) })
    )
    return { unit: "requests", sides, bars: [], facts: works.map(({ name, spent }) => factOf(name, spent)) }
  })
}

/** Measures one shape: the counted rounds of each work, and what they spent. */
const measured = Effect.fnUntraced(function* (shape: keyof typeof shapes) {
  const { options } = yield* Bench
  const accepting = yield* stage(shape, deferred, most)
  const reading = yield* stage(shape, { CARTEIRO_SANDBOX_STATUS_DELAY_MS: "1" }, many)
  const works = [
    work(`${shape}, accepted, 1`, accepting, 1),
    work(`${shape}, accepted, ${many}`, accepting, many),
    work(`${shape}, accepted, ${most}`, accepting, most),
    work(`${shape}, read, ${many}`, reading, many)
  ]
  const sides = yield* alternate(works)
  return { sides, works: works.map(({ name, spent }) => ({ name, spent: spent.slice(-options.rounds) })) }
})

const stage = Effect.fnUntraced(function* (
  shape: keyof typeof shapes,
  env: Readonly<Record<string, string>>,
  tenants: number
) {
  const its: Pick<ProductOptions, "cluster" | "env"> = shapes[shape]
  const name = `scale_${shape.replaceAll(" ", "_")}_${tenants}`
  const product = yield* startProduct({ ...its, name, env: { ...its.env, ...env } })
  return { product, senders: yield* makeSenders(product, tenants) }
})

const work = (
  name: string,
  { product, senders }: { readonly product: Product; readonly senders: ReadonlyArray<Sender> },
  callers: number
) => {
  const spent: Array<Spent> = []
  const cpuOf = (role: string) =>
    product.nodes().reduce((sum, node) => sum + (node.role === role ? cpuSeconds(node.pid) : 0), 0)
  const cpuOfRoles = Effect.sync(() => ({ edge: cpuOf("edge"), shard: cpuOf("shard") }))
  const round = Effect.gen(function* () {
    yield* rest(product.pids)
    const before = yield* cpuOfRoles
    const { sample } = yield* httpRound(product, product.url, sendsOf(senders.slice(0, callers), customer))
    const after = yield* cpuOfRoles
    const each = (role: "edge" | "shard") => ((after[role] - before[role]) * 1000) / (sample.requests ?? 1)
    spent.push({
      edgeMs: each("edge"),
      shardMs: each("shard"),
      nodesMs: (sample.cpuMs ?? 0) - (sample.databaseCpuMs ?? 0),
      databaseMs: sample.databaseCpuMs ?? 0,
      statements: sample.statements ?? 0,
      walBytes: sample.walBytes ?? 0
    })
    return sample
  })
  return { name, round, spent }
}

const factOf = (name: string, spent: ReadonlyArray<Spent>): string => {
  const of = (metric: keyof Spent, digits: number) => (median(spent.map((one) => one[metric])) ?? 0).toFixed(digits)
  const nodes = name.startsWith("edge")
    ? `edge ${of("edgeMs", 3)} ms, shard ${of("shardMs", 3)} ms`
    : `nodes ${of("nodesMs", 3)} ms`
  return `${name}: ${nodes}, PostgreSQL ${of("databaseMs", 3)} ms of a processor, ${of("statements", 2)} statements, ${of("walBytes", 0)} bytes of write-ahead log a message.`
}
