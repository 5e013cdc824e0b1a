import { assert, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { fence, turnBy } from "../support/OwnerTest.ts"
import { emit, freshEnvironment, idsOf, insertEvent, ListenTest, read } from "./ListenStage.ts"

const day = 86_400_000

/** A transaction that has inserted one event and ends when the test says. */
const slowWriter = Effect.fnUntraced(function* (environmentId: string) {
  const sql = yield* SqlClient.SqlClient
  const inserted = yield* Deferred.make<string>()
  const mayEnd = yield* Deferred.make<void>()
  const writer = yield* Effect.forkChild(
    sql.withTransaction(
      Effect.gen(function* () {
        yield* Deferred.succeed(inserted, yield* insertEvent(environmentId))
        yield* Deferred.await(mayEnd)
      })
    )
  )
  return {
    id: yield* Deferred.await(inserted),
    end: Effect.andThen(Deferred.succeed(mayEnd, undefined), Effect.orDie(Fiber.join(writer)))
  }
})

it.layer(ListenTest, { excludeTestServices: true })("The order of listening", (it) => {
  it.effect("is oldest first, and a page ends where the next begins A-LSN-01", () =>
    Effect.gen(function* () {
      const env = yield* freshEnvironment
      const first = yield* emit(env, ["message.sent"])
      yield* turnBy(5)
      const second = yield* emit(env, ["message.read"])
      yield* turnBy(5)
      const third = yield* emit(env, ["message.delivered"])
      const page = yield* read(env, { limit: 2 })
      assert.deepStrictEqual(idsOf(page), [...first, ...second])
      assert.isTrue(page.has_more)
      const rest = yield* read(env, { limit: 2, after: page.position })
      assert.deepStrictEqual(idsOf(rest), third)
      assert.isFalse(rest.has_more)
      assert.strictEqual(rest.next_poll_after_ms, 1000)
    })
  )

  it.effect("has no more when exactly one page is left A-LSN-02", () =>
    Effect.gen(function* () {
      const env = yield* freshEnvironment
      const written = yield* emit(env, Array<"message.sent">(20).fill("message.sent"))
      const page = yield* read(env, { limit: 20 })
      assert.sameMembers(idsOf(page), written)
      assert.isFalse(page.has_more)
    })
  )

  it.effect("shows the event of a slow transaction after a cursor that was returned before it ended (gaps-1 L)", () =>
    Effect.gen(function* () {
      const env = yield* freshEnvironment
      const before = yield* emit(env, ["message.sent"])
      const slow = yield* slowWriter(env)
      yield* turnBy(1000)
      const after = yield* emit(env, ["message.sent"])
      const page = yield* read(env)
      assert.deepStrictEqual(idsOf(page), [...before, ...after])
      yield* slow.end
      assert.deepStrictEqual(idsOf(yield* read(env, { after: page.position })), [slow.id])
      assert.deepStrictEqual(idsOf(yield* read(env)), [...before, ...after, slow.id])
    })
  )

  it.effect("is the same for every listener while many write at once (gaps-1 L)", () =>
    Effect.gen(function* () {
      const env = yield* freshEnvironment
      const writer = Effect.forEach(
        Array.from({ length: 15 }),
        () => Effect.andThen(emit(env, ["message.sent", "message.read"]), insertEvent(env)),
        { discard: true }
      )
      const follow = (limit: number) =>
        Effect.gen(function* () {
          const seen: Array<string> = []
          let after = 0
          while (seen.length < 4 * 45) {
            const page = yield* read(env, { after, limit })
            assert.isAtLeast(page.position, after)
            after = page.position
            seen.push(...idsOf(page))
            yield* Effect.yieldNow
          }
          return seen
        })
      const [, one, other] = yield* Effect.all(
        [Effect.all([writer, writer, writer, writer], { concurrency: "unbounded" }), follow(3), follow(50)],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(one).size, 180)
      assert.deepStrictEqual(one, other)
      assert.deepStrictEqual(
        (yield* read(env, { limit: 100 })).data.map((event) => event.id),
        one.slice(0, 100)
      )
    })
  )

  const Step = Schema.Union([
    Schema.Struct({ write: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 })) }),
    Schema.Struct({ begin: Schema.Literal(true) }),
    Schema.Struct({ end: Schema.Literal(true) }),
    Schema.Struct({ read: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })) })
  ])

  it.effect.prop(
    "shows every event once, in one order, for every interleaving of writers and pages A-LSN-01",
    [Schema.Array(Step).check(Schema.isMaxLength(24))],
    ([steps]) =>
      Effect.gen(function* () {
        const env = yield* freshEnvironment
        const open: Array<Effect.Success<ReturnType<typeof slowWriter>>> = []
        const written = new Set<string>()
        const seen: Array<string> = []
        let after = 0
        const page = Effect.fnUntraced(function* (limit: number) {
          const found = yield* read(env, { after, limit })
          assert.isAtMost(found.data.length, limit)
          after = found.position
          seen.push(...idsOf(found))
          return found.has_more
        })
        const end = Effect.fnUntraced(function* () {
          const slow = open.shift()
          if (slow === undefined) return
          yield* slow.end
          written.add(slow.id)
        })
        for (const step of steps) {
          if ("write" in step)
            for (const id of yield* emit(env, Array<"message.sent">(step.write).fill("message.sent"))) written.add(id)
          else if ("begin" in step) open.length < 3 && open.push(yield* slowWriter(env))
          else if ("end" in step) yield* end()
          else yield* page(step.read)
        }
        while (open.length > 0) yield* end()
        while (yield* page(3)) {}
        assert.strictEqual(new Set(seen).size, seen.length)
        assert.sameMembers(seen, [...written])
        const again = yield* read(env, { limit: 100 })
        assert.deepStrictEqual(idsOf(again), seen.slice(0, 100))
      }),
    { arbitrary: { runs: 30 } }
  )

  it.effect("starts after existing events with tail A-LSN-08", () =>
    Effect.gen(function* () {
      const env = yield* freshEnvironment
      yield* emit(env, ["message.sent", "message.sent"])
      const tail = yield* read(env, { after: "tail" })
      assert.deepStrictEqual([tail.data, tail.has_more], [[], false])
      const later = yield* emit(env, ["message.read"])
      assert.deepStrictEqual(idsOf(yield* read(env, { after: tail.position })), later)
    })
  )

  it.effect("reads a backlog of thousands page by page, and finds its end A-LSN-07 A-LSN-08", () =>
    Effect.gen(function* () {
      const env = yield* freshEnvironment
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into outbox_events
          (environment_id, id, type, source_type, source_id, trace_id, created_at, envelope)
        select ${env}, 'evt_' || lpad(n::text, 26, '0'), 'message.sent', 'message', 'msg_1', 't',
          ${new Date(Date.UTC(2026, 0, 1))}, '{}' from generate_series(1, 2500) n`
      // Hand-made ids are older than any window, so they get a time inside it.
      yield* sql`update outbox_events set id = 'evt_01kdv' || substr(id, 10) where environment_id = ${env}`
      const first = yield* read(env, { limit: 1 })
      assert.isTrue(first.has_more)
      const tail = yield* read(env, { after: "tail" })
      assert.strictEqual(tail.position, 2500)
      const rare = yield* emit(env, ["message.failed"])
      let page = yield* read(env, { types: ["message.failed"] })
      let turns = 0
      while (page.data.length === 0 && turns++ < 10) {
        assert.isTrue(page.has_more)
        page = yield* read(env, { types: ["message.failed"], after: page.position })
      }
      assert.deepStrictEqual(idsOf(page), rare)
    })
  )

  it.effect("filters by type and moves the cursor past filtered events A-LSN-09", () =>
    Effect.gen(function* () {
      const env = yield* freshEnvironment
      yield* emit(env, ["message.sent"])
      yield* turnBy(1)
      const wanted = yield* emit(env, ["message.read"])
      yield* turnBy(1)
      yield* emit(env, ["message.delivered", "message.delivered"])
      const page = yield* read(env, { types: ["message.read", "no.such_type"] })
      assert.deepStrictEqual(idsOf(page), wanted)
      assert.deepStrictEqual([page.position, page.has_more], [4, false])
      const none = yield* read(env, { types: [] })
      assert.deepStrictEqual([none.data, none.position], [[], 4])
    })
  )

  it.effect("keeps events for 7 days and resumes an older cursor at the oldest remaining event (gaps-1 K, L)", () =>
    Effect.gen(function* () {
      const env = yield* freshEnvironment
      const now = yield* Clock.currentTimeMillis
      const old = yield* insertEvent(env, { at: now - 7 * day + 20_000 })
      const page = yield* read(env)
      assert.deepStrictEqual(idsOf(page), [old])
      const late = yield* emit(env, ["message.read"])
      assert.deepStrictEqual(idsOf(yield* read(env)), [old, ...late])
      yield* turnBy(20_001)
      assert.deepStrictEqual(idsOf(yield* read(env)), late)
      yield* turnBy(60_000)
      assert.deepStrictEqual(idsOf(yield* read(env, { after: page.position - 1 })), late)
    })
  )

  it.effect("writes nothing without rows to number", () =>
    Effect.gen(function* () {
      const env = yield* freshEnvironment
      const sql = yield* SqlClient.SqlClient
      yield* emit(env, ["message.sent"])
      yield* read(env)
      const marks = sql`select (select xmax::text || xmin::text from outbox_counters where environment_id = ${env}) as c,
        (select string_agg(xmax::text, ',' order by shard) from shard_epochs) as e`
      const before = yield* marks
      yield* read(env)
      yield* read(env, { after: "tail" })
      assert.deepStrictEqual(yield* marks, before)
    })
  )

  it.effect("numbers nothing under a lost lease, then continues under a new one", () =>
    Effect.gen(function* () {
      const env = yield* freshEnvironment
      const first = yield* emit(env, ["message.sent"])
      assert.deepStrictEqual(idsOf(yield* read(env)), first)
      yield* fence(env)
      const second = yield* insertEvent(env)
      const call = yield* Effect.forkChild(read(env, { after: 1 }))
      // In small steps: time goes on while the call is still on its way to the server, too.
      while (call.pollUnsafe() === undefined) yield* turnBy(5)
      assert.deepStrictEqual(idsOf(yield* Fiber.join(call)), [second])
    })
  )
})
