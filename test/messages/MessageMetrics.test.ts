import * as Instruments from "@carteiro/owners/Instruments.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { seedSender } from "../support/Numbers.ts"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { accept, hear } from "./Sending.ts"

const Measured = OwnerTest(Messages.room.owners).pipe(
  Layer.provideMerge(Instruments.layer),
  Layer.provideMerge(Layer.sync(Metric.MetricRegistry, () => new Map()))
)

const counted = Effect.map(PrometheusMetrics.format(), (text) =>
  Object.fromEntries(
    [...text.matchAll(/^messages_total\{environment="sandbox",direction="(\w+)",status="(\w+)"\} (\d+)$/gm)].map(
      ([, direction, status, count]) => [`${direction} ${status}`, Number(count)]
    )
  )
)

const oldestDue = Effect.gen(function* () {
  const [gauge] = Messages.room.gauges
  return yield* gauge?.read(yield* Clock.currentTimeMillis) ?? Effect.die("no gauge")
})

it.layer(Measured, { excludeTestServices: true })("the metrics of messages", (it) => {
  it.effect("count each message once at each status it reaches", () =>
    Effect.gen(function* () {
      const number = yield* seedSender()
      yield* hear(number)
      yield* accept(number)
      yield* accept(number, { scenario: "delivery_failure" })
      assert.deepStrictEqual(yield* counted, { "inbound received": 1, "outbound queued": 2 })
      yield* turnBy(3000)
      assert.deepStrictEqual(yield* counted, {
        "inbound received": 1,
        "outbound queued": 2,
        "outbound sending": 2,
        "outbound sent": 1,
        "outbound failed": 1,
        "outbound delivered": 1,
        "outbound read": 1
      })
    })
  )

  it.effect("show how long the oldest due send of all numbers has waited, among waiting messages only", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* oldestDue, { "": 0 })
      const [early, late] = [yield* seedSender(), yield* seedSender()]
      for (const number of [early, late]) {
        yield* hear(number)
        yield* accept(number)
      }
      const now = yield* Clock.currentTimeMillis
      const dueFor = (number: typeof early, seconds: number, status = "queued") =>
        sql`update messages set status = ${status}, due_at = ${new Date(now - seconds * 1000)}
          where business_id = ${number.id} and direction = 'outbound'`
      yield* dueFor(early, 90)
      yield* dueFor(late, 30)
      assert.deepStrictEqual(yield* oldestDue, { "": 90 })
      yield* dueFor(early, 90, "sent")
      assert.deepStrictEqual(yield* oldestDue, { "": 30 })
    })
  )
})
