import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { sendsInTurn, storedOnce } from "../Outage.ts"
import { deferred, startProduct } from "../Product.ts"
import { limit, median } from "../Report.ts"
import { inbound, senderOf } from "../Sends.ts"
import { answered, longestPause, steadily } from "../Steady.ts"
import type { Workload } from "./Workload.ts"

const shards = 3
const perSecond = 50
const before = "1 second"
const after = "12 seconds"
const bar = 3_000

/** How long sends stop when the process that owns their number is killed. */
export const failover: Workload = {
  name: "failover",
  about: `${shards} shards and an edge, ${perSecond} sends of one number a second; the shards are killed (SIGKILL) one after the other but for the last, in a new cluster each round.`,
  needs: [],
  run: Effect.gen(function* () {
    const { options, say } = yield* Bench
    const worst: Array<number> = []
    for (let round = 1; round <= options.rounds; round++) {
      const kills = yield* Effect.scoped(killing(`failover_${round}`))
      worst.push(Math.max(...kills.map(({ sent }) => longestPause(sent))))
      const shown = kills.map(
        ({ sent }) => `${Math.round(longestPause(sent))} ms, ${sent.filter((send) => !answered(send)).length} failed`
      )
      say(`  round ${round}  ${shown.join("; ")}`)
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
  const sender = { key: product.dev.sandbox.api_key, number: yield* senderOf(product), homes: [] }
  yield* inbound(product, 0)
  const nodes = product.nodes().filter(({ role }) => role === "shard")
  if (nodes.length !== shards) return yield* new BenchFailure({ message: `the cluster named ${nodes.length} shards` })
  const kills = yield* Effect.forEach(nodes.slice(1), ({ number, pid }) => {
    const kill = Effect.sync(() => product.kill(pid, "SIGKILL"))
    const script = Effect.sleep(before).pipe(Effect.andThen(kill), Effect.andThen(Effect.sleep(after)))
    return Effect.map(
      steadily(perSecond, sendsInTurn([product.url], [sender], `kill ${number}`), script),
      ({ load }) => load
    )
  })
  yield* storedOnce(product, kills)
  return kills
})
