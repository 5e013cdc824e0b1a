import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { ListenRepo } from "@carteiro/runtime/webhooks/listen/ListenRepo.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { idsOf, insertEvent, ListenTest, loadedEnvironment, read as streamOf } from "./ListenStage.ts"

/** An environment whose events any node with its lease may number. */
const numbering = Effect.gen(function* () {
  const env = yield* loadedEnvironment
  const sql = yield* SqlClient.SqlClient
  const repo = yield* ListenRepo
  const leases = yield* sql<{ shard: number; epoch: number }>`select shard, epoch from shard_epochs limit 1`
  const window = { numberFrom: "evt_", hiddenBelow: null, session_id: null, since: 0, until: null }
  const read = (asks: Parameters<typeof repo.read>[3]) =>
    repo.read(env, leases[0] ?? { shard: 0, epoch: 0 }, window, asks)
  return { env, read, sql }
})

it.layer(ListenTest, { excludeTestServices: true })("Numbering by two nodes at once", (it) => {
  it.effect("stays correct when an environment moves between them (gaps-1 L)", () =>
    Effect.gen(function* () {
      const { env, read } = yield* numbering
      const node = Effect.gen(function* () {
        const seen: Array<string> = []
        let after = 0
        while (seen.length < 60) {
          const asks = [{ after, rows: 7, types: undefined }]
          const { pages, verdict } = yield* read(asks)
          for (const event of verdict === "read" ? (pages[0]?.rows ?? []) : []) {
            seen.push(event.id)
            after = event.position
          }
        }
        return seen
      })
      const writer = Effect.forEach(Array.from({ length: 20 }), () => insertEvent(env), { discard: true })
      const [one, two, three] = yield* Effect.all([node, node, node, writer, writer, writer], {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(one).size, 60)
      assert.deepStrictEqual([two, three], [one, one])
    }).pipe(Effect.provide(ListenRepo.layer))
  )

  it.effect(
    "finds the tail after more than a hundred thousand events without listeners A-LSN-08",
    () =>
      Effect.gen(function* () {
        const env = yield* loadedEnvironment
        const sql = yield* SqlClient.SqlClient
        const now = yield* Clock.currentTimeMillis
        const atNow = lowestIdAt("evt", now).slice(0, -16)
        yield* sql`insert into outbox_events
          (environment_id, id, type, source_type, source_id, trace_id, created_at, envelope)
        select ${env}, ${atNow} || lpad(n::text, 16, '0'), 'message.sent', 'message', 'msg_1', 'trace', ${new Date(now)},
          '{}' from generate_series(1, 120000) n`
        const tail = yield* streamOf(env, { after: "tail" })
        assert.deepStrictEqual([tail.data, tail.position], [[], 120_000])
        const id = yield* insertEvent(env, { at: now + 1 })
        assert.deepStrictEqual(idsOf(yield* streamOf(env, { after: tail.position })), [id])
        const oldest = yield* streamOf(env, { after: 0, limit: 2 })
        assert.deepStrictEqual(
          oldest.data.map(({ position }) => position),
          [1, 2]
        )
      }),
    240_000
  )

  it.effect("returns no page that the numbering of another node has overtaken (gaps-1 L)", () =>
    Effect.gen(function* () {
      const { env, read, sql } = yield* numbering
      const node = read([{ after: 0, rows: 9, types: undefined }])
      const first = yield* insertEvent(env)
      const numbered = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const other = yield* Effect.forkChild(
        sql.withTransaction(
          node.pipe(Effect.andThen(Deferred.succeed(numbered, undefined)), Effect.andThen(Deferred.await(mayEnd)))
        )
      )
      yield* Deferred.await(numbered)
      const second = yield* insertEvent(env)
      const overtaken = yield* Effect.forkChild(node)
      const blocked = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      while ((yield* blocked).length === 0) {}
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(other)
      assert.strictEqual((yield* Fiber.join(overtaken)).verdict, "behind")
      const again = yield* node
      assert.strictEqual(again.verdict, "read")
      assert.deepStrictEqual(
        again.pages[0]?.rows.map((event) => event.id),
        [first, second]
      )
    }).pipe(Effect.provide(ListenRepo.layer))
  )
})
