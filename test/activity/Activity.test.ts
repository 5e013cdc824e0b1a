import { ActivityReads } from "@carteiro/runtime/activity/ActivityReads.ts"
import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { Api } from "../support/ApiTest.ts"
import { quiesce } from "../support/OwnerTest.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { outgoing, raise, receiver } from "../webhooks/Deliveries.ts"
import { count, countAll, purge } from "./CountAll.ts"

const types = ["message.sent", "message.delivered", "message.failed", "contact.updated"] as const

/** One transaction of the model: what it writes, and how it ends. */
interface Written {
  readonly rows: ReadonlyArray<{ readonly environment: number; readonly type: number; readonly hour: number }>
  /** The round at whose end it commits or rolls back; it stays open until then. */
  readonly until: number
  readonly fails: boolean
}

const written: fc.Arbitrary<Written> = fc.record({
  rows: fc.array(fc.record({ environment: fc.nat(2), type: fc.nat(3), hour: fc.nat(3) }), { maxLength: 4 }),
  until: fc.nat(2),
  fails: fc.boolean()
})

let made = 0

const product = WholeProduct({ outgoing, sweeps: false, database: TestDatabase.forManyTransactions })

it.layer(product, { excludeTestServices: true })("Activity", (it) => {
  it.effect("each committed event is counted once, however transactions and counts of several nodes overlap", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const reads = yield* ActivityReads
      const begin = 1_800_000_000_000
      const play = Effect.fnUntraced(function* (rounds: ReadonlyArray<ReadonlyArray<Written>>) {
        const run = ++made
        const name = (environment: number) => `env_activity_${run}_${environment}`
        const ends = yield* Effect.forEach(rounds, () => Deferred.make<void>())
        const open: Array<Fiber.Fiber<unknown, unknown>> = []
        for (const [round, transactions] of rounds.entries()) {
          for (const [index, { fails, rows, until }] of transactions.entries()) {
            const wrote = yield* Deferred.make<void>()
            const end = ends[Math.min(round + until, rounds.length - 1)]
            open.push(
              yield* Effect.forkChild(
                Effect.ignore(
                  sql.withTransaction(
                    Effect.gen(function* () {
                      for (const [at, { environment, hour, type }] of rows.entries()) {
                        yield* sql`insert into outbox_events
                          (environment_id, id, type, source_type, source_id, trace_id, created_at, envelope)
                          values (${name(environment)}, ${`evt_${round}_${index}_${at}`}, ${types[type] ?? ""}, 'message',
                            'msg_1', 'trace', ${new Date(begin + hour * hourMs + 1)}, '{}')`
                      }
                      yield* Deferred.succeed(wrote, undefined)
                      if (end !== undefined) yield* Deferred.await(end)
                      if (fails) return yield* Effect.fail("rolled back")
                    })
                  )
                )
              )
            )
            yield* Deferred.await(wrote)
          }
          const counting = yield* Effect.forkChild(Effect.all([count, count], { concurrency: 2 }))
          if (ends[round] !== undefined) yield* Deferred.succeed(ends[round], undefined)
          yield* Fiber.join(counting)
        }
        yield* Effect.forEach(open, Fiber.join)
        yield* countAll
        const expected = new Map<string, number>()
        for (const { fails, rows } of rounds.flat())
          for (const { environment, hour, type } of fails ? [] : rows)
            if (type < 3) {
              const key = `${name(environment)} ${types[type]} ${begin + hour * hourMs - (begin % hourMs)}`
              expected.set(key, (expected.get(key) ?? 0) + 1)
            }
        const counted = new Map<string, number>()
        for (const environment of [0, 1, 2])
          for (const { count, hour, measure } of yield* reads.since(name(environment), 0))
            counted.set(`${name(environment)} ${measure} ${hour}`, count)
        assert.deepStrictEqual([...counted].toSorted(), [...expected].toSorted())
      })
      for (const rounds of fc.sample(fc.array(fc.array(written, { maxLength: 3 }), { minLength: 1, maxLength: 4 }), 25))
        yield* play(rounds)
    })
  )

  it.effect("calls of receivers are counted by outcome and duration, and spend by its amount", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      const ill = yield* receiver((number) => (number === 0 ? 503 : 200))
      const endpoints: Array<string> = []
      for (const url of [ill.url, (yield* receiver()).url]) {
        const made = yield* post("/v1/webhook-endpoints", { url, subscribed_events: ["message.received"] }, { key })
        endpoints.push(made.body.id)
      }
      yield* raise(acme.sandbox)
      yield* quiesce
      yield* countAll
      const hours = yield* (yield* ActivityReads).since(id, 0)
      const of = (measure: string) => hours.filter((hour) => hour.measure === measure).map(({ count }) => count)
      assert.deepStrictEqual([of("webhook.failed"), of("webhook.succeeded")], [[1], [1]])
      assert.deepStrictEqual(of("webhook.within.50"), [2])
      assert.deepStrictEqual(of("message.received"), [1])
      const calls = yield* Effect.forEach(endpoints, (endpoint) =>
        Effect.flatMap(ActivityReads, (reads) => reads.ofEndpoint(id, endpoint, 0))
      )
      assert.deepStrictEqual(
        calls.map((hours) => hours.map(({ count, measure }) => [measure, count])),
        [[["webhook.failed", 1]], [["webhook.succeeded", 1]]]
      )
    })
  )

  it.effect("an hour is kept for 100 days", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const now = yield* Clock.currentTimeMillis
      const day = 24 * hourMs
      for (const days of [99, 101])
        yield* sql`insert into activity_hours (environment_id, measure, hour, count, amount)
          values (${acme.production.id}, 'spend', ${new Date(now - days * day)}, 1, 1)`
      yield* sql`insert into endpoint_activity_hours (environment_id, measure, hour, count, amount)
        select environment_id, 'we_1.succeeded', hour, count, amount from activity_hours
        where environment_id = ${acme.production.id}`
      yield* sql`insert into number_activity_hours (environment_id, measure, hour, count, amount)
        select environment_id, 'pn_1.sent', hour, count, 0 from activity_hours
        where environment_id = ${acme.production.id}`
      yield* purge
      const reads = yield* ActivityReads
      for (const hours of [
        yield* reads.ofEndpoint(acme.production.id, "we_1", 0),
        yield* reads.ofNumber(acme.production.id, "pn_1", 0)
      ]) {
        assert.deepStrictEqual(
          hours.map(({ hour }) => hour),
          [now - 99 * day]
        )
      }
      const left = yield* (yield* ActivityReads).since(acme.production.id, 0)
      assert.deepStrictEqual(
        left.map(({ hour }) => hour),
        [now - 99 * day]
      )
    })
  )
})
