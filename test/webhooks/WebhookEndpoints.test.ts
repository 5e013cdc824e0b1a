import { WebhookEndpointEntity } from "@carteiro/runtime/webhooks/owner/WebhookEndpointEntity.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedKey, seedTenant } from "../support/Tenants.ts"
import { raise, receiver, WebhooksTest } from "./Deliveries.ts"

const path = "/v1/webhook-endpoints"
const body = (url: string, more: object = {}) => ({ url, subscribed_events: ["message.received"], ...more })
const hook = "https://203.0.114.7/hook"

it.layer(WebhooksTest, { excludeTestServices: true })("webhook endpoints", (it) => {
  it.effect("are created with a secret that only that response shows A-WHE-01..03 A-WHE-05 A-WHE-08..14 A-WHE-16", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { key } = api.acme.sandbox
      const made = yield* api.post(path, body(hook, { description: "billing" }), { key })
      assert.strictEqual(made.status, 201)
      assert.match(made.body.signing_secret, /^whsec_[A-Za-z0-9_-]{43}$/)
      const { signing_secret: _, standard_webhooks_secret: __, trace_id: ___, ...endpoint } = made.body
      assert.deepStrictEqual(endpoint, {
        id: endpoint.id,
        object: "webhook_endpoint",
        url: hook,
        description: "billing",
        subscribed_events: ["message.received"],
        status: "active",
        probation: false,
        disabled_reason: null,
        disabled_detail: null,
        last_failure_at: null,
        last_success_at: null,
        environment: "sandbox",
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z"
      })
      const read = yield* api.get(`${path}/${endpoint.id}`, { key })
      const { trace_id, ...shown } = read.body
      assert.deepStrictEqual(shown, endpoint)
      assert.match(trace_id, /^[0-9a-f]{32}$/)
    })
  )

  it.effect("name the event that a mistyped one probably means, at create and at PATCH A-ERR-38", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { key } = api.acme.sandbox
      const made = yield* api.post(path, body(hook), { key })
      for (const [written, meant] of [
        ["messages.delivered", "message.delivered"],
        ["message.deliverd", "message.delivered"],
        ["messageDelivered", "message.delivered"],
        ["delivered", "message.delivered"],
        ["PAYMENT_PAID", "payment.paid"],
        ["template.category.updated", "template.category_updated"]
      ] as const) {
        const subscribed_events = ["message.sent", written]
        for (const answer of [
          yield* api.post(path, { url: hook, subscribed_events }, { key }),
          yield* api.patch(`${path}/${made.body.id}`, { subscribed_events }, { key })
        ]) {
          const { code, message, param } = answer.body.error
          const refusal = [answer.status, code, param]
          assert.deepStrictEqual(refusal, [400, "invalid_webhook_endpoint_request", "subscribed_events.1"])
          assert.isTrue(message.endsWith(`Did you mean \`${meant}\`?`), message)
        }
      }
    })
  )

  it.effect("refuse unsafe and malformed urls, at create and at PATCH A-WHE-18..21", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { key } = api.acme.sandbox
      const made = yield* api.post(path, body(hook), { key })
      const cases = [
        ["http://example.com/hook", "unsafe_webhook_url"],
        ["https://localhost/hook", "unsafe_webhook_url"],
        ["https://10.0.0.1/hook", "unsafe_webhook_url"],
        ["https://user:pass@example.com/hook", "unsafe_webhook_url"],
        ["https://example.com/hook#x", "invalid_webhook_endpoint_request"],
        ["not a url", "invalid_webhook_endpoint_request"]
      ] as const
      for (const [url, code] of cases) {
        for (const answer of [
          yield* api.post(path, body(url), { key }),
          yield* api.patch(`${path}/${made.body.id}`, { url }, { key })
        ]) {
          assert.strictEqual(answer.status, 400)
          assert.deepInclude(answer.body.error, { code, param: "url", type: "validation_error" })
          assert.strictEqual(answer.body.error.message.includes("carteiro listen"), url.includes("localhost"))
        }
      }
    })
  )

  it.effect(
    "refuse an unsafe url as part of the body: in the order of fields, before idempotency and the endpoint A-WHE-18",
    () =>
      Effect.gen(function* () {
        const api = yield* Api
        const { key } = api.acme.sandbox
        const url = "http://example.com/hook"
        const unsafe = { code: "unsafe_webhook_url", param: "url" }
        const both = { url, description: " ", subscribed_events: ["nothing"], surplus: 1 }
        assert.deepInclude((yield* api.post(path, both, { key })).body.error, unsafe)
        assert.deepInclude(
          (yield* api.patch(`${path}/nonsense`, { status: "paused", url }, { key })).body.error,
          unsafe
        )
        const idempotencyKey = "unsafe-after"
        assert.strictEqual((yield* api.post(path, body(hook), { key, idempotencyKey })).status, 201)
        assert.deepInclude((yield* api.post(path, body(url), { key, idempotencyKey })).body.error, unsafe)
        const other = yield* api.post(path, body(`${hook}/other`), { key, idempotencyKey })
        assert.strictEqual(other.body.error.code, "idempotency_key_conflict")
      })
  )

  it.effect("belong to the environment of the creating key; other keys find nothing A-WHE-22 A-WHE-33", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { id } = (yield* api.post(path, body(hook), { key: api.acme.sandbox.key })).body
      for (const { key } of [
        api.acme.production,
        api.acme.project.production,
        api.acme.sibling.sandbox,
        api.other.sandbox
      ]) {
        for (const answer of [
          yield* api.get(`${path}/${id}`, { key }),
          yield* api.patch(`${path}/${id}`, { status: "disabled" }, { key }),
          yield* api.delete(`${path}/${id}`, { key }),
          yield* api.post(`${path}/${id}/rotate-secret`, undefined, { key }),
          yield* api.post(`${path}/${id}/test`, undefined, { key })
        ]) {
          assert.strictEqual(answer.status, 404)
          assert.strictEqual(answer.body.error.code, "webhook_endpoint_not_found")
        }
      }
      assert.strictEqual((yield* api.get(`${path}/${id}`, { key: api.acme.sandbox.key })).body.status, "active")
    })
  )

  it.effect("are listed newest first, page by page A-WHE-15", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { sandbox } = yield* seedTenant("listing")
      const { key } = sandbox
      const ids: Array<string> = []
      for (let n = 0; n < 5; n++) {
        ids.unshift((yield* api.post(path, body(`${hook}/${n}`), { key })).body.id)
        yield* turnBy(1)
      }
      const first = (yield* api.get(`${path}?limit=2`, { key })).body
      assert.deepStrictEqual([first.object, first.has_more, first.data.length], ["list", true, 2])
      const second = (yield* api.get(`${path}?limit=2&starting_after=${first.next_cursor}`, { key })).body
      const third = (yield* api.get(`${path}?limit=2&starting_after=${second.next_cursor}`, { key })).body
      const seen = [...first.data, ...second.data, ...third.data]
      assert.deepStrictEqual(
        seen.map(({ id }: { id: string }) => id),
        ids
      )
      assert.deepStrictEqual([third.has_more, third.next_cursor], [false, null])
      assert.isTrue(seen.every((item: object) => !("signing_secret" in item)))
      const stolen = yield* api.get(`${path}?starting_after=${first.next_cursor}`, { key: api.other.sandbox.key })
      assert.strictEqual(stolen.body.error.code, "invalid_cursor")
      for (const query of ["limit=0", "limit=101", "unknown=1"]) {
        const refused = yield* api.get(`${path}?${query}`, { key })
        assert.strictEqual(refused.body.error.code, "invalid_webhook_endpoint_request", query)
      }
    })
  )

  it.effect(
    "store a description trimmed and normalised, at create and at PATCH A-WHE-01 (gaps-1 A, string rules)",
    () =>
      Effect.gen(function* () {
        const api = yield* Api
        const { key } = api.acme.sandbox
        const made = yield* api.post(path, body(hook, { description: ` ${"e\u0301".repeat(255)}\n` }), { key })
        assert.strictEqual(made.body.description, "\u00e9".repeat(255))
        const at = `${path}/${made.body.id}`
        assert.strictEqual((yield* api.patch(at, { description: "  next " }, { key })).body.description, "next")
        assert.strictEqual((yield* api.get(at, { key })).body.description, "next")
        assert.strictEqual((yield* api.patch(at, { description: " " }, { key })).status, 400)
      })
  )

  it.effect(
    "remove duplicate subscriptions in order, and change them alone (gaps-1 J, subscribed_events values) A-WHE-36",
    () =>
      Effect.gen(function* () {
        const api = yield* Api
        const { key } = api.acme.sandbox
        const subscribed_events = ["message.sent", "message.read", "message.sent"]
        const made = yield* api.post(path, { url: hook, subscribed_events }, { key })
        assert.deepStrictEqual(made.body.subscribed_events, ["message.sent", "message.read"])
        const at = `${path}/${made.body.id}`
        const turned = { subscribed_events: ["message.read", "message.sent", "message.read"] }
        assert.strictEqual((yield* api.patch(at, turned, { key })).status, 200)
        assert.deepStrictEqual((yield* api.get(at, { key })).body.subscribed_events, ["message.read", "message.sent"])
      })
  )

  it.effect("have owners that serve only the environment of the endpoint, whatever the caller A-WHE-22 A-WHE-33", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const owners = yield* WebhookEndpointEntity.client
      const { key } = api.acme.sandbox
      const answer = yield* api.post(path, body(hook), { key })
      const { signing_secret: _, standard_webhooks_secret: __, trace_id: ___, ...made } = answer.body
      const from = { environment_id: api.other.sandbox.id, trace_id: "0", claim: undefined }
      const probe = { webhook_event_id: "whe_1", event_id: "evt_1", attempt_id: "att_1" }
      for (const call of [
        owners.Update(made.id, { ...from, status: "disabled" }),
        owners.Delete(made.id, from),
        owners.RotateSecret(made.id, from),
        owners.AdmitTest(made.id, from),
        owners.Test(made.id, { ...from, ...probe })
      ]) {
        assert.strictEqual(
          (yield* Effect.flip<unknown, { readonly _tag: string }, never>(call))._tag,
          "webhook_endpoint_not_found"
        )
      }
      assert.deepInclude((yield* api.get(`${path}/${made.id}`, { key })).body, made)
    })
  )

  it.effect("are changed by PATCH only in the named members A-WHE-17 A-WHE-36", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { key } = api.acme.sandbox
      const made = (yield* api.post(path, body(hook, { description: "one" }), { key })).body
      yield* turnBy(1000)
      const at = `${path}/${made.id}`
      const types = ["payment.paid", "message.sent", "payment.paid"]
      const patched = yield* api.patch(at, { description: null, subscribed_events: types }, { key })
      assert.strictEqual(patched.status, 200)
      assert.deepInclude(patched.body, {
        description: null,
        subscribed_events: ["payment.paid", "message.sent"],
        url: hook,
        created_at: made.created_at,
        updated_at: "2026-01-01T00:00:01.005Z"
      })
      yield* turnBy(1000)
      const same = yield* api.patch(at, { status: "active" }, { key })
      assert.deepStrictEqual({ ...same.body, trace_id: "" }, { ...patched.body, trace_id: "" })
      assert.deepStrictEqual({ ...(yield* api.get(at, { key })).body, trace_id: "" }, { ...patched.body, trace_id: "" })
      assert.strictEqual((yield* api.patch(at, {}, { key })).body.error.code, "invalid_webhook_endpoint_request")
    })
  )

  it.effect("PATCH status disables and enables by hand A-WHE-02 A-WHE-25 A-WHE-05", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { key } = api.acme.sandbox
      const { id } = (yield* api.post(path, body(hook), { key })).body
      const off = (yield* api.patch(`${path}/${id}`, { status: "disabled" }, { key })).body
      assert.deepInclude(off, {
        status: "disabled",
        disabled_reason: "manual",
        disabled_detail: null,
        probation: false
      })
      const on = (yield* api.patch(`${path}/${id}`, { status: "active" }, { key })).body
      assert.deepInclude(on, { status: "active", disabled_reason: null, probation: false })
    })
  )

  it.effect("are deleted once, and then not found A-WHE-34 A-WHE-33", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { key } = api.acme.sandbox
      const { id } = (yield* api.post(path, body(hook), { key })).body
      const gone = yield* api.delete(`${path}/${id}`, { key })
      assert.strictEqual(gone.status, 200)
      assert.deepInclude(gone.body, { id, object: "webhook_endpoint", deleted: true })
      assert.strictEqual((yield* api.delete(`${path}/${id}`, { key })).status, 404)
      assert.strictEqual((yield* api.get(`${path}/${id}`, { key })).status, 404)
    })
  )

  it.effect("rotation shows a new secret once, in any status A-WHE-35", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { key } = api.acme.sandbox
      const made = (yield* api.post(path, body(hook), { key })).body
      yield* api.patch(`${path}/${made.id}`, { status: "disabled" }, { key })
      const rotated = yield* api.post(`${path}/${made.id}/rotate-secret`, undefined, { key })
      assert.strictEqual(rotated.status, 200)
      assert.match(rotated.body.signing_secret, /^whsec_[A-Za-z0-9_-]{43}$/)
      assert.notStrictEqual(rotated.body.signing_secret, made.signing_secret)
      assert.deepInclude(rotated.body, { status: "disabled", disabled_reason: "manual" })
    })
  )

  it.effect(
    "an environment holds 20 endpoints, also against parallel creates; a delete gives a place back (gaps-1 J)",
    () =>
      Effect.gen(function* () {
        const api = yield* Api
        const { sandbox } = yield* seedTenant("limit")
        const { key } = sandbox
        const answers = yield* Effect.forEach(
          Array.from({ length: 25 }, (_, n) => n),
          (n) => api.post(path, body(`${hook}/${n}`), { key, idempotencyKey: `limit-${n}` }),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(answers.filter(({ status }) => status === 201).length, 20)
        const refused = answers.filter(({ status }) => status === 409)
        assert.strictEqual(refused.length, 5)
        assert.strictEqual(refused[0]?.body.error.code, "webhook_endpoint_limit_reached")
        yield* api.delete(`${path}/${answers.find(({ status }) => status === 201)?.body.id}`, { key })
        const index = answers.findIndex(({ status }) => status === 409)
        const again = yield* api.post(path, body(`${hook}/${index}`), { key, idempotencyKey: `limit-${index}` })
        assert.strictEqual(again.status, 201)
      })
  )

  it.effect("replay the secret of create and rotation to the same key only (gaps-1 B, scope of a key)", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { sandbox } = api.acme
      const other = yield* seedKey(sandbox)
      const options = { key: sandbox.key, idempotencyKey: "secret-once" }
      const first = yield* api.post(path, body(hook), options)
      const replay = yield* api.post(path, body(hook), options)
      assert.strictEqual(replay.text, first.text)
      assert.strictEqual(replay.headers["svc-idempotent-replayed"], "true")
      const sibling = yield* api.post(path, body(hook), { key: other.key, idempotencyKey: "secret-once" })
      assert.notStrictEqual(sibling.body.id, first.body.id)
      const rotate = `${path}/${first.body.id}/rotate-secret`
      const rotated = yield* api.post(rotate, undefined, { ...options, idempotencyKey: "rotate-once" })
      const again = yield* api.post(rotate, undefined, { ...options, idempotencyKey: "rotate-once" })
      assert.strictEqual(again.text, rotated.text)
    })
  )

  it.effect("show their health on reads as deliveries end A-WHE-10", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { sandbox } = yield* seedTenant("health")
      const { key } = sandbox
      const { url } = yield* receiver((n) => (n === 0 ? 500 : 200))
      const { id } = (yield* api.post(path, body(url), { key })).body
      yield* raise(sandbox)
      yield* quiesce
      const failed = (yield* api.get(`${path}/${id}`, { key })).body
      assert.isNotNull(failed.last_failure_at)
      assert.isNull(failed.last_success_at)
      yield* turnBy(6000)
      assert.isNotNull((yield* api.get(`${path}/${id}`, { key })).body.last_success_at)
    })
  )

  it.effect("need webhooks:read for reads, and webhooks:write for the rest (gaps-1 C)", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const reader = (yield* seedKey(api.acme.sandbox, { scopes: ["webhooks:read"] })).key
      const writer = (yield* seedKey(api.acme.sandbox, { scopes: ["webhooks:write"] })).key
      assert.strictEqual((yield* api.post(path, body(hook), { key: reader })).status, 403)
      assert.strictEqual((yield* api.get(path, { key: writer })).status, 403)
      assert.strictEqual((yield* api.get(path, { key: reader })).status, 200)
    })
  )
})
