import { Effect } from "effect"
import type { ClusterNode } from "../../support/ClusterLines.ts"
import { Bench } from "../Bench.ts"
import { gone, sendsInTurn, storedOnce } from "../Outage.ts"
import { deferred, type Product, startProduct } from "../Product.ts"
import { limit } from "../Report.ts"
import { makeSenders } from "../Senders.ts"
import { allAnswered, latencies, steadily } from "../Steady.ts"
import type { Workload } from "./Workload.ts"

const shards = 3
const edges = 2
const count = 8
const perSecond = 60
const between = "1 second"
const bar = 1_000

/** What callers notice of a release that goes from node to node. */
export const restart: Workload = {
  name: "restart",
  about: `${shards} shards and ${edges} edges, ${perSecond} sends of ${count} environments a second with an Idempotency-Key each; every node is stopped (SIGTERM) and replaced in turn, shards first, in a new cluster each round. A send whose edge takes no connection goes to the other.`,
  needs: [],
  run: Effect.gen(function* () {
    const { options, say } = yield* Bench
    const worst: Array<Slowest> = []
    for (let round = 1; round <= options.rounds; round++) {
      const slowest = yield* Effect.scoped(rolling(`restart_${round}`))
      worst.push(slowest)
      say(`  round ${round}  ${shown(slowest)}`)
    }
    const most = Math.max(...worst.flatMap((slowest) => Object.values(slowest)))
    return {
      unit: "requests",
      sides: [],
      bars: [
        limit(`no send waits longer than ${bar} ms`, most, (value) => value <= bar),
        { promise: "no send fails", measured: "0", passed: true }
      ],
      facts: worst.map(
        (slowest, at) => `slowest send in round ${at + 1}: ${shown(slowest)}; all are stored, none twice.`
      )
    }
  })
}

/** The slowest send while nodes of a role were replaced, in milliseconds. */
interface Slowest {
  readonly shard: number
  readonly edge: number
}

const shown = ({ edge, shard }: Slowest) =>
  `${Math.round(shard)} ms while shards, ${Math.round(edge)} ms while edges were replaced`

const rolling = Effect.fnUntraced(function* (name: string) {
  const product = yield* startProduct({ name, env: deferred, cluster: { shards, edges } })
  const senders = yield* makeSenders(product, count)
  const replaced = Effect.fnUntraced(function* (role: ClusterNode["role"]) {
    const nodes = product.nodes().filter((node) => node.role === role)
    const script = Effect.forEach(nodes, (node) => Effect.andThen(Effect.sleep(between), replace(product, node)))
    const urls = product.nodes().flatMap(({ http }) => (http === "-" ? [] : http))
    const sends = sendsInTurn(urls, senders, `${role} replaced`)
    const { load } = yield* steadily(perSecond, sends, Effect.andThen(script, Effect.sleep(between)))
    yield* allAnswered(load)
    return load
  })
  const loads = { shard: yield* replaced("shard"), edge: yield* replaced("edge") }
  yield* storedOnce(product, Object.values(loads))
  const slowest: Slowest = {
    shard: Math.max(...latencies(loads.shard.sent)),
    edge: Math.max(...latencies(loads.edge.sent))
  }
  return slowest
})

const replace = Effect.fnUntraced(function* (product: Product, { http, pid, role, runner }: ClusterNode) {
  yield* gone(product, pid, "SIGTERM")
  const port = role === "edge" ? { PORT: new URL(http).port } : { CARTEIRO_RUNNER_PORT: runner.split(":").at(-1) ?? "" }
  yield* product.join({ CARTEIRO_ROLE: role, ...port })
})
