import { Effect, Fiber } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { residentBytes } from "../Processes.ts"
import { type Product, startProduct } from "../Product.ts"
import { limit, medianOf, sideOf } from "../Report.ts"
import { alternate, type Sample } from "../Rounds.ts"
import { customer, makeSenders, type Sender } from "../Senders.ts"
import { sendBody, senderOf } from "../Sends.ts"
import { allAnswered, latencies, percentile, type Sent, steadily } from "../Steady.ts"
import type { Workload } from "./Workload.ts"

const recipients = 10_000
const acceptLimitMs = 2000
const memoryLimitMb = 50
const neighbourPerSecond = 200
const worstFactor = 2
const readLimitMs = 120_000
const lookMs = 250
const mb = 1_048_576

// As wide as a number gets, so that the product and not a limit is measured.
const widest = `update phone_numbers set messaging_tier = 'tier_100k', quality_rating = 'green',
  upstream_throughput_tier = 'unlimited'`
const unread = `select count(*) filter (where status <> 'read') + greatest(0, $2::int4 - count(*)) from messages
  where batch_id = $1`

/** A body of three megabytes: everyone gets an offer of their own. */
const bodyOf = (sender: string, round: number) => ({
  sender: { type: "chatapp_phone_number", id: sender },
  template: { name: "promo", language: "pt_BR" },
  recipients: Array.from({ length: recipients }, (_, n) => ({
    to: `+55119${String(round * recipients + n).padStart(8, "0")}`,
    variables: { first_name: `Maria das Dores ${n} ${"de Souza ".repeat(10)}` },
    metadata: { order: String(n), campaign: `round ${round}`, note: "x".repeat(60) }
  }))
})

/** Ten thousand recipients in one request, until the last of them has read it. */
export const batchOf10k: Workload = {
  name: "batch-of-10k",
  about:
    "POST /v1/batches with 10,000 new recipients of a marketing template (a body of 3 MB), until every message is read: each through guards and a slot, in a sandbox without delay; meanwhile another tenant sends 200 messages a second.",
  needs: [],
  run: Effect.gen(function* () {
    const product = yield* startProduct({ name: "batch-of-10k", env: { CARTEIRO_SANDBOX_STATUS_DELAY_MS: "0" } })
    const sender = yield* senderOf(product)
    const [neighbour] = yield* makeSenders(product, 1)
    if (neighbour === undefined) return yield* new BenchFailure({ message: "no environment was made" })
    yield* product.database.query(widest)
    const { options } = yield* Bench
    const accepted: Array<number> = []
    const grown: Array<number> = []
    const untilRead: Array<number> = []
    let accepting: Span = always
    let round = 0
    const batch = Effect.gen(function* () {
      // Made before the clock runs: the neighbour's load comes from this process too.
      const body = JSON.stringify(bodyOf(sender, round++))
      const before = residentBytes(product.pids()[0] ?? 0)
      let isAnswered = false
      const peak = yield* Effect.forkScoped(watchMemory(product, () => isAnswered))
      const started = performance.now()
      const { body: made } = yield* product.sandbox.post("/v1/batches", body, `batch ${round}`)
      isAnswered = true
      accepting = { from: started, to: performance.now() }
      accepted.push(accepting.to - accepting.from)
      grown.push(((yield* Fiber.join(peak)) - before) / mb)
      while ((yield* waiting(product, made.id)) > 0) {
        if (performance.now() - started > readLimitMs) {
          return yield* new BenchFailure({ message: `unread ${readLimitMs / 1000} s after the batch was accepted` })
        }
        yield* Effect.sleep(lookMs)
      }
      return recipients / ((performance.now() - started) / 1000)
    })
    const sides = yield* alternate([
      {
        name: "carteiro",
        round: Effect.map(neighboured(product, neighbour, Effect.scoped(batch)), ({ perSecond, sent }) => {
          untilRead.push(percentile(latencies(sent), 0.99))
          return sampleOf(perSecond, sent, accepting)
        })
      },
      {
        name: "no batch",
        round: Effect.map(
          neighboured(product, neighbour, Effect.as(Effect.sleep(options.seconds * 1000), 0)),
          ({ perSecond, sent }) => sampleOf(perSecond, sent, always)
        )
      }
    ])
    // The first is the warm-up.
    const acceptMs = percentile(accepted.slice(1), 0.5)
    const memory = percentile(grown.slice(1), 0.5)
    const loud = medianOf(sideOf(sides, "carteiro"), "p99Ms")
    const alone = medianOf(sideOf(sides, "no batch"), "p99Ms")
    return {
      unit: "messages",
      sides,
      bars: [
        limit(`accepted within ${acceptLimitMs} ms`, acceptMs, (ms) => ms <= acceptLimitMs),
        limit(`at most ${memoryLimitMb} MB more memory while accepting`, memory, (grew) => grew <= memoryLimitMb),
        limit("at least 1,000 messages/s until all are read", medianOf(sides[0], "perSecond"), (rate) => rate >= 1000),
        {
          promise: `the other tenant's p99 while it is accepted at most ${worstFactor}x that without a batch`,
          measured: `${loud?.toFixed(1)} ms against ${alone?.toFixed(1)} ms`,
          passed: loud !== undefined && alone !== undefined && loud <= worstFactor * alone
        }
      ],
      facts: [
        "p50 and p99 are the other tenant's accepting answers while the batch is accepted.",
        `Until all are read its p99 is ${percentile(untilRead.slice(1), 0.5).toFixed(1)} ms.`
      ]
    }
  })
}

const waiting = ({ database }: Product, id: string) => database.count(unread, [id, recipients])

/** The most memory the product held until it answered: what it sends afterwards is no part of accepting. */
const watchMemory = (product: Product, isAnswered: () => boolean) =>
  Effect.gen(function* () {
    let most = 0
    while (!isAnswered()) {
      most = Math.max(most, residentBytes(product.pids()[0] ?? 0))
      yield* Effect.sleep(5)
    }
    return Math.max(most, residentBytes(product.pids()[0] ?? 0))
  })

/** A stretch of time on the clock of `performance`. */
interface Span {
  readonly from: number
  readonly to: number
}
const always: Span = { from: 0, to: Number.POSITIVE_INFINITY }

/** What another tenant meets while something goes on, whose rate is the round's. */
const neighboured = <E, R>(product: Product, { key, number }: Sender, work: Effect.Effect<number, E, R>) =>
  Effect.gen(function* () {
    const body = sendBody(number, customer)
    const { load, result } = yield* steadily(
      neighbourPerSecond,
      () => ({ sender: 0, urls: [product.url], key, body }),
      work
    )
    yield* allAnswered(load)
    return { perSecond: result, sent: load.sent }
  })

/** Of what was sent within a span. */
const sampleOf = (perSecond: number, sent: ReadonlyArray<Sent>, { from, to }: Span): Sample => {
  const times = latencies(sent.filter(({ sentAt }) => sentAt >= from && sentAt <= to))
  return { perSecond, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) }
}
