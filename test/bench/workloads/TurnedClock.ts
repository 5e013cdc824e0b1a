import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Peers from "../Peers.ts"
import { deferred, type Product, startProduct } from "../Product.ts"
import { quietPerSecond, quietRound } from "../QuietRound.ts"
import { limit, medianOf, sideOf } from "../Report.ts"
import { alternate } from "../Rounds.ts"
import { makeSenders } from "../Senders.ts"
import type { Workload } from "./Workload.ts"

const neighbours = 50
const things = 1000
const yearSeconds = 365 * 86_400
const worstFactor = 2
const alwaysFineMs = 40
const yearLimitSeconds = 60
const lookMs = 100

/** What a tenant costs its neighbours that turns its sandbox a year ahead, past a thousand things that fall due one by one. */
export const turnedClock: Workload = {
  name: "turned-clock",
  about: `POST /v1/messages of ${neighbours} environments at ${quietPerSecond} requests a second each, with and without another one that advances its clock by a year over ${things} open payments, each of which expires at an instant of its own and is delivered to a local receiver; one process.`,
  needs: [],
  run: Effect.gen(function* () {
    const receiver = yield* Peers.receiver
    const product = yield* startProduct({
      name: "turned_clock",
      env: { ...deferred, CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.url }
    })
    const endpoint = { url: `${receiver.url}/hook/0`, subscribed_events: ["payment.expired"] }
    yield* product.sandbox.post("/v1/webhook-endpoints", endpoint)
    const senders = yield* makeSenders(product, neighbours)
    const { options } = yield* Bench
    const years: Array<number> = []
    const turned = Effect.gen(function* () {
      yield* openPayments(product)
      const started = performance.now()
      const sample = yield* quietRound(product, senders, advanceYear(product))
      years.push((performance.now() - started) / 1000)
      return sample
    })
    const sides = yield* alternate([
      { name: "clock turns", round: turned },
      { name: "clock stands", round: quietRound(product, senders, Effect.sleep(options.seconds * 1000)) }
    ])
    const loud = medianOf(sideOf(sides, "clock turns"), "p99Ms")
    const alone = medianOf(sideOf(sides, "clock stands"), "p99Ms")
    return {
      unit: "requests",
      sides,
      bars: [
        limit(
          `a year within ${yearLimitSeconds} s`,
          Math.max(...years.slice(1)),
          (seconds) => seconds <= yearLimitSeconds
        ),
        {
          promise: `the neighbours' p99 at most ${worstFactor}x that without, or ${alwaysFineMs} ms`,
          measured: `${loud?.toFixed(1)} ms against ${alone?.toFixed(1)} ms`,
          passed: loud !== undefined && alone !== undefined && loud <= Math.max(alwaysFineMs, worstFactor * alone)
        }
      ],
      facts: ["The year is the slowest one."]
    }
  })
}

const openPayments = ({ sandbox }: Product) =>
  Effect.forEach(
    Array.from({ length: things }, (_, n) => 3600 + n * 600),
    (expires_in_seconds) =>
      sandbox.post("/v1/payments", {
        amount_brl_centavos: 5000,
        provider_options: { pixprov1: { expires_in_seconds } }
      }),
    { concurrency: 32, discard: true }
  )

const advanceYear = Effect.fnUntraced(function* ({ sandbox }: Product) {
  const { body } = yield* sandbox.post("/v1/sandbox/clock/advance", { by_seconds: yearSeconds })
  while (true) {
    const read = yield* sandbox.get(`/v1/sandbox/clock/advances/${body.id}`)
    if (read.body.status === "settled") return
    if (read.body.status !== "running") return yield* new BenchFailure({ message: JSON.stringify(read.body.error) })
    yield* Effect.sleep(lookMs)
  }
})
