import { makeSecret, secretBytes } from "@carteiro/runtime/access/keys/ApiKeySecret.ts"
import * as Projects from "@carteiro/runtime/projects/room.ts"
import { standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { served } from "../support/ServedRooms.ts"
import { seedKey, seedProject, seedTenant } from "../support/Tenants.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { told } from "../support/Told.ts"
import { lockWaiters, until } from "../support/Until.ts"

const stranger = makeSecret("sandbox", new Uint8Array(secretBytes).fill(9)).secret

const limitedTogether = { rates: standardRates, database: TestDatabase.forManyTransactions }

it.layer(ApiTest(served(Projects.room), Layer.empty, limitedTogether), { excludeTestServices: true })(
  "Refusals",
  (it) => {
    it.effect("have one order, and each hides the later ones A-AUTH-14 A-ERR-11", () =>
      Effect.gen(function* () {
        const { acme, call } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const project = yield* seedProject(acme.organization_id, "faulty")
        const bare = yield* seedKey(project.production, { scopes: [] })
        const { organization_id } = acme
        yield* sql`update organizations set suspended_at = created_at, credit_blocked = true where id = ${organization_id}`
        yield* sql`update projects set deleted_at = created_at where id = ${project.id}`
        // Every fault at once; one after the other is mended.
        const request = {
          method: "PURGE",
          body: `{"padding":"${"x".repeat(10_485_760)}"}`,
          key: "nonsense",
          idempotencyKey: "k".repeat(256)
        }
        const send = Effect.suspend(() => call(request.method, "/v1/projects", request.body, request))
        const code = Effect.map(send, ({ status, body }) => `${status} ${body.error?.code}`)
        assert.strictEqual(yield* code, "404 route_not_found")
        request.method = "POST"
        assert.strictEqual(yield* code, "413 payload_too_large")
        request.body = "{"
        assert.strictEqual(yield* code, "401 authentication_error")
        request.key = bare.key
        assert.strictEqual(yield* code, "403 organization_suspended")
        yield* sql`update organizations set suspended_at = null where id = ${organization_id}`
        assert.strictEqual(yield* code, "403 insufficient_scope")
        request.key = project.production.key
        assert.strictEqual(yield* code, "404 project_not_found")
        yield* sql`update projects set deleted_at = null where id = ${project.id}`
        assert.strictEqual(yield* code, "402 credit_balance_exhausted")
        yield* sql`update organizations set credit_blocked = false where id = ${organization_id}`
        for (let i = 0; i < 5; i++) assert.strictEqual(yield* code, "400 invalid_idempotency_key")
        assert.strictEqual(yield* code, "429 rate_limited")
        yield* turnBy(360_000)
        assert.strictEqual(yield* code, "400 invalid_idempotency_key")
        request.idempotencyKey = "k"
        yield* turnBy(360_000)
        assert.strictEqual(yield* code, "400 http_exception")
        request.body = "{}"
        yield* turnBy(360_000)
        assert.strictEqual(yield* code, "400 invalid_project_body")
        request.body = '{"name":"Faultless"}'
        yield* turnBy(360_000)
        assert.strictEqual(yield* code, "201 undefined")
      })
    )

    it.effect("draw from the key first, then from the organization A-ERR-15", () =>
      Effect.gen(function* () {
        const { other, get } = yield* Api
        const keys = [other.sandbox, yield* seedKey(other.sandbox), yield* seedKey(other.sandbox)]
        const burst = (key: string) =>
          Effect.map(
            Effect.all(
              Array.from({ length: 60 }, () => get("/v1/me", { key })),
              { concurrency: 20 }
            ),
            (answers) => answers.filter(({ status }) => status === 200).length
          )
        for (const { key } of keys) assert.strictEqual(yield* burst(key), 50)
        const fourth = yield* seedKey(other.sibling.sandbox)
        const limited = yield* get("/v1/me", fourth)
        assert.deepStrictEqual(told(limited), [429, "rate_limited", undefined])
        assert.strictEqual(limited.headers["retry-after"], "1")
        assert.isAtMost(limited.body.error.retry_after_ms, 14)
        yield* turnBy(1000)
        assert.strictEqual((yield* get("/v1/me", fourth)).status, 200)
      })
    )

    it.effect("share one bucket of the organization where its limits do not differ by environment A-ERR-15", () =>
      Effect.gen(function* () {
        const { post } = yield* Api
        const { project, sibling } = yield* seedTenant("one-bucket")
        const draw = (key: string) => Effect.map(post("/v1/projects", {}, { key }), ({ status }) => status)
        for (const { key } of [project.sandbox, sibling.production]) {
          for (let i = 0; i < 5; i++) assert.strictEqual(yield* draw(key), 400)
        }
        for (const { key } of [project.production, sibling.sandbox]) assert.strictEqual(yield* draw(key), 429)
      })
    )

    it.effect("by the organization leave the key's own tokens, so that the stated wait is enough A-ERR-15", () =>
      Effect.gen(function* () {
        const { get } = yield* Api
        const { sandbox } = yield* seedTenant("waiting")
        for (let n = 0; n < 3; n++) {
          const { key } = yield* seedKey(sandbox)
          for (let i = 0; i < 50; i++) assert.strictEqual((yield* get("/v1/me", { key })).status, 200)
        }
        const ask = get("/v1/me", { key: sandbox.key })
        const { retry_after_ms } = (yield* ask).body.error
        for (let i = 0; i < 60; i++) assert.strictEqual((yield* ask).status, 429)
        yield* turnBy(retry_after_ms)
        assert.strictEqual((yield* ask).status, 200)
      })
    )

    it.effect("of wrong keys are limited for each source address, before any look-up A-AUTH-03", () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        yield* turnBy(60_000)
        for (let i = 0; i < 30; i++) assert.strictEqual((yield* get("/v1/me", { key: stranger })).status, 401)
        const limited = yield* get("/v1/me", { key: stranger })
        assert.deepStrictEqual(told(limited), [429, "rate_limited", undefined])
        assert.strictEqual(limited.body.error.retry_after_ms, 1000)
        assert.strictEqual((yield* get("/v1/me", { key: acme.sandbox.key })).status, 429)
        yield* turnBy(1000)
        assert.strictEqual((yield* get("/v1/me", { key: acme.sandbox.key })).status, 200)
      })
    )

    it.effect("of wrong keys stay limited when requests arrive together A-AUTH-06", () =>
      Effect.gen(function* () {
        const { get } = yield* Api
        const sql = yield* SqlClient.SqlClient
        yield* turnBy(60_000)
        const ask = get("/v1/me", { key: stranger })
        for (let i = 0; i < 25; i++) assert.strictEqual((yield* ask).status, 401)
        const together = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`lock table api_keys in access exclusive mode`
            const asking = yield* Effect.forkChild(
              Effect.all(Array(8).fill(ask) as Array<typeof ask>, { concurrency: 8 })
            )
            // All eight have found a token and wait for their look-up.
            yield* until(Effect.map(lockWaiters, (waiting) => waiting === 8))
            return asking
          })
        )
        const statuses = (yield* Fiber.join(together)).map(({ status }) => status)
        assert.deepStrictEqual(statuses.sort(), [401, 401, 401, 401, 401, 429, 429, 429])
      })
    )
  }
)
