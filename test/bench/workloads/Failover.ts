import { Effect, Fiber } from "effect"
import { nodesOf } from "../../support/ClusterLines.ts"
import { caller } from "../Api.ts"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { deferred, type Product, startProduct } from "../Product.ts"
import { limit, median } from "../Report.ts"
import { inbound, recipient, sendBody, senderOf } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

const shards = 3
const pauseMillis = 20
const beforeMillis = 1_000
const afterMillis = 12_000
const bar = 3_000

/** What one killed process cost its callers. Milliseconds. */
interface Gap {
  /** The longest time between two answered sends. */
  readonly longestMs: number
  readonly answered: number
  readonly failed: number
}

/** How long sends stop when the process that owns their number is killed. */
export const failover: Workload = {
  name: "failover",
  about: `${shards} shards and an edge, one send every ${pauseMillis} ms; the shards are killed (SIGKILL) one after the other but for the last, in a new cluster each round.`,
  needs: [],
  run: Effect.gen(function* () {
    const { options, say } = yield* Bench
    const worst: Array<number> = []
    for (let round = 1; round <= options.rounds; round++) {
      const gaps = yield* Effect.scoped(killing(`failover_${round}`))
      const longest = Math.max(...gaps.map(({ longestMs }) => longestMs))
      worst.push(longest)
      const shown = gaps.map((gap) => `${Math.round(gap.longestMs)} ms, ${gap.failed} failed`).join("; ")
      say(`  round ${round}  ${shown}`)
    }
    const gap = median(worst)
    return {
      unit: "requests",
      sides: [],
      bars: [limit(`at most ${bar} ms without an answer, in the median round`, gap, (value) => value <= bar)],
      facts: [
        `longest gap a round, ms: ${worst.map((value) => Math.round(value)).join(", ")}; every answered send is stored, none twice.`
      ]
    }
  })
}

const killing = Effect.fnUntraced(function* (name: string) {
  const product = yield* startProduct({ name, env: deferred, cluster: { shards, edges: 1 } })
  const sender = yield* senderOf(product)
  yield* inbound(product, 0)
  const nodes = nodesOf(product.output()).filter(({ role }) => role === "shard")
  if (nodes.length !== shards) return yield* new BenchFailure({ message: `the cluster named ${nodes.length} shards` })
  const gaps: Array<Gap> = []
  for (const { pid } of nodes.slice(1)) gaps.push(yield* gapOf(product, sender, pid))
  const answered = gaps.reduce((sum, gap) => sum + gap.answered, 0)
  const failed = gaps.reduce((sum, gap) => sum + gap.failed, 0)
  const stored = yield* product.database.count("select count(*) from messages where direction = 'outbound'")
  // A send without an answer may have been stored or not; an answered one is there, and no retry made a second.
  if (stored < answered || stored > answered + failed) {
    const message = `${answered} sends answered, ${failed} not, ${stored} stored`
    return yield* new BenchFailure({ message })
  }
  return gaps
})

// One caller that waits for each answer would hide a gap behind its own patience: many send on a clock.
const gapOf = Effect.fnUntraced(function* (product: Product, sender: string, pid: number) {
  const edge = yield* caller(product.url, product.dev.sandbox.api_key, 1_024)
  const body: unknown = JSON.parse(sendBody(sender, recipient(0)))
  const answers: Array<number> = []
  let failed = 0
  const sending: Array<Fiber.Fiber<void>> = []
  const started = performance.now()
  let killed = false
  while (performance.now() - started < beforeMillis + afterMillis) {
    if (!killed && performance.now() - started > beforeMillis) {
      killed = true
      product.kill(pid, "SIGKILL")
    }
    const send = Effect.match(edge.post("/v1/messages", body), {
      onFailure: () => void failed++,
      onSuccess: () => void answers.push(performance.now())
    })
    sending.push(yield* Effect.forkChild(send))
    yield* Effect.sleep(pauseMillis)
  }
  yield* Effect.forEach(sending, Fiber.join, { concurrency: "unbounded", discard: true })
  const sorted = answers.toSorted((a, b) => a - b)
  const longestMs = sorted.reduce((most, at, n) => Math.max(most, at - (sorted[n - 1] ?? started)), 0)
  const gap: Gap = { longestMs, answered: answers.length, failed }
  return gap
}, Effect.scoped)
