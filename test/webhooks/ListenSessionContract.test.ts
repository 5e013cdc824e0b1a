import { Draining } from "@carteiro/http-edge/Listener.ts"
import { listenLayer, listenOwnersLayer } from "@carteiro/runtime/webhooks/listen/Listen.ts"
import { ListenPage, ListenSession } from "@carteiro/schema/webhooks/Listen.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedKey } from "../support/Tenants.ts"
import { emit, followers, freshProject, idsOf, untilFull } from "./ListenStage.ts"

const path = "/v1/webhook-events/listen"
const sessionsPath = "/v1/webhook-events/listen-sessions"

const decodePage = Schema.decodeUnknownSync(ListenPage, { onExcessProperty: "error" })
const decodeSession = Schema.decodeUnknownSync(ListenSession)

it.layer(ApiTest(listenLayer, listenOwnersLayer, { followers }), { excludeTestServices: true })(
  "Listen sessions",
  (it) => {
    it.effect(
      "are made with or without a body and shown in the contract's shape A-LSS-01 A-LSS-02 A-LSS-04 A-LSS-05",
      () =>
        Effect.gen(function* () {
          const { post, delete: remove } = yield* Api
          const { production } = yield* freshProject
          const key = production.key
          const made = yield* post(sessionsPath, undefined, { key })
          assert.strictEqual(made.status, 201)
          decodeSession(made.body)
          assert.deepStrictEqual(made.body, {
            id: made.body.id,
            object: "webhook_listen_session",
            environment: "production",
            status: "active",
            expires_at: "2026-01-01T00:05:00.000Z",
            disabled_at: null,
            created_at: "2026-01-01T00:00:00.000Z",
            trace_id: made.headers["svc-trace-id"],
            poll_endpoint: "/v1/webhook-events/listen",
            retrieve_endpoint: "/v1/webhook-events/listen/:outbox_event_id"
          })
          yield* turnBy(1000)
          const ended = yield* remove(`${sessionsPath}/${made.body.id}`, { key })
          assert.strictEqual(ended.status, 200)
          assert.deepStrictEqual(ended.body, {
            ...made.body,
            status: "disabled",
            disabled_at: "2026-01-01T00:00:01.000Z"
          })
          assert.notStrictEqual(ended.headers["svc-trace-id"], ended.body.trace_id)
          const again = yield* remove(`${sessionsPath}/${made.body.id}`, { key })
          assert.deepStrictEqual(again.body, ended.body)
          const named = yield* post(sessionsPath, { ttl_seconds: 30, reason: "  a look  " }, { key })
          assert.strictEqual(named.body.expires_at, "2026-01-01T00:00:31.000Z")
        })
    )

    it.effect("refuse bodies out of bounds A-LSS-02 A-LSS-03 A-LIM-06", () =>
      Effect.gen(function* () {
        const { post } = yield* Api
        const { production } = yield* freshProject
        for (const [body, param] of [
          [{ ttl_seconds: 29 }, "ttl_seconds"],
          [{ ttl_seconds: 301 }, "ttl_seconds"],
          [{ ttl_seconds: 30.5 }, "ttl_seconds"],
          [{ ttl_seconds: "60" }, "ttl_seconds"],
          [{ reason: "" }, "reason"],
          [{ reason: "x".repeat(201) }, "reason"],
          [{ other: 1 }, "other"]
        ] as const) {
          const { status, body: answer } = yield* post(sessionsPath, body, { key: production.key })
          assert.deepStrictEqual(
            [status, answer.error.code, answer.error.param],
            [400, "invalid_webhook_listen_session_request", param]
          )
        }
      })
    )

    it.effect("are for production keys only (gaps-1 L, session rules in listen)", () =>
      Effect.gen(function* () {
        const { get, post, delete: remove } = yield* Api
        const { sandbox } = yield* freshProject
        for (const answer of [
          yield* post(sessionsPath, undefined, { key: sandbox.key }),
          yield* remove(`${sessionsPath}/wls_01kah7v3m8q6x2r9d4t5w0y1z3`, { key: sandbox.key })
        ]) {
          assert.deepStrictEqual(
            [answer.status, answer.body.error.code],
            [400, "webhook_listen_session_production_only"]
          )
        }
        for (const route of [path, `${path}/evt_01kah7v3m8q6x2r9d4t5w0y1z3`]) {
          const { status, body } = yield* get(`${route}?listen_session_id=wls_x`, { key: sandbox.key })
          assert.deepStrictEqual(
            [status, body.error.code, body.error.param],
            [400, "invalid_webhook_events_query", "listen_session_id"]
          )
        }
      })
    )

    it.effect("are required of production keys, and serve only their owner A-LSN-13 A-LSN-14 A-LSS-12", () =>
      Effect.gen(function* () {
        const { get, post, delete: remove } = yield* Api
        const { production } = yield* freshProject
        const sibling = yield* seedKey(production)
        const [early = ""] = yield* emit(production.id, ["message.sent"])
        for (const route of [path, `${path}/${early}`]) {
          const { status, body } = yield* get(route, { key: production.key })
          assert.deepStrictEqual(
            [status, body.error.code, body.error.param],
            [400, "webhook_listen_session_required", "listen_session_id"]
          )
        }
        yield* turnBy(1)
        const session = (yield* post(sessionsPath, {}, { key: production.key })).body.id
        yield* turnBy(1)
        const [id = ""] = yield* emit(production.id, ["message.read"])
        const query = `?listen_session_id=${session}`
        assert.deepStrictEqual(idsOf((yield* get(`${path}${query}`, { key: production.key })).body), [id])
        assert.strictEqual((yield* get(`${path}/${id}${query}`, { key: production.key })).body.id, id)
        const outside = yield* get(`${path}/${early}${query}`, { key: production.key })
        assert.deepStrictEqual([outside.status, outside.body.error.code], [404, "webhook_event_not_found"])
        for (const route of [`${path}${query}`, `${path}/${id}${query}`]) {
          const { status, body } = yield* get(route, { key: sibling.key })
          assert.deepStrictEqual([status, body.error.code], [404, "webhook_listen_session_not_found"])
        }
        const foreign = yield* remove(`${sessionsPath}/${session}`, { key: sibling.key })
        assert.deepStrictEqual([foreign.status, foreign.body.error.code], [404, "webhook_listen_session_not_found"])
        yield* remove(`${sessionsPath}/${session}`, { key: production.key })
        for (const route of [`${path}${query}`, `${path}/${id}${query}`]) {
          const { status, body } = yield* get(route, { key: production.key })
          assert.deepStrictEqual([status, body.error.code], [409, "webhook_listen_session_not_active"])
        }
      })
    )

    it.effect("exclude one another, and the refusal states until when A-LSS-14 A-LSS-15", () =>
      Effect.gen(function* () {
        const { post } = yield* Api
        const { production } = yield* freshProject
        const sibling = yield* seedKey(production)
        const made = yield* post(sessionsPath, { ttl_seconds: 60 }, { key: production.key })
        for (const key of [production.key, sibling.key]) {
          const { status, body } = yield* post(sessionsPath, undefined, { key })
          assert.deepStrictEqual([status, body.error.code], [409, "webhook_listen_session_active_exists"])
          const { id, expires_at, created_at } = made.body
          assert.deepStrictEqual(body.error.details, { active_session: { id, expires_at, created_at } })
        }
      })
    )

    it.effect("need the write scope, and listening the read scope", () =>
      Effect.gen(function* () {
        const { get, post } = yield* Api
        const { production, sandbox } = yield* freshProject
        const reader = yield* seedKey(production, { scopes: ["webhooks:read"] })
        const writer = yield* seedKey(sandbox, { scopes: ["webhooks:write"] })
        assert.strictEqual((yield* post(sessionsPath, {}, { key: reader.key })).body.error.code, "insufficient_scope")
        assert.strictEqual((yield* get(path, { key: writer.key })).body.error.code, "insufficient_scope")
      })
    )

    it.effect(
      "end: open polls return the events found when the server begins to stop (gaps-1 L, long poll limits)",
      () =>
        Effect.gen(function* () {
          const { get } = yield* Api
          const { sandbox } = yield* freshProject
          const draining = yield* Draining
          const poll = Effect.repeat(get(`${path}?wait_ms=25000`, { key: sandbox.key }), {
            while: ({ status }) => status === 429
          })
          const polls = yield* Effect.forEach([1, 2, 3, 4, 5], () => Effect.forkChild(poll))
          yield* untilFull(sandbox.id, sandbox.key_id)
          yield* draining.begin
          for (const poll of polls) {
            const { status, body } = yield* Fiber.join(poll)
            assert.deepStrictEqual([status, decodePage(body).data], [200, []])
          }
        })
    )
  }
)
