import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { sendsInTurn, storedOnce } from "../Outage.ts"
import { deferred, startProduct } from "../Product.ts"
import { limit, medianOf } from "../Report.ts"
import { alternate, charged, type Sample } from "../Rounds.ts"
import { makeSenders } from "../Senders.ts"
import { allAnswered, latencies, percentile, type SteadyLoad, steadily } from "../Steady.ts"
import type { Workload } from "./Workload.ts"

const perSecond = 500
const count = 64
const bar = 1.15
const mostP50Ms = 15
const mostCpuMs = 1.1
// At the measured rate a shard would compile its code while it is measured.
const warmPerSecond = 2000
const warmSeconds = 8

/** What a second shard process costs callers at a rate that one could serve. */
export const remoteAccept: Workload = {
  name: "remote-accept",
  about: `POST /v1/messages at a constant ${perSecond} requests a second, of ${count} environments in turn, to an edge whose owners live in one shard process, and to one whose owners live in two; all warm.`,
  needs: [],
  run: Effect.gen(function* () {
    const one = yield* clusterOf(1)
    const two = yield* clusterOf(2)
    const sides = yield* alternate([
      { name: "two shards", round: two.round },
      { name: "one shard", round: one.round }
    ])
    yield* one.check
    yield* two.check
    const [ofTwo, ofOne] = sides.map((side) => medianOf(side, "p50Ms"))
    const cpuOfOne = medianOf(sides[1], "cpuMs")
    const ratio = ofTwo === undefined || ofOne === undefined ? undefined : ofTwo / ofOne
    const late = Math.max(...one.late(), ...two.late())
    return {
      unit: "requests",
      sides,
      bars: [
        limit(
          `p50 with two shards at most ${bar}x that with one, at ${perSecond} requests/s`,
          ratio,
          (value) => value <= bar,
          2
        ),
        limit(`p50 with one shard at most ${mostP50Ms} ms`, ofOne, (value) => value <= mostP50Ms, 1),
        limit(
          `processor time with one shard at most ${mostCpuMs} ms a request`,
          cpuOfOne,
          (value) => value <= mostCpuMs,
          3
        )
      ],
      facts: [
        `p50 ${(ofTwo ?? 0).toFixed(2)} ms with two shards, ${(ofOne ?? 0).toFixed(2)} ms with one, median of ${ofRounds(sides)} rounds each.`,
        `Every send leaves on a clock, whatever became of those before it; the clock was at most ${late.toFixed(1)} ms late in 99 of 100 sends.`
      ]
    }
  })
}

const ofRounds = (sides: ReadonlyArray<{ readonly samples: ReadonlyArray<Sample> }>) => sides[0]?.samples.length ?? 0

const clusterOf = Effect.fnUntraced(function* (shards: number) {
  const { options } = yield* Bench
  const product = yield* startProduct({ name: `remote_${shards}`, env: deferred, cluster: { shards, edges: 1 } })
  const senders = yield* makeSenders(product, count)
  const loads: Array<SteadyLoad> = []
  const loadOf = (rate: number, seconds: number) => {
    const sends = sendsInTurn([product.url], senders, `round ${loads.length}`)
    const sent = Effect.map(steadily(rate, sends, Effect.sleep(seconds * 1000)), ({ load }) => load)
    return Effect.tap(Effect.tap(sent, allAnswered), (load) => Effect.sync(() => loads.push(load)))
  }
  yield* loadOf(warmPerSecond, warmSeconds)
  const round = Effect.gen(function* () {
    const { result, ...spent } = yield* charged(product, loadOf(perSecond, options.seconds), ({ sent }) => sent.length)
    const took = latencies(result.sent)
    const sample: Sample = {
      perSecond: result.sent.length / result.seconds,
      p50Ms: percentile(took, 0.5),
      p99Ms: percentile(took, 0.99),
      ...spent
    }
    return sample
  })
  return {
    round,
    check: Effect.suspend(() => storedOnce(product, loads)),
    late: () => loads.map(({ lateP99Ms }) => lateP99Ms)
  }
})
