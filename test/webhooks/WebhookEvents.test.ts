import { assert, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { type Answer, raise, receiver, register, turnThrough, WebhooksTest } from "./Deliveries.ts"

const path = "/v1/webhook-events"
const ids = (page: { readonly data: ReadonlyArray<{ readonly id: string }> }) => page.data.map(({ id }) => id)

/** A new sandbox with an endpoint for two types. */
const logged = Effect.fnUntraced(function* (name: string, how: (n: number) => Answer = () => 200) {
  const api = yield* Api
  const { sandbox } = yield* seedTenant(name)
  const { url, received } = yield* receiver(how)
  const endpoint = yield* register(sandbox, url, ["message.received", "message.sent"])
  const { key } = sandbox
  const list = (query = "") => Effect.map(api.get(`${path}${query}`, { key }), ({ body }) => body)
  return { api, sandbox, key, endpoint, received, list }
})

it.layer(WebhooksTest, { excludeTestServices: true })("the delivery log", (it) => {
  it.effect("shows an event with its payload and its attempts, oldest first A-WHV-01..10 A-WHV-16", () =>
    Effect.gen(function* () {
      const { api, sandbox, key, endpoint, received, list } = yield* logged("shape", (n) => (n === 0 ? 503 : 200))
      yield* raise(sandbox)
      yield* turnBy(6000)
      const [event] = (yield* list()).data
      assert.deepStrictEqual(event.payload, JSON.parse(received[0]?.rawBody.toString() ?? ""))
      assert.deepInclude(event, {
        object: "webhook_event",
        endpoint_id: endpoint.id,
        type: "message.received",
        source_type: "message",
        source_id: "msg_0",
        status: "delivered",
        trace_id: "1".repeat(32),
        created_at: "2026-01-01T00:00:00.000Z"
      })
      assert.match(event.id, /^whe_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      const [first, second] = event.attempts
      assert.deepInclude(first, {
        attempt: 1,
        status: "failed",
        status_code: 503,
        failure_class: "server_error",
        response_body_redacted: "body"
      })
      assert.isString(first.error_message)
      assert.isString(first.next_retry_at)
      assert.deepInclude(second, { attempt: 2, status: "succeeded", status_code: 200, next_retry_at: null })
      assert.match(second.id, /^att_/)
      // When each was sent and how long it took, beside when it was due. A-WHV-10
      assert.deepInclude(first, { attempted_at: "2026-01-01T00:00:00.000Z", duration_ms: 0 })
      assert.deepInclude(second, { attempted_at: first.next_retry_at, duration_ms: 0 })
      assert.notDeepEqual(first.id, second.id)
      const one = yield* api.get(`${path}/${event.id}`, { key })
      assert.deepStrictEqual(one.body, event)
    })
  )

  it.effect("lists newest first, page by page, only rows of its environment A-WHV-11", () =>
    Effect.gen(function* () {
      const { api, sandbox, list } = yield* logged("pages")
      for (let n = 0; n < 5; n++) {
        yield* raise(sandbox)
        yield* turnBy(10)
      }
      const all = ids(yield* list("?limit=100"))
      assert.lengthOf(all, 5)
      assert.deepStrictEqual(all, all.toSorted().toReversed())
      const first = yield* list("?limit=3")
      const second = yield* list(`?limit=3&starting_after=${first.next_cursor}`)
      assert.deepStrictEqual([...ids(first), ...ids(second)], all)
      assert.deepStrictEqual([first.has_more, second.has_more, second.next_cursor], [true, false, null])
      assert.lengthOf((yield* api.get(path, { key: api.other.sandbox.key })).body.data, 0)
      const foreign = yield* api.get(`${path}/${all[0]}`, { key: api.other.sandbox.key })
      assert.strictEqual(foreign.body.error.code, "webhook_event_not_found")
      assert.strictEqual((yield* api.get(`${path}/whe_nonsense`, { key: api.other.sandbox.key })).status, 404)
    })
  )

  it.effect("filters by types, endpoint and status, also combined A-WHV-12..15", () =>
    Effect.gen(function* () {
      const statuses = [200, 500, 500, 500, 200]
      const { api, sandbox, key, endpoint, list } = yield* logged("filters", (n) => statuses[n] ?? 200)
      yield* raise(sandbox, 1, "message.received")
      yield* quiesce
      yield* raise(sandbox, 1, "message.sent")
      yield* turnThrough(60_000)
      const { url } = yield* receiver(() => 500)
      const second = yield* register(sandbox, url, ["message.received"])
      yield* raise(sandbox, 1, "message.received")
      yield* quiesce
      const count = (query: string) => Effect.map(list(query), ({ data }) => data.length)
      assert.strictEqual(yield* count(""), 4)
      assert.strictEqual(yield* count("?event_type=message.sent"), 1)
      assert.strictEqual(yield* count("?event_types=message.sent&event_types=message.received"), 4)
      assert.strictEqual(yield* count("?event_type=message.sent&event_types[]=message.received"), 4)
      assert.strictEqual(yield* count("?event_type=never.heard.of"), 0)
      assert.strictEqual(yield* count(`?webhook_endpoint_id=${endpoint.id}`), 3)
      assert.strictEqual(yield* count(`?webhook_endpoint_id=${second.id}&event_type=message.received`), 1)
      assert.strictEqual(yield* count("?webhook_endpoint_id=we_unknown"), 0)
      assert.strictEqual(yield* count("?status=delivered"), 2)
      assert.strictEqual(yield* count("?status=failed"), 1)
      assert.strictEqual(yield* count("?status=pending"), 1)
      assert.strictEqual(yield* count(`?status=failed&webhook_endpoint_id=${second.id}`), 0)
      for (const status of ["delivered", "failed", "pending"]) {
        for (const event of (yield* list(`?status=${status}`)).data) assert.strictEqual(event.status, status)
      }
      const page = yield* list("?status=delivered&limit=1")
      const rest = yield* list(`?status=delivered&limit=1&starting_after=${page.next_cursor}`)
      assert.notDeepEqual(ids(page), ids(rest))
      for (const query of ["?status=lost", "?limit=0", "?event_type=", "?what=ever"]) {
        const refused = yield* api.get(`${path}${query}`, { key })
        assert.strictEqual(refused.body.error.code, "invalid_webhook_events_query", query)
      }
    })
  )

  it.effect("shows a failed row as pending while it is sent again, also for the filters A-WHV-02 A-WHV-15", () =>
    Effect.gen(function* () {
      const held = yield* Deferred.make<(status: number) => void>()
      const { api, sandbox, key, list } = yield* logged("again", (n) =>
        n < 3 ? 500 : (respond) => Deferred.doneUnsafe(held, Effect.succeed(respond))
      )
      yield* raise(sandbox)
      yield* turnThrough(60_000)
      const [failed] = ids(yield* list("?status=failed"))
      yield* api.post(`${path}/${failed}/resend`, undefined, { key })
      const respond = yield* Deferred.await(held)
      assert.deepStrictEqual(ids(yield* list("?status=failed")), [])
      assert.deepStrictEqual(ids(yield* list("?status=pending")), [failed])
      respond(500)
      yield* quiesce
      assert.deepStrictEqual(ids(yield* list("?status=failed")), [failed])
    })
  )

  it.effect("keeps rows after their endpoint is deleted, with endpoint_id null A-WHV-01 A-WHE-34", () =>
    Effect.gen(function* () {
      const { api, sandbox, key, endpoint, list } = yield* logged("outlive", () => 500)
      yield* raise(sandbox)
      yield* quiesce
      yield* api.delete(`/v1/webhook-endpoints/${endpoint.id}`, { key })
      yield* quiesce
      const [event] = (yield* list()).data
      assert.deepInclude(event, { endpoint_id: null, status: "failed" })
      assert.strictEqual(event.attempts.at(-1).error_message, "endpoint_deleted")
      assert.lengthOf((yield* list(`?webhook_endpoint_id=${endpoint.id}`)).data, 0)
    })
  )
})
