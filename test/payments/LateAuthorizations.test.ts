import { Commit } from "@carteiro/owners/Commit.ts"
import { hintAuthorization } from "@carteiro/runtime/payments/agentic/AgenticWrites.ts"
import { AgenticWorker } from "@carteiro/runtime/payments/worker/AgenticWorker.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { agentic, connectAgentic } from "./AgenticStage.ts"
import { ScriptedAgentic } from "./ScriptedAgentic.ts"

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const provider = new ScriptedAgentic()

/** Advances time; then the worker, which leaves memory after a quarter of an hour without work, handles due steps. */
const advance = Effect.fnUntraced(function* (millis: number) {
  const { acme } = yield* Api
  yield* turnBy(millis)
  ;(yield* AgenticWorker.client).wake(acme.production.id)
  yield* turnBy(10)
})

/** An authorization whose create was cut off: the provider does not have it yet. */
const cutOff = Effect.fnUntraced(function* (more: object = {}) {
  const calls = yield* agentic("production")
  const connection = yield* connectAgentic
  provider.lost.set("authorize", "late")
  const { id } = (yield* calls.authorize({ bank_id: "b1", ...more })).body
  yield* turnBy(10)
  provider.lost.clear()
  return { ...calls, connection, id: id as string }
})

/** The remaining step of an authorization at the provider. */
const taskOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* Effect.orDie(sql<{ readonly step: string | null }>`select step from agentic_authorizations
    where id = ${id}`)
  return row?.step ?? null
})

const testedBy = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.ensuring(
    test,
    Effect.sync(() => {
      provider.lost.clear()
      provider.refuses = undefined
      provider.shows = undefined
    })
  )

it.layer(WholeProduct({ sweeps: false, vendors: provider.layer }), { excludeTestServices: true })(
  "Authorizations that reach their provider late",
  (it) => {
    it.effect(
      'one that was revoked and arrives five minutes later is revoked there gaps-3 C "Proven create history"',
      () =>
        testedBy(
          Effect.gen(function* () {
            const { id, revoke } = yield* cutOff()
            assert.strictEqual((yield* revoke(id)).body.status, "revoked")
            yield* turnBy(10)
            assert.isUndefined(provider.statusOf(id))
            yield* advance(4 * minuteMs)
            provider.land()
            provider.decide(id, "authorized")
            yield* advance(2 * minuteMs)
            assert.strictEqual(provider.statusOf(id), "revoked")
            assert.isNull(yield* taskOf(id))
          })
        )
    )

    it.effect('one that arrives an hour later is revoked there gaps-3 C "Proven create history"', () =>
      testedBy(
        Effect.gen(function* () {
          const { id, revoke } = yield* cutOff()
          yield* revoke(id)
          yield* advance(5 * minuteMs)
          yield* advance(10 * minuteMs)
          yield* advance(46 * minuteMs)
          provider.land()
          yield* advance(10 * minuteMs)
          assert.strictEqual(provider.statusOf(id), "revoked")
        })
      )
    )

    it.effect(
      'one that look-ups 10 and 70 minutes after its create do not find is given up gaps-3 C "Proven create history"',
      () =>
        testedBy(
          Effect.gen(function* () {
            const { id, revoke } = yield* cutOff()
            yield* revoke(id)
            yield* advance(11 * minuteMs)
            yield* advance(50 * minuteMs)
            assert.strictEqual(yield* taskOf(id), "revoke")
            yield* advance(10 * minuteMs)
            assert.isNull(yield* taskOf(id))
            provider.land()
          })
        )
    )

    it.effect("one that stays undecided for its half hour and arrives then is revoked there", () =>
      testedBy(
        Effect.gen(function* () {
          const { authorization, id } = yield* cutOff()
          yield* advance(11 * minuteMs)
          yield* advance(20 * minuteMs)
          assert.strictEqual((yield* authorization(id)).status, "expired")
          provider.land()
          yield* advance(40 * minuteMs)
          assert.strictEqual(provider.statusOf(id), "revoked")
        })
      )
    )

    it.effect('a signed report about one that was given up makes it revoked gaps-3 G "Trust in webhook content"', () =>
      testedBy(
        Effect.gen(function* () {
          const { connection, id, revoke } = yield* cutOff()
          const { acme } = yield* Api
          yield* revoke(id)
          yield* advance(11 * minuteMs)
          yield* advance(60 * minuteMs)
          assert.isNull(yield* taskOf(id))
          provider.land()
          const hint = (told_status: string) =>
            Effect.gen(function* () {
              const at = yield* Clock.currentTimeMillis
              const named = { environment_id: acme.production.id, id, provider_connection_id: connection }
              yield* (yield* Commit).write([hintAuthorization.row({ ...named, at, told_status })])
            })
          yield* hint("revoked")
          assert.isNull(yield* taskOf(id))
          yield* hint("authorized")
          assert.strictEqual(yield* taskOf(id), "revoke")
          yield* advance(10)
          assert.strictEqual(provider.statusOf(id), "revoked")
          assert.isNull(yield* taskOf(id))
        })
      )
    )

    it.effect("a refused revoke is retried until the provider shows it closed", () =>
      testedBy(
        Effect.gen(function* () {
          const { authorize, revoke } = yield* agentic("production")
          yield* connectAgentic
          const { id } = (yield* authorize({ bank_id: "b1" })).body
          yield* turnBy(10)
          provider.refuses = "revoke"
          yield* revoke(id)
          yield* turnBy(10)
          assert.strictEqual(provider.statusOf(id), "pending")
          assert.strictEqual(yield* taskOf(id), "revoke")
          provider.refuses = undefined
          yield* advance(minuteMs)
          assert.strictEqual(provider.statusOf(id), "revoked")
          assert.isNull(yield* taskOf(id))
        })
      )
    )

    it.effect("one whose own date is over is not looked up any more", () =>
      testedBy(
        Effect.gen(function* () {
          const expires_at = new Date((yield* Clock.currentTimeMillis) + dayMs).toISOString()
          const { authorize, revoke } = yield* agentic("production")
          yield* connectAgentic
          const { id } = (yield* authorize({ bank_id: "b1", expires_at })).body
          yield* turnBy(10)
          provider.refuses = "revoke"
          provider.lost.set("authorization", "before")
          yield* revoke(id)
          yield* advance(23 * 60 * minuteMs)
          assert.strictEqual(yield* taskOf(id), "revoke")
          yield* advance(2 * 60 * minuteMs)
          assert.isNull(yield* taskOf(id))
        })
      )
    )

    it.effect(
      'one that the response to its create shows as another one is not authorized gaps-3 G "Trust in webhook content"',
      () =>
        testedBy(
          Effect.gen(function* () {
            const calls = yield* agentic("production")
            yield* connectAgentic
            const { id: other } = (yield* calls.authorize({ bank_id: "b1" })).body
            yield* turnBy(10)
            provider.decide(other, "authorized")
            provider.shows = other
            const { id } = (yield* calls.authorize({ bank_id: "b1" })).body
            yield* turnBy(10)
            const shown = yield* calls.authorization(id)
            assert.deepStrictEqual([shown.status, shown.provider_authorization_id], ["pending", null])
            provider.shows = undefined
            provider.decide(id, "authorized")
            yield* advance(2 * minuteMs)
            const found = yield* calls.authorization(id)
            assert.deepStrictEqual([found.status, found.provider_authorization_id], ["authorized", `aut_${id}`])
          })
        )
    )

    it.effect(
      'one that was authorized is looked up by the schedule while its provider is down gaps-3 C "Recovery schedule"',
      () =>
        testedBy(
          Effect.gen(function* () {
            const calls = yield* agentic("production")
            const connection = yield* connectAgentic
            const { acme } = yield* Api
            const { id } = (yield* calls.authorize({ bank_id: "b1" })).body
            yield* turnBy(10)
            provider.decide(id, "authorized")
            yield* advance(minuteMs)
            assert.strictEqual((yield* calls.authorization(id)).status, "authorized")
            yield* advance(40 * minuteMs)
            provider.lost.set("authorization", "before")
            const asked = provider.count("authorization")
            const at = yield* Clock.currentTimeMillis
            const named = { environment_id: acme.production.id, id, provider_connection_id: connection }
            yield* (yield* Commit).write([hintAuthorization.row({ ...named, at, told_status: "revoked" })])
            yield* advance(10)
            yield* advance(30_000)
            assert.strictEqual(provider.count("authorization"), asked + 1)
            provider.lost.clear()
            provider.decide(id, "revoked")
            yield* advance(minuteMs)
            assert.strictEqual((yield* calls.authorization(id)).status, "revoked")
          })
        )
    )

    it.effect("one that is revoked while its create is sent is revoked there too", () =>
      testedBy(
        Effect.gen(function* () {
          const { authorize, revoke } = yield* agentic("production")
          yield* connectAgentic
          const { id } = (yield* authorize({ bank_id: "b1" })).body
          // The create is under way or not sent yet: in both cases none remains open.
          yield* revoke(id)
          yield* advance(minuteMs)
          assert.notInclude(["pending", "authorized"], provider.statusOf(id) ?? "none")
          assert.isNull(yield* taskOf(id))
        })
      )
    )
  }
)
