import { Effect, Fiber } from "effect"
import { type Caller, caller } from "../Api.ts"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { deferred, startProduct } from "../Product.ts"
import { median } from "../Report.ts"
import { alternate, charged, type Sample } from "../Rounds.ts"
import { inbound } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

// A key may have five long polls open.
const keys = 20
const pollsPerKey = 5
const listeners = keys * pollsPerKey
const eventsPerRound = 10
const settleMillis = 150

const listen = (call: Caller, query: string) =>
  Effect.map(call.get(`/v1/webhook-events/listen?${query}`), (answer) => ({
    at: performance.now(),
    cursor: answer.body.next_cursor as string,
    events: (answer.body.data as ReadonlyArray<unknown>).length
  }))

/** One event, and a hundred callers who wait for it. */
export const listenFanOut: Workload = {
  name: "listen",
  about: `${listeners} open long polls of ${keys} keys, one event: from its POST to each listener's answer, ${eventsPerRound} events a round.`,
  needs: [],
  run: Effect.gen(function* () {
    const { options } = yield* Bench
    const product = yield* startProduct({ name: "listen", env: deferred })
    const callers = yield* Effect.forEach(Array.from({ length: keys }), (_, n) =>
      Effect.gen(function* () {
        const body = { name: `listener ${n}`, environment: "sandbox", scopes: ["webhooks:read"] }
        const made = yield* product.sandbox.post("/v1/api-keys", body)
        return yield* caller(product.url, made.body.secret, pollsPerKey)
      })
    )
    const waiting = callers.flatMap((call) => Array.from({ length: pollsPerKey }, () => ({ call, cursor: "" })))
    for (const listener of waiting) listener.cursor = (yield* listen(listener.call, "start_at=tail")).cursor
    let sent = 0
    const event = Effect.gen(function* () {
      const polls = yield* Effect.forEach(waiting, ({ call, cursor }) =>
        Effect.forkChild(listen(call, `wait_ms=25000&cursor=${encodeURIComponent(cursor)}`))
      )
      yield* Effect.sleep(settleMillis)
      const started = performance.now()
      yield* inbound(product, sent++)
      const answers = yield* Effect.forEach(polls, Fiber.join, { concurrency: "unbounded" })
      for (const [n, { cursor, events }] of answers.entries()) {
        if (events !== 1) return yield* new BenchFailure({ message: `listener ${n} got ${events} events, not one` })
        const listener = waiting[n]
        if (listener !== undefined) listener.cursor = cursor
      }
      return answers.map(({ at }) => at - started)
    })
    const round = Effect.map(
      charged(
        product,
        Effect.map(Effect.replicateEffect(event, eventsPerRound), (all) => all.flat()),
        () => eventsPerRound * listeners
      ),
      ({ result, ...cost }): Sample => {
        const sorted = result.toSorted((a, b) => a - b)
        const slowest = chunks(result).map((one) => Math.max(...one))
        return {
          perSecond: (listeners * 1000) / (median(slowest) ?? 1),
          p50Ms: median(sorted) ?? 0,
          p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0,
          ...cost
        }
      }
    )
    const sides = yield* alternate([{ name: "carteiro", round }])
    const facts = [
      `CPU and SQL are for each listener's answer; every one of ${options.rounds * eventsPerRound} events reached all ${listeners}.`
    ]
    return { unit: "answers", sides, bars: [], facts }
  })
}

const chunks = (all: ReadonlyArray<number>) =>
  Array.from({ length: eventsPerRound }, (_, n) => all.slice(n * listeners, (n + 1) * listeners))
