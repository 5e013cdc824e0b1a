import { Ids } from "@carteiro/owners/Ids.ts"
import { ListenEntity } from "@carteiro/runtime/webhooks/listen/ListenEntity.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { fence, quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedKey, seedTenant } from "../support/Tenants.ts"
import { emit, idsOf, insertEvent, ListenTest, listen, read } from "./ListenStage.ts"

let tenants = 0

/** A separate production environment, with the key of its tenant and a sibling. */
const stage = Effect.gen(function* () {
  const { production } = yield* seedTenant(`listen-${++tenants}`)
  const sibling = yield* seedKey(production)
  return { env: production.id, environment: production, owner: production.key_id, sibling: sibling.key_id }
})

const open = Effect.fnUntraced(function* (
  env: string,
  api_key_id: string,
  options: { readonly ttl?: number; readonly id?: string; readonly reason?: string } = {}
) {
  const ids = yield* Ids
  const owners = yield* ListenEntity.client
  const at = yield* Clock.currentTimeMillis
  return yield* owners.OpenSession(env, {
    id: options.id ?? ids.mint("wls", at),
    api_key_id,
    trace_id: "trace-of-the-post",
    ttl_seconds: options.ttl,
    reason: options.reason ?? null,
    at
  })
})

const end = Effect.fnUntraced(function* (env: string, id: string, api_key_id: string) {
  const owners = yield* ListenEntity.client
  return yield* owners.EndSession(env, { id, api_key_id, at: yield* Clock.currentTimeMillis })
})

const stored = (env: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ id: string; status: string; disabled_at: number | null; reason: string | null }>`
      select id, status, disabled_at, reason from webhook_listen_sessions where environment_id = ${env} order by id`
  )

const code = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => error._tag)

it.layer(ListenTest, { excludeTestServices: true })("A listen session", (it) => {
  it.effect("is alone in its environment under concurrent posts A-LSS-13 A-LSS-14", () =>
    Effect.gen(function* () {
      const { env, owner, sibling } = yield* stage
      const results = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? owner : sibling)),
        (key) => Effect.result(open(env, key)),
        { concurrency: "unbounded" }
      )
      const made = results.flatMap((result) => (result._tag === "Success" ? [result.success.id] : []))
      const refused = results.flatMap((result) => (result._tag === "Failure" ? [result.failure] : []))
      assert.strictEqual(made.length, 1)
      for (const error of refused) {
        assert.strictEqual(error._tag, "webhook_listen_session_active_exists")
        assert.deepInclude(error.details?.active_session, { id: made[0] })
      }
    })
  )

  it.effect(
    "near its end is replaced by its owner only, and the old id can no longer be polled A-LSS-18 A-LSS-19 A-LSS-20",
    () =>
      Effect.gen(function* () {
        const { env, owner, sibling } = yield* stage
        const first = yield* open(env, owner, { ttl: 60 })
        yield* turnBy(29_999)
        assert.strictEqual(yield* code(open(env, owner)), "webhook_listen_session_active_exists")
        yield* turnBy(1)
        assert.strictEqual(yield* code(open(env, sibling)), "webhook_listen_session_active_exists")
        const second = yield* open(env, owner)
        assert.deepStrictEqual(
          (yield* stored(env)).map((row) => [row.id, row.status]),
          [
            [first.id, "disabled"],
            [second.id, "active"]
          ]
        )
        const polling = (session_id: string, api_key_id: string) => read(env, { session_id, api_key_id })
        assert.strictEqual(yield* code(polling(first.id, owner)), "webhook_listen_session_not_active")
        assert.strictEqual(yield* code(polling(first.id, sibling)), "webhook_listen_session_not_found")
        assert.strictEqual(yield* code(polling(second.id, sibling)), "webhook_listen_session_not_found")
        assert.deepStrictEqual((yield* polling(second.id, owner)).data, [])
      })
  )

  it.effect("of 30 seconds is replaced by each post of a burst, and one remains A-LSS-13 A-LSS-18", () =>
    Effect.gen(function* () {
      const { env, owner } = yield* stage
      const made = yield* Effect.forEach([1, 2, 3, 4], () => open(env, owner, { ttl: 30 }), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(made.map((session) => session.id)).size, 4)
      const rows = yield* stored(env)
      assert.deepStrictEqual(rows.map((row) => row.status).sort(), ["active", "disabled", "disabled", "disabled"])
      assert.strictEqual(rows.filter((row) => row.disabled_at !== null).length, 3)
    })
  )

  it.effect("costs a token only when it is made A-LSS-16 A-LSS-21", () =>
    Effect.gen(function* () {
      const { env, owner } = yield* stage
      for (let made = 0; made < 5; made++) {
        const session = yield* open(env, owner)
        for (let i = 0; i < 4; i++)
          assert.strictEqual(yield* code(open(env, owner)), "webhook_listen_session_active_exists")
        yield* end(env, session.id, owner)
      }
      const refused = yield* Effect.flip(open(env, owner))
      assert.deepStrictEqual([refused._tag, refused.retry_after_ms], ["rate_limited", 6000])
      yield* turnBy(6000)
      yield* open(env, owner)
    })
  )

  it.effect("is made once when its post is retried", () =>
    Effect.gen(function* () {
      const { env, owner } = yield* stage
      const session = yield* open(env, owner)
      assert.strictEqual((yield* open(env, owner, { id: session.id })).id, session.id)
      assert.strictEqual((yield* stored(env)).length, 1)
    })
  )

  it.effect("ends when its key is revoked or expires (gaps-1 L, ending a session)", () =>
    Effect.gen(function* () {
      const { env, environment, owner, sibling } = yield* stage
      const sql = yield* SqlClient.SqlClient
      const first = yield* open(env, owner)
      const now = yield* Clock.currentTimeMillis
      yield* sql`update api_keys set status = 'revoked', revoked_at = ${new Date(now)} where id = ${owner}`
      yield* turnBy(1)
      const second = yield* open(env, sibling)
      assert.deepStrictEqual(
        (yield* stored(env)).map((row) => [row.id, row.status, row.disabled_at]),
        [
          [first.id, "disabled", now],
          [second.id, "active", null]
        ]
      )
      yield* end(env, second.id, sibling)
      const brief = yield* seedKey(environment, { expires_at: now + 5001 })
      const third = yield* open(env, brief.key_id)
      assert.strictEqual(yield* code(open(env, sibling)), "webhook_listen_session_active_exists")
      yield* turnBy(5000)
      yield* open(env, sibling)
      const rows = yield* stored(env)
      assert.deepInclude(
        rows.map((row) => [row.id, row.status]),
        [third.id, "disabled"]
      )
    })
  )

  it.effect("that has expired allows a new one and stays expired A-LSS-06 A-LSS-10", () =>
    Effect.gen(function* () {
      const { env, owner, sibling } = yield* stage
      const first = yield* open(env, owner, { ttl: 30 })
      yield* turnBy(30_000)
      assert.strictEqual(
        yield* code(read(env, { session_id: first.id, api_key_id: owner })),
        "webhook_listen_session_not_active"
      )
      yield* open(env, sibling)
      assert.strictEqual((yield* stored(env))[0]?.status, "expired")
      assert.isNull((yield* end(env, first.id, owner)).disabled_at)
      assert.strictEqual((yield* stored(env))[0]?.status, "expired")
    })
  )

  it.effect("is deleted by its owner only, once (gaps-1 L, ending a session) A-LSS-09", () =>
    Effect.gen(function* () {
      const { env, owner, sibling } = yield* stage
      const session = yield* open(env, owner)
      assert.strictEqual(yield* code(end(env, session.id, sibling)), "webhook_listen_session_not_found")
      assert.strictEqual(yield* code(end(env, "wls_unknown", owner)), "webhook_listen_session_not_found")
      const at = yield* Clock.currentTimeMillis
      assert.strictEqual((yield* end(env, session.id, owner)).disabled_at, at)
      yield* turnBy(1000)
      assert.strictEqual((yield* end(env, session.id, owner)).disabled_at, at)
      const next = yield* open(env, sibling)
      assert.strictEqual((yield* end(env, session.id, owner)).disabled_at, at)
      assert.deepInclude(
        (yield* stored(env)).map((row) => [row.id, row.status]),
        [next.id, "active"]
      )
    })
  )

  it.effect("shows events from its beginning on, however many are older A-LSS-11", () =>
    Effect.gen(function* () {
      const { env, owner } = yield* stage
      const sql = yield* SqlClient.SqlClient
      yield* emit(env, ["message.sent"])
      yield* turnBy(1)
      const earlier = yield* open(env, owner, { ttl: 30 })
      yield* turnBy(1000)
      const middle = yield* emit(env, ["message.read"])
      const polled = (session_id: string, after: number | "tail" = 0) =>
        read(env, { session_id, api_key_id: owner, after })
      assert.deepStrictEqual(idsOf(yield* polled(earlier.id)), middle)
      yield* turnBy(1000)
      const late = yield* insertEvent(env)
      const session = yield* open(env, owner)
      const now = yield* Clock.currentTimeMillis
      const outside = yield* insertEvent(env, { at: now - 1 })
      const inside = yield* emit(env, ["message.sent"])
      const found = idsOf(yield* polled(session.id))
      assert.deepStrictEqual(found, [late, ...inside].sort())
      assert.notInclude(found, outside)
      assert.deepStrictEqual((yield* polled(session.id, "tail")).data, [])
      const unnumbered = yield* sql`select id from outbox_events where environment_id = ${env} and position is null`
      assert.strictEqual(unnumbered.length, 2)
    })
  )

  it.effect("ends a long poll at its expiry with the events found, and the next is refused (gaps-1 L)", () =>
    Effect.gen(function* () {
      const { env, owner } = yield* stage
      const session = yield* open(env, owner, { ttl: 30 })
      yield* turnBy(20_300)
      const poll = yield* Effect.forkChild(listen(env, { session_id: session.id, api_key_id: owner }))
      yield* turnBy(9_699)
      assert.isUndefined(poll.pollUnsafe())
      yield* turnBy(1)
      assert.deepStrictEqual((yield* Fiber.join(poll)).data, [])
      assert.strictEqual(
        yield* code(listen(env, { session_id: session.id, api_key_id: owner })),
        "webhook_listen_session_not_active"
      )
    })
  )

  it.effect("ends a long poll at once when it is deleted or replaced, and when its key is revoked (gaps-1 L)", () =>
    Effect.gen(function* () {
      const { env, owner } = yield* stage
      const sql = yield* SqlClient.SqlClient
      const first = yield* open(env, owner)
      const deleted = yield* Effect.forkChild(listen(env, { session_id: first.id, api_key_id: owner }))
      yield* quiesce
      yield* end(env, first.id, owner)
      assert.deepStrictEqual((yield* Fiber.join(deleted)).data, [])

      const second = yield* open(env, owner, { ttl: 30 })
      const replaced = yield* Effect.forkChild(listen(env, { session_id: second.id, api_key_id: owner }))
      yield* quiesce
      const third = yield* open(env, owner)
      assert.deepStrictEqual((yield* Fiber.join(replaced)).data, [])

      const revoked = yield* Effect.forkChild(listen(env, { session_id: third.id, api_key_id: owner }))
      yield* quiesce
      const now = yield* Clock.currentTimeMillis
      yield* sql`update api_keys set status = 'revoked', revoked_at = ${new Date(now)} where id = ${owner}`
      yield* turnBy(1000)
      assert.deepStrictEqual((yield* Fiber.join(revoked)).data, [])
    })
  )

  it.effect(
    "shows no event written after its key ended, even before the poll is notified (gaps-1 L, ending a session)",
    () =>
      Effect.gen(function* () {
        const { env, owner } = yield* stage
        const sql = yield* SqlClient.SqlClient
        const session = yield* open(env, owner)
        const poll = yield* Effect.forkChild(listen(env, { session_id: session.id, api_key_id: owner }))
        yield* quiesce
        yield* turnBy(1)
        const now = yield* Clock.currentTimeMillis
        yield* sql`update api_keys set status = 'revoked', revoked_at = ${new Date(now)} where id = ${owner}`
        yield* emit(env, ["message.received"])
        assert.deepStrictEqual((yield* Fiber.join(poll)).data, [])
      })
  )

  it.effect("is stored with its reason and trace id, and survives the memory of its owner A-LSS-04", () =>
    Effect.gen(function* () {
      const { env, owner } = yield* stage
      const session = yield* open(env, owner, { reason: "debugging" })
      const rows = yield* stored(env)
      assert.deepStrictEqual(rows, [{ id: session.id, status: "active", disabled_at: null, reason: "debugging" }])
      yield* fence(env)
      const call = yield* Effect.forkChild(code(open(env, owner)))
      while (call.pollUnsafe() === undefined) yield* turnBy(50)
      assert.strictEqual(yield* Fiber.join(call), "webhook_listen_session_active_exists")
    })
  )
})
