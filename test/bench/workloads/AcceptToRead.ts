import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { load } from "../Load.ts"
import { startProduct } from "../Product.ts"
import { limit, medianOf } from "../Report.ts"
import { alternate, charged, type Sample } from "../Rounds.ts"
import { openWindows, senderOf, sends } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

// A message that was read has been accepted, sent, delivered and read, each with its event.
const eventTypes = ["message.sent", "message.delivered", "message.read"]
// Two looks at partial indexes: counting all rows ten times a second would be work for the server being measured.
const due = `select (exists (select from messages where due_at is not null and status = 'queued'
    and status_reason is null)
  or exists (select from messages where due_at is not null and (status <> 'queued' or status_reason is not null)))::int`
const unread = "select count(*) from messages where direction = 'outbound' and status <> 'read'"
const read = "select count(*) from messages where direction = 'outbound' and status = 'read'"
const events = `select count(distinct (source_id, type)) from outbox_events where type = any($1)`
const limitMillis = 120_000
const lookMillis = 100
const mostLogBytes = 5120

/** From the send to the customer having read it, with everything a message causes. */
export const acceptToRead: Workload = {
  name: "accept-to-read",
  about:
    "POST /v1/messages over 64 connections until the last message of the round is read: accepted, sent, delivered and read, with the events of each step.",
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const { folder, options } = yield* Bench
    const product = yield* startProduct({
      name: "accept-to-read",
      env: { CARTEIRO_SANDBOX_STATUS_DELAY_MS: "1" }
    })
    const sender = yield* senderOf(product)
    yield* openWindows(product)
    const { database } = product
    let looks = 0
    const round = Effect.gen(function* () {
      const before = yield* database.count(read)
      const started = performance.now()
      const loaded = yield* load(
        folder,
        product.url,
        sends(product.dev.sandbox.api_key, sender, false),
        options.seconds
      )
      if (loaded.refused > 0 || loaded.broken > 0 || loaded.requests === 0) {
        const message = `${loaded.refused} of ${loaded.requests} sends refused, ${loaded.broken} without an answer`
        return yield* new BenchFailure({ message })
      }
      const drainStarted = performance.now()
      looks = 1
      while ((yield* database.count(due)) > 0 || (yield* database.count(unread)) > 0) {
        looks++
        if (performance.now() - drainStarted > limitMillis) {
          const message = `${yield* database.count(unread)} messages unread ${limitMillis / 1000} s after the load ended`
          return yield* new BenchFailure({ message })
        }
        yield* Effect.sleep(lookMillis)
      }
      const seconds = (performance.now() - started) / 1000
      return { loaded, done: (yield* database.count(read)) - before, seconds }
    })
    const sides = yield* alternate([
      {
        name: "carteiro",
        round: Effect.gen(function* () {
          const { result, statements, ...spent } = yield* charged(product, round, ({ done }) => done)
          if (result.done < result.loaded.requests) {
            const message = `${result.loaded.requests} sends answered, ${result.done} read`
            return yield* new BenchFailure({ message })
          }
          const sample: Sample = {
            perSecond: result.done / result.seconds,
            p50Ms: result.loaded.p50Ms,
            p99Ms: result.loaded.p99Ms,
            ...spent,
            statements: (statements ?? 0) - (looks + 2) / result.done
          }
          return sample
        })
      }
    ])
    const all = yield* database.count(read)
    const found = yield* database.count(events, [eventTypes])
    if (found !== all * eventTypes.length) {
      return yield* new BenchFailure({ message: `${all} messages read, ${found} events instead of ${all * 3}` })
    }
    return {
      unit: "messages",
      sides,
      bars: [
        limit("at least 1,000 messages/s end to end", medianOf(sides[0], "perSecond"), (rate) => rate >= 1_000),
        limit(
          `at most ${mostLogBytes} bytes of log a message`,
          medianOf(sides[0], "walBytes"),
          (bytes) => bytes <= mostLogBytes,
          0
        ),
        { promise: "nothing missing", measured: `${all} read, ${found} events`, passed: true }
      ],
      facts: ["p50 and p99 are those of the accepting answer while everything else runs."]
    }
  })
}
