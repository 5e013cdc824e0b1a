import * as Webhooks from "@carteiro/runtime/webhooks/Webhooks.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { endpointRow, raise, receiver, register, turnThrough, webhooksTest } from "./Deliveries.ts"

const path = "/v1/webhook-events"

/** The sources that number management holds back, in the place of another room. */
const suspended = new Set<string>()
const WebhooksTest = webhooksTest(
  Layer.succeed(Webhooks.SuspendedContent, (_environmentId, events) =>
    Effect.succeed(
      new Set(
        events.flatMap(({ id, source_id, source_type }) => (suspended.has(`${source_type}/${source_id}`) ? [id] : []))
      )
    )
  )
)

/** A sandbox with one endpoint that answers as `how` says, and one event whose delivery has ended. */
const ended = Effect.fnUntraced(function* (name: string, status: number, count = 1) {
  const api = yield* Api
  const { sandbox } = yield* seedTenant(name)
  const how = { status }
  const { url, received } = yield* receiver(() => how.status)
  const endpoint = yield* register(sandbox, url)
  const { key } = sandbox
  yield* raise(sandbox, count)
  yield* turnThrough(60_000)
  const events = (yield* api.get(`${path}?limit=100`, { key })).body.data
  const id: string = events[0].id
  const resend = (event = id, idempotencyKey?: string) =>
    api.post(`${path}/${event}/resend`, undefined, { key, ...(idempotencyKey && { idempotencyKey }) })
  const bulk = (body: unknown, idempotencyKey?: string) =>
    api.post(`${path}/bulk-resend`, body, { key, ...(idempotencyKey && { idempotencyKey }) })
  const read = (event = id) => Effect.map(api.get(`${path}/${event}`, { key }), ({ body }) => body)
  return { api, sandbox, how, received, endpoint, key, id, events, resend, bulk, read }
})

it.layer(WebhooksTest, { excludeTestServices: true })("resends", (it) => {
  it.effect(
    "add one attempt with the next number and no retry; a failed row is pending until its result A-WHV-17",
    () =>
      Effect.gen(function* () {
        const { received, endpoint, id, resend, read } = yield* ended("failed", 500)
        assert.strictEqual((yield* read()).status, "failed")
        const answer = yield* resend()
        assert.strictEqual(answer.status, 202)
        assert.deepInclude(answer.body, { attempt: 4, status: "pending", status_code: null, next_retry_at: null })
        yield* turnThrough(3_600_000)
        const event = yield* read(id)
        assert.strictEqual(event.status, "failed")
        assert.deepInclude(event.attempts[3], { id: answer.body.id, attempt: 4, status: "failed", next_retry_at: null })
        assert.strictEqual(received.length, 4)
        assert.strictEqual(new Set(received.map(({ rawBody }) => rawBody.toString())).size, 1)
        assert.deepInclude(yield* endpointRow(endpoint.id), { failures: 2 })
      })
  )

  it.effect(
    "deliver the row when they succeed; a delivered row stays delivered whatever follows A-WHV-17 A-WHV-02",
    () =>
      Effect.gen(function* () {
        const { how, endpoint, resend, read } = yield* ended("delivered", 500)
        how.status = 200
        yield* resend()
        yield* quiesce
        assert.strictEqual((yield* read()).status, "delivered")
        assert.deepInclude(yield* endpointRow(endpoint.id), { failures: 0 })
        how.status = 500
        yield* resend()
        assert.strictEqual((yield* read()).status, "delivered")
        yield* quiesce
        const event = yield* read()
        assert.strictEqual(event.status, "delivered")
        assert.strictEqual(event.attempts.at(-1).status, "failed")
      })
  )

  it.effect("make the scheduled attempt of a pending row due now instead A-WHV-17", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { sandbox } = yield* seedTenant("hasten")
      const { url, received } = yield* receiver((n) => (n === 0 ? 500 : 200))
      yield* register(sandbox, url)
      yield* raise(sandbox)
      yield* quiesce
      const { key } = sandbox
      const [before] = (yield* api.get(path, { key })).body.data
      const answer = yield* api.post(`${path}/${before.id}/resend`, undefined, { key })
      assert.deepInclude(answer.body, { id: before.attempts[1].id, attempt: 2, status: "pending" })
      yield* quiesce
      assert.strictEqual(received.length, 2)
      const after = (yield* api.get(`${path}/${before.id}`, { key })).body
      assert.lengthOf(after.attempts, 2)
      assert.strictEqual(after.status, "delivered")
    })
  )

  it.effect("are refused in order: event, endpoint, disabled, payload, suspension A-WHV-20 (gaps-1 K, resend)", () =>
    Effect.gen(function* () {
      const { api, sandbox, key, endpoint, id, resend } = yield* ended("refusals", 200)
      const sql = yield* SqlClient.SqlClient
      const code = Effect.map(resend(), ({ status, body }) => [status, body.error?.code])
      assert.strictEqual((yield* resend("whe_0000000000000000000000zzzz")).body.error.code, "webhook_event_not_found")
      assert.strictEqual((yield* resend("nonsense")).body.error.code, "webhook_event_not_found")
      const foreign = yield* api.post(`${path}/${id}/resend`, undefined, { key: api.other.sandbox.key })
      assert.strictEqual(foreign.body.error.code, "webhook_event_not_found")
      suspended.add("message/msg_0")
      assert.deepStrictEqual(yield* code, [403, "phone_service_suspended"])
      suspended.clear()
      yield* sql`update webhook_events set payload_cleared = true where environment_id = ${sandbox.id}`
      assert.deepStrictEqual(yield* code, [409, "webhook_event_payload_unavailable"])
      assert.isNull((yield* api.get(`${path}/${id}`, { key })).body.payload)
      const endpointPath = `/v1/webhook-endpoints/${endpoint.id}`
      yield* api.patch(endpointPath, { status: "disabled" }, { key })
      assert.deepStrictEqual(yield* code, [409, "webhook_endpoint_disabled"])
      yield* api.delete(endpointPath, { key })
      assert.deepStrictEqual(yield* code, [404, "webhook_endpoint_not_found"])
    })
  )

  it.effect("replay their result once accepted, also after a suspension A-IDEM-16 A-WHV-22", () =>
    Effect.gen(function* () {
      const { received, id, resend } = yield* ended("replay", 200)
      const first = yield* resend(id, "again")
      yield* quiesce
      suspended.add("message/msg_0")
      const replay = yield* resend(id, "again")
      assert.strictEqual(replay.text, first.text)
      assert.strictEqual(replay.headers["svc-idempotent-replayed"], "true")
      assert.strictEqual((yield* resend(id, "fresh")).status, 403)
      suspended.clear()
      assert.strictEqual((yield* resend(id, "fresh")).status, 202)
      yield* quiesce
      assert.strictEqual(received.length, 3)
    })
  )

  it.effect("of one row take one number each when they run concurrently A-WHV-17", () =>
    Effect.gen(function* () {
      const { received, resend, read } = yield* ended("parallel", 200)
      const answers = yield* Effect.forEach(Array.from({ length: 20 }), () => resend(), { concurrency: "unbounded" })
      const numbers = Array.from({ length: 21 }, (_, n) => n + 1)
      assert.sameMembers(
        answers.map(({ body }) => body.attempt),
        numbers.slice(1)
      )
      yield* quiesce
      assert.strictEqual(received.length, 21)
      assert.deepStrictEqual(
        (yield* read()).attempts.map(({ attempt, status }: { attempt: number; status: string }) => [attempt, status]),
        numbers.map((n) => [n, "succeeded"])
      )
    })
  )

  it.effect("in bulk take ids, type and status together, newest first up to the limit A-WHV-18 A-WHV-19", () =>
    Effect.gen(function* () {
      const { events, bulk, received } = yield* ended("bulk", 200, 6)
      const before = received.length
      const byStatus = yield* bulk({ status: "delivered", limit: 4 })
      assert.strictEqual(byStatus.status, 202)
      const { attempts, trace_id: _, ...counts } = byStatus.body
      assert.deepStrictEqual(counts, { object: "webhook_bulk_resend", requested: 4, enqueued: 4, skipped: 0 })
      assert.lengthOf(attempts, 4)
      assert.deepInclude(attempts[0], { attempt: 2, status: "pending" })
      yield* quiesce
      assert.strictEqual(received.length, before + 4)
      const given = [events[0].id, events[1].id, "whe_unknown", "whe_0000000000000000000000zzzz"]
      const mixed = yield* bulk({ webhook_event_ids: given, event_type: "message.received", status: "delivered" })
      assert.deepInclude(mixed.body, { requested: 4, enqueued: 2, skipped: 2 })
      const filtered = yield* bulk({ webhook_event_ids: given, event_type: "message.sent" })
      assert.deepInclude(filtered.body, { requested: 4, enqueued: 0, skipped: 4, attempts: [] })
      assert.deepInclude((yield* bulk({ status: "pending" })).body, { requested: 0, enqueued: 0, skipped: 0 })
    })
  )

  it.effect("in bulk skip suspended, disabled and foreign rows A-WHV-21", () =>
    Effect.gen(function* () {
      const { api, key, endpoint, events, bulk } = yield* ended("bulk-skips", 200, 3)
      const stranger = yield* ended("bulk-stranger", 200)
      suspended.add("message/msg_1")
      const given = [...events.map(({ id }: { id: string }) => id), stranger.id]
      assert.deepInclude((yield* bulk({ webhook_event_ids: given })).body, { requested: 4, enqueued: 2, skipped: 2 })
      suspended.clear()
      yield* quiesce
      yield* api.patch(`/v1/webhook-endpoints/${endpoint.id}`, { status: "disabled" }, { key })
      assert.deepInclude((yield* bulk({ status: "delivered" })).body, { requested: 3, enqueued: 0, skipped: 3 })
    })
  )

  it.effect("in bulk refuse a body that breaks the contract, and replay an accepted one A-WHV-23", () =>
    Effect.gen(function* () {
      const { bulk, received } = yield* ended("bulk-contract", 200)
      const refused = [
        {},
        { webhook_event_ids: [] },
        { webhook_event_ids: ["a", "a"] },
        { status: "lost" },
        { status: "failed", limit: 101 },
        { status: "failed", extra: true }
      ]
      for (const body of refused) {
        const answer = yield* bulk(body)
        assert.deepStrictEqual([answer.status, answer.body.error?.code], [400, "invalid_bulk_webhook_resend"])
      }
      const first = yield* bulk({ status: "delivered" }, "bulk")
      const replay = yield* bulk({ status: "delivered" }, "bulk")
      assert.strictEqual(replay.text, first.text)
      const conflict = yield* bulk({ status: "failed" }, "bulk")
      assert.strictEqual(conflict.body.error.code, "idempotency_key_conflict")
      yield* turnBy(1000)
      assert.strictEqual(received.length, 2)
    })
  )
})
