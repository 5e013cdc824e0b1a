import { Effect } from "effect"
import { collector } from "../../support/Collector.ts"
import { Bench } from "../Bench.ts"
import { sendsInTurn, storedOnce } from "../Outage.ts"
import { deferred, startProduct } from "../Product.ts"
import { limit, medianOf } from "../Report.ts"
import { alternate, charged, type Sample } from "../Rounds.ts"
import { makeSenders } from "../Senders.ts"
import { allAnswered, latencies, percentile, type SteadyLoad, steadily } from "../Steady.ts"
import type { Workload } from "./Workload.ts"

const perSecond = 300
/** How much more of an accept's processor time traces may take. */
const bar = 1.03

/** What traces at the default share cost a product that exports logs and metrics either way. */
export const traces: Workload = {
  name: "traces",
  about: `POST /v1/messages at a constant ${perSecond} requests a second, with a collector: traces sampled at the default share, and none (CARTEIRO_TRACE_SAMPLE=0).`,
  needs: [],
  run: Effect.gen(function* () {
    const { spans, url } = yield* collector
    const sampled = yield* accepting("traces_on", { OTEL_EXPORTER_OTLP_ENDPOINT: url })
    const none = yield* accepting("traces_off", { OTEL_EXPORTER_OTLP_ENDPOINT: url, CARTEIRO_TRACE_SAMPLE: "0" })
    const sides = yield* alternate([
      { name: "default share", round: sampled.round },
      { name: "no traces", round: none.round }
    ])
    yield* sampled.check
    yield* none.check
    const [withTraces, without] = sides.map((side) => medianOf(side, "cpuMs"))
    const ratio = withTraces === undefined || without === undefined ? undefined : withTraces / without
    return {
      unit: "requests",
      sides,
      bars: [limit(`processor time at most ${bar}x that without traces`, ratio, (value) => value <= bar, 3)],
      facts: [`${spans().length} spans came to the collector.`]
    }
  })
}

/** Accepts at a constant rate by a product of these settings, charged to its processes. */
export const accepting = Effect.fnUntraced(function* (name: string, env: Readonly<Record<string, string>>) {
  const { options } = yield* Bench
  const product = yield* startProduct({ name, env: { ...deferred, ...env } })
  const senders = yield* makeSenders(product, 1)
  const loads: Array<SteadyLoad> = []
  const round = Effect.gen(function* () {
    const sends = sendsInTurn([product.url], senders, `round ${loads.length}`)
    const { result, ...spent } = yield* charged(
      product,
      Effect.map(steadily(perSecond, sends, Effect.sleep(options.seconds * 1000)), ({ load }) => load),
      ({ sent }) => sent.length
    )
    yield* allAnswered(result)
    loads.push(result)
    const took = latencies(result.sent)
    const sample: Sample = {
      perSecond: result.sent.length / result.seconds,
      p50Ms: percentile(took, 0.5),
      p99Ms: percentile(took, 0.99),
      ...spent
    }
    return sample
  })
  return { round, check: Effect.suspend(() => storedOnce(product, loads)) }
})
