import { verifyWebhook } from "@carteiro/receiver/verify.ts"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api, type Answer as ApiAnswer } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { type Answer, endpointRow, type Received, raise, receiver, turnThrough, WebhooksTest } from "./Deliveries.ts"

const endpoints = "/v1/webhook-endpoints"
const events = "/v1/webhook-events"

/** A new sandbox with one endpoint. */
const probed = Effect.fnUntraced(function* (name: string, how: () => Answer = () => 200) {
  const api = yield* Api
  const { sandbox } = yield* seedTenant(name)
  const { url, received } = yield* receiver(how)
  const { key } = sandbox
  const made = yield* api.post(endpoints, { url, subscribed_events: ["payment.paid"] }, { key })
  const id: string = made.body.id
  const test = (idempotencyKey?: string): Effect.Effect<ApiAnswer> =>
    api.post(`${endpoints}/${id}/test`, undefined, { key, ...(idempotencyKey && { idempotencyKey }) })
  const patch = (status: string) => api.patch(`${endpoints}/${id}`, { status }, { key })
  const event = (test: ApiAnswer) => api.get(`${events}/${test.body.webhook_event_id}`, { key })
  return { api, sandbox, key, id, secret: made.body.signing_secret as string, received, test, patch, event }
})

it.layer(WebhooksTest, { excludeTestServices: true })("the endpoint test", (it) => {
  it.effect(
    "queues one signed webhook.test whatever is subscribed; only the worker calls the receiver A-WHT-01 A-WHT-02 A-WHT-07 A-WHT-15",
    () =>
      Effect.gen(function* () {
        const { id, secret, received, test, event } = yield* probed("probe")
        const answer = yield* test()
        assert.strictEqual(answer.status, 202)
        const { trace_id, webhook_event_id, ...rest } = answer.body
        assert.deepStrictEqual(rest, { object: "webhook_test", webhook_endpoint_id: id, status: "pending" })
        assert.match(webhook_event_id, /^whe_/)
        yield* quiesce
        assert.strictEqual(received.length, 1)
        const envelope = JSON.parse(received[0]?.rawBody.toString() ?? "")
        assert.deepInclude(envelope, { type: "webhook.test", environment: "sandbox", trace_id })
        assert.deepStrictEqual(envelope.data, { webhook_endpoint_id: id, message: "Test delivery" })
        assert.strictEqual(received[0]?.headers["svc-webhook-id"], envelope.id)
        const request = received[0] as Received
        const nowSeconds = Date.parse("2026-01-01T00:00:00Z") / 1000
        assert.isTrue(verifyWebhook({ ...request, secrets: [secret], nowSeconds }).verified)
        const shown = (yield* event(answer)).body
        assert.deepInclude(shown, {
          status: "delivered",
          type: "webhook.test",
          source_type: "webhook_test",
          source_id: id,
          endpoint_id: id,
          payload: envelope
        })
        assert.deepInclude(shown.attempts[0], { status: "succeeded", status_code: 200, failure_class: null })
      })
  )

  it.effect("is answered while the receiver holds the delivery, without waiting for it A-WHT-01 A-WHT-15", () =>
    Effect.gen(function* () {
      const held = yield* Deferred.make<(status: number) => void>()
      const { test, event } = yield* probed(
        "held",
        () => (respond) => Deferred.doneUnsafe(held, Effect.succeed(respond))
      )
      const answer = yield* test()
      assert.deepStrictEqual([answer.status, answer.body.status], [202, "pending"])
      const respond = yield* Deferred.await(held)
      const waiting = (yield* event(answer)).body
      assert.deepStrictEqual([waiting.status, waiting.attempts[0].status], ["pending", "pending"])
      respond(200)
      yield* quiesce
      assert.strictEqual((yield* event(answer)).body.status, "delivered")
    })
  )

  it.effect("goes to no other endpoint and into no listen stream A-WHT-03..05", () =>
    Effect.gen(function* () {
      const { api, sandbox, key, test } = yield* probed("no-fanout")
      const other = yield* receiver()
      yield* api.post(endpoints, { url: other.url, subscribed_events: ["payment.paid"] }, { key })
      const refused = yield* api.post(endpoints, { url: other.url, subscribed_events: ["webhook.test"] }, { key })
      assert.strictEqual(refused.body.error.code, "invalid_webhook_endpoint_request")
      yield* test()
      yield* quiesce
      assert.strictEqual(other.received.length, 0)
      const sql = yield* SqlClient.SqlClient
      assert.lengthOf(yield* sql`select 1 from outbox_events where environment_id = ${sandbox.id}`, 0)
    })
  )

  it.effect("ends a failed probe after its one attempt A-WHT-06 A-WHT-07", () =>
    Effect.gen(function* () {
      const { received, test, event } = yield* probed("terminal", () => 403)
      const answer = yield* test()
      yield* turnThrough(600_000)
      assert.strictEqual(received.length, 1)
      const shown = (yield* event(answer)).body
      assert.strictEqual(shown.status, "failed")
      assert.lengthOf(shown.attempts, 1)
      assert.deepInclude(shown.attempts[0], { status_code: 403, failure_class: "auth_rejected", next_retry_at: null })
    })
  )

  it.effect(
    "is possible five times in a rolling minute, replays included, refusals not; the sixth waits A-WHT-08..10 A-IDEM-15",
    () =>
      Effect.gen(function* () {
        const { received, test } = yield* probed("limit")
        const first = yield* test("one")
        yield* turnBy(10_000)
        const replay = yield* test("one")
        assert.strictEqual(replay.text, first.text)
        assert.strictEqual(replay.headers["svc-idempotent-replayed"], "true")
        for (let n = 0; n < 3; n++) assert.strictEqual((yield* test()).status, 202)
        const sixth = yield* test("one")
        assert.strictEqual(sixth.status, 429)
        assert.deepInclude(sixth.body.error, { code: "rate_limited", retry_after_ms: 50_000 })
        assert.strictEqual(sixth.headers["retry-after"], "50")
        yield* turnBy(49_999)
        assert.strictEqual((yield* test()).status, 429)
        yield* turnBy(1)
        assert.strictEqual((yield* test()).status, 202)
        yield* quiesce
        assert.strictEqual(received.length, 5)
      })
  )

  it.effect("has its limit per endpoint, after the 404 A-WHT-13 A-WHT-08", () =>
    Effect.gen(function* () {
      const { api, key, id, test } = yield* probed("own-limit")
      const second = yield* api.post(
        endpoints,
        { url: "https://203.0.114.7/", subscribed_events: ["flow.completed"] },
        { key }
      )
      for (let n = 0; n < 5; n++) yield* test()
      assert.strictEqual((yield* test()).status, 429)
      const other = yield* api.post(`${endpoints}/${second.body.id}/test`, undefined, { key })
      assert.strictEqual(other.status, 202)
      yield* api.delete(`${endpoints}/${id}`, { key })
      assert.strictEqual((yield* test()).body.error.code, "webhook_endpoint_not_found")
      assert.strictEqual((yield* api.post(`${endpoints}/nonsense/test`, undefined, { key })).status, 404)
    })
  )

  it.effect("conflicts for one key with two bodies, not with the key of another operation A-IDEM-15", () =>
    Effect.gen(function* () {
      const { api, key, test } = yield* probed("keys")
      const other = yield* api.post(
        endpoints,
        { url: "https://203.0.114.7/", subscribed_events: ["flow.completed"] },
        { key }
      )
      assert.strictEqual((yield* test("k")).status, 202)
      const elsewhere = yield* api.post(`${endpoints}/${other.body.id}/test`, undefined, { key, idempotencyKey: "k" })
      assert.strictEqual(elsewhere.body.error.code, "idempotency_key_conflict")
      const rotated = yield* api.post(`${endpoints}/${other.body.id}/rotate-secret`, undefined, {
        key,
        idempotencyKey: "k"
      })
      assert.strictEqual(rotated.status, 200)
    })
  )

  it.effect(
    "reaches a breaker-disabled endpoint, which stays disabled with its counters A-WHT-11 A-WHE-31 A-WHE-32",
    () =>
      Effect.gen(function* () {
        const how = { status: 500 }
        const { api, sandbox, key, id, received, test, patch, event } = yield* probed("disabled", () => how.status)
        yield* api.patch(`${endpoints}/${id}`, { subscribed_events: ["message.received"] }, { key })
        yield* raise(sandbox, 20)
        yield* turnThrough(120_000)
        const before = yield* endpointRow(id)
        assert.strictEqual(before?.status, "disabled")
        const failed = yield* test()
        yield* quiesce
        assert.strictEqual((yield* event(failed)).body.status, "failed")
        assert.deepStrictEqual(yield* endpointRow(id), before)
        how.status = 200
        const good = yield* test()
        yield* quiesce
        assert.strictEqual((yield* event(good)).body.status, "delivered")
        assert.deepStrictEqual(yield* endpointRow(id), before)
        const recovered = yield* patch("active")
        assert.strictEqual(recovered.body.probation, true)
        yield* test()
        yield* quiesce
        assert.deepInclude(yield* endpointRow(id), { probation: true })
        assert.isAbove(received.length, 20)
      })
  )

  it.effect("never blocks recovery when it fails A-WHT-14", () =>
    Effect.gen(function* () {
      const { api, sandbox, key, id, test, patch } = yield* probed("blocked", () => 500)
      yield* api.patch(`${endpoints}/${id}`, { subscribed_events: ["message.received"] }, { key })
      yield* raise(sandbox, 20)
      yield* turnThrough(120_000)
      yield* test()
      yield* quiesce
      assert.strictEqual((yield* patch("active")).body.status, "active")
    })
  )

  it.effect("counts like a delivery on a healthy endpoint (gaps-1 J, probe effect)", () =>
    Effect.gen(function* () {
      const how = { status: 500 }
      const { id, test } = yield* probed("healthy", () => how.status)
      yield* test()
      yield* quiesce
      assert.deepInclude(yield* endpointRow(id), { failures: 1 })
      how.status = 200
      yield* test()
      yield* quiesce
      assert.deepInclude(yield* endpointRow(id), { failures: 0 })
    })
  )

  it.effect("is refused for a manually disabled endpoint, and the key stays free A-WHT-12", () =>
    Effect.gen(function* () {
      const { test, patch } = yield* probed("manual")
      yield* patch("disabled")
      const refused = yield* test("later")
      assert.strictEqual(refused.status, 409)
      assert.strictEqual(refused.body.error.code, "webhook_endpoint_disabled")
      yield* patch("active")
      assert.strictEqual((yield* test("later")).status, 202)
    })
  )

  it.effect("is never sent again A-WHT-16..18", () =>
    Effect.gen(function* () {
      const { api, key, test } = yield* probed("resend")
      const { webhook_event_id } = (yield* test()).body
      yield* quiesce
      const one = yield* api.post(`${events}/${webhook_event_id}/resend`, undefined, { key })
      assert.strictEqual(one.status, 409)
      assert.strictEqual(one.body.error.code, "webhook_test_not_resendable")
      for (const body of [{ webhook_event_ids: [webhook_event_id] }, { status: "delivered" }]) {
        const many = yield* api.post(`${events}/bulk-resend`, body, { key })
        assert.deepInclude(many.body, { requested: 1, enqueued: 0, skipped: 1, attempts: [] })
      }
      const named = yield* api.post(`${events}/bulk-resend`, { event_type: "webhook.test" }, { key })
      assert.strictEqual(named.body.error.code, "invalid_bulk_webhook_resend")
    })
  )
})
