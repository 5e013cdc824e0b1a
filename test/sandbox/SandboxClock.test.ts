import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Outbound } from "@carteiro/outbound/Outbound.ts"
import { erasureJob } from "@carteiro/runtime/contacts/erasure/ErasureJob.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedKey, seedProject } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { noNames } from "../support/Vendors.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const receivers = new Set<string>()
const outgoing = Outbound.layer({ allowlist: receivers }).pipe(Layer.provide(noNames))
const hour = 3_600_000
let projects = 0

/** A receiver that answers 503, and the headers of what it was sent. */
const brokenReceiver = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly seen: Array<Record<string, unknown>>; readonly close: () => void }>(
    (resume) => {
      const seen: Array<Record<string, unknown>> = []
      const server = createServer((request, response) => {
        seen.push({ ...request.headers })
        request.resume().on("end", () => response.writeHead(503).end())
      })
      server.listen(0, "127.0.0.1", () => {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        receivers.add(url)
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ url, seen, close }))
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

/** A sandbox of its own with a number, and what its key asks of its clock. */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const project = yield* seedProject(api.acme.organization_id, `clock-${++projects}`)
  const { sandbox } = project
  const { key } = sandbox
  const number = yield* seedNumber(sandbox)
  const clock = (path: string, body?: object, more: object = {}) =>
    api.post(`/v1/sandbox/clock/${path}`, body, { key, ...more })
  const read = Effect.map(api.get("/v1/sandbox/clock", { key }), ({ body }) => body)
  const advance = Effect.fnUntraced(function* (body: object) {
    const asked = yield* clock("advance", body)
    assert.strictEqual(asked.status, 202, asked.text)
    const path = `/v1/sandbox/clock/advances/${asked.body.id}`
    yield* until(Effect.map(api.get(path, { key }), ({ body }) => body.status !== "running"))
    return (yield* api.get(path, { key })).body
  })
  const say = (text: string) =>
    api.post(
      "/v1/sandbox/inbound-messages",
      { channel: "chatapp", from: "+5511912345678", to: number.id, type: "text", text: { body: text } },
      { key }
    )
  const send = (body: object = {}) =>
    api.post(
      "/v1/messages",
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: number.id },
        recipient: { type: "phone_e164", id: "+5511912345678" },
        message: { type: "text", text: { body: "Olá" } },
        ...body
      },
      { key }
    )
  return { api, project, key, number, clock, read, advance, say, send }
})

it.layer(WholeProduct({ clock: "live", outgoing }), { excludeTestServices: true })("The clock of a sandbox", (it) => {
  it.effect("28 hours of a broken receiver pass in seconds, on the production schedule", () =>
    Effect.gen(function* () {
      const { advance, api, clock, key, say } = yield* stage
      const receiver = yield* brokenReceiver
      const endpoint = { url: `${receiver.url}/in`, subscribed_events: ["message.received"] }
      const { id } = (yield* api.post("/v1/webhook-endpoints", endpoint, { key })).body
      const frozen = yield* clock("freeze")
      assert.deepStrictEqual([frozen.status, frozen.body.frozen], [200, true], frozen.text)
      assert.strictEqual((yield* say("oi")).status, 202)
      const ended = yield* advance({ by_seconds: 31 * 3600 })
      assert.deepStrictEqual([ended.status, ended.error], ["settled", null], JSON.stringify(ended))
      assert.isAtLeast(ended.steps, 7)
      const events = yield* api.get(`/v1/webhook-events?webhook_endpoint_id=${id}`, { key })
      const [event] = events.body.data
      assert.strictEqual(receiver.seen.length, 8)
      assert.strictEqual(event.status, "failed", events.text)
      const all = yield* api.get(`/v1/webhook-events/${event.id}`, { key })
      const instants = all.body.attempts.map(({ attempted_at }: { attempted_at: string }) => Date.parse(attempted_at))
      const took = Math.abs(instants.at(-1) - instants[0]) / hour
      assert.isAbove(took, 24)
      assert.isBelow(took, 31)
      for (const headers of receiver.seen.slice(1)) assert.match(String(headers["svc-clock"]), /^\d+$/)
      // Receivers hold the signature's instant against their own clock.
      for (const headers of receiver.seen) {
        assert.isBelow(Math.abs(Number(headers["svc-webhook-timestamp"]) * 1000 - Date.now()), hour)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("a send is refused the day after its service window closed, and simulated statuses follow the clock", () =>
    Effect.gen(function* () {
      const { advance, api, key, say, send } = yield* stage
      yield* say("oi")
      const open = yield* send()
      assert.strictEqual(open.status, 202, open.text)
      const day = yield* advance({ by_seconds: 24 * 3600 + 60 })
      assert.strictEqual(day.status, "settled", JSON.stringify(day))
      const message = yield* api.get(`/v1/messages/${open.body.id}`, { key })
      assert.strictEqual(message.body.status, "read", message.text)
      const closed = yield* send()
      assert.strictEqual(closed.body.error?.code, "service_window_required", closed.text)
      assert.strictEqual(closed.headers["svc-clock"] !== undefined, true)
    }).pipe(Effect.scoped)
  )

  it.effect("scheduled, reviewed and expiring things are processed on the way, in the order of their instants", () =>
    Effect.gen(function* () {
      const { advance, api, clock, key, number } = yield* stage
      yield* clock("freeze")
      const now = Date.parse((yield* api.get("/v1/sandbox/clock", { key })).body.now)
      const template = {
        name: "later",
        language: "pt_BR",
        category: "utility",
        components: [{ type: "BODY", text: "Seu pedido saiu." }]
      }
      const made = yield* api.post("/v1/templates", template, { key })
      assert.strictEqual(made.status, 201, made.text)
      yield* api.post(`/v1/templates/${made.body.id}/submit`, undefined, { key })
      const first = yield* advance({ by_seconds: 60 })
      assert.strictEqual(first.status, "settled", JSON.stringify(first))
      const reviewed = yield* api.get(`/v1/templates/${made.body.id}`, { key })
      assert.strictEqual(reviewed.body.status, "approved", reviewed.text)
      const batch = {
        sender: { type: "chatapp_phone_number", id: number.id },
        template: { name: "later", language: "pt_BR" },
        recipients: [{ to: "+5511912345678" }, { to: "+5511912345679" }],
        scheduled_at: new Date(now + 20 * 24 * hour).toISOString()
      }
      const scheduled = yield* api.post("/v1/batches", batch, { key, idempotencyKey: "later" })
      assert.strictEqual(scheduled.body.status, "scheduled", scheduled.text)
      const early = yield* advance({ by_seconds: 19 * 24 * 3600 })
      assert.strictEqual((yield* api.get(`/v1/batches/${scheduled.body.id}`, { key })).body.status, "scheduled")
      assert.isNotNull(early.next_due_at)
      const late = yield* advance({ by_seconds: 2 * 24 * 3600 })
      assert.strictEqual(late.status, "settled", JSON.stringify(late))
      const sent = yield* api.get(`/v1/batches/${scheduled.body.id}`, { key })
      assert.deepStrictEqual([sent.body.status, sent.body.sent_count], ["completed", 2], sent.text)
      // The environment's time, to the instant.
      assert.strictEqual(sent.body.started_at ?? sent.body.scheduled_at, batch.scheduled_at, sent.text)
    }).pipe(Effect.scoped)
  )

  it.effect("the clock freezes, advances one call at a time and continues from where it stood", () =>
    Effect.gen(function* () {
      const { advance, api, clock, key, project, read } = yield* stage
      const real = yield* read
      assert.deepStrictEqual([real.lead_seconds, real.frozen, real.advance_id], [0, false, null])
      const frozen = yield* clock("freeze")
      assert.deepStrictEqual((yield* read).now, frozen.body.now)
      assert.deepStrictEqual((yield* clock("freeze")).body.now, frozen.body.now)
      const ended = yield* advance({ to: new Date(Date.parse(frozen.body.now) + 2 * hour).toISOString() })
      assert.deepStrictEqual([ended.status, ended.to, ended.reached], ["settled", ended.settled_at, ended.to])
      assert.deepStrictEqual([(yield* read).now, (yield* read).frozen], [ended.to, true])
      const resumed = yield* clock("resume")
      assert.deepStrictEqual([resumed.body.now, resumed.body.frozen], [ended.to, false])
      assert.isAtLeast((yield* read).lead_seconds, 7_190)

      for (const [body, param] of [
        [{}, undefined],
        [{ by_seconds: 1, to: "2030-01-01T00:00:00Z" }, undefined],
        [{ by_seconds: 0 }, "by_seconds"],
        [{ by_seconds: 401 * 86_400 }, "by_seconds"],
        [{ to: real.now }, "to"],
        [{ to: "2999-01-01T00:00:00Z" }, "to"],
        [{ by_seconds: 1, more: 1 }, "more"]
      ] as const) {
        const refused = yield* clock("advance", body)
        const { code, param: named } = refused.body.error
        assert.deepStrictEqual([refused.status, code, named], [400, "invalid_sandbox_request", param], refused.text)
      }
      const unknown = yield* api.get("/v1/sandbox/clock/advances/sca_unknown", { key })
      assert.deepStrictEqual([unknown.status, unknown.body.error.code], [404, "sandbox_clock_advance_not_found"])

      const once = yield* clock("advance", { by_seconds: 30 }, { idempotencyKey: "once" })
      const again = yield* clock("advance", { by_seconds: 30 }, { idempotencyKey: "once" })
      assert.strictEqual(again.text, once.text)

      // A first turn begins half a second later.
      const fresh = yield* stage
      assert.strictEqual((yield* fresh.clock("advance", { by_seconds: 5 })).status, 202)
      const bare = yield* seedKey(project.sandbox, { scopes: [] })
      for (const path of ["advance", "freeze", "resume"]) {
        const body = path === "advance" ? { by_seconds: 5 } : undefined
        const busy = yield* fresh.clock(path, body)
        assert.deepStrictEqual([busy.status, busy.body.error.code], [409, "sandbox_clock_advancing"], busy.text)
      }

      const production = yield* seedKey(project.production, { scopes: [] })
      const refused = yield* api.post("/v1/sandbox/clock/freeze", undefined, { key: bare.key })
      assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "insufficient_scope"])
      const scopeFirst = yield* api.post("/v1/sandbox/clock/freeze", undefined, { key: production.key })
      assert.strictEqual(scopeFirst.status, 403, scopeFirst.text)
      const live = project.production.key
      for (const answer of [
        yield* api.get("/v1/sandbox/clock", { key: live }),
        yield* api.post("/v1/sandbox/clock/advance", { by_seconds: 60 }, { key: live }),
        yield* api.post("/v1/sandbox/clock/freeze", undefined, { key: live }),
        yield* api.post("/v1/sandbox/clock/resume", undefined, { key: live }),
        yield* api.get("/v1/sandbox/clock/advances/sca_unknown", { key: live })
      ]) {
        assert.deepStrictEqual([answer.status, answer.body.error.code], [400, "sandbox_only_route"], answer.text)
        assert.isUndefined(answer.headers["svc-clock"])
      }
      const elsewhere = yield* api.get("/v1/projects?limit=1", { key: live })
      assert.isUndefined(elsewhere.headers["svc-clock"])
    }).pipe(Effect.scoped)
  )

  it.effect("keys of people stay on real time in a sandbox that is a year ahead", () =>
    Effect.gen(function* () {
      const { advance, api, key } = yield* stage
      yield* advance({ by_seconds: 365 * 86_400 })
      const expires_at = new Date(Date.now() + hour).toISOString()
      const asked = { name: "person", environment: "sandbox", scopes: ["messages:read"], expires_at }
      const made = yield* api.post("/v1/api-keys", asked, { key })
      assert.strictEqual(made.status, 201, made.text)
      assert.isBelow(Math.abs(Date.parse(made.body.created_at) - Date.now()), hour)
      const read = yield* api.get("/v1/messages?limit=1", { key: made.body.secret })
      assert.strictEqual(read.status, 200, read.text)
      assert.isAbove(Number(read.headers["svc-clock"]), 364 * 86_400)
    }).pipe(Effect.scoped)
  )

  it.effect("the limit of endpoint tests stays on real time in a sandbox that is ahead", () =>
    Effect.gen(function* () {
      const { advance, api, key } = yield* stage
      const receiver = yield* brokenReceiver
      const endpoint = { url: `${receiver.url}/in`, subscribed_events: ["message.received"] }
      const { id } = (yield* api.post("/v1/webhook-endpoints", endpoint, { key })).body
      const test = Effect.map(api.post(`/v1/webhook-endpoints/${id}/test`, undefined, { key }), ({ status }) => status)
      assert.deepStrictEqual(yield* Effect.all([test, test, test, test, test, test]), [202, 202, 202, 202, 202, 429])
      yield* advance({ by_seconds: 3600 })
      assert.strictEqual(yield* test, 429)
    }).pipe(Effect.scoped)
  )

  it.effect("texts, payloads and log rows are kept by the sandbox's time, and removed before the advance settles", () =>
    Effect.gen(function* () {
      const { advance, api, key, say } = yield* stage
      const receiver = yield* brokenReceiver
      const endpoint = { url: `${receiver.url}/in`, subscribed_events: ["message.received"] }
      yield* api.post("/v1/webhook-endpoints", endpoint, { key })
      yield* api.patch("/v1/data-retention", { payload_retention_days: 30 }, { key })
      yield* say("oi")
      const [message] = (yield* api.get("/v1/messages", { key })).body.data
      const kept = Effect.gen(function* () {
        const read = yield* api.get(`/v1/messages/${message.id}`, { key })
        const log = yield* api.get("/v1/webhook-events", { key })
        const events = yield* api.get("/v1/webhook-events/listen?start_at=oldest&wait_ms=0", { key })
        return {
          text: read.body.payload !== null,
          payloads: log.body.data.map((event: { readonly payload: unknown }) => event.payload !== null),
          events: events.body.data?.length
        }
      })
      const begun = yield* kept
      assert.deepStrictEqual([begun.text, begun.payloads], [true, [true]])
      yield* advance({ by_seconds: 8 * 86_400 })
      assert.deepStrictEqual(yield* kept, { ...begun, events: 0 })
      yield* advance({ by_seconds: 23 * 86_400 })
      assert.deepStrictEqual(yield* kept, { text: false, payloads: [false], events: 0 })
      yield* advance({ by_seconds: 60 * 86_400 })
      assert.deepStrictEqual(yield* kept, { text: false, payloads: [], events: 0 })
    }).pipe(Effect.scoped)
  )

  it.effect("erasures begin at once in a sandbox that is a year ahead", () =>
    Effect.gen(function* () {
      const { advance, api, key, say } = yield* stage
      yield* advance({ by_seconds: 365 * 86_400 })
      yield* say("oi")
      const [contact] = (yield* api.get("/v1/contacts", { key })).body.data
      const erased = yield* api.delete(`/v1/contacts/${contact.id}`, { key })
      assert.strictEqual(erased.status, 200, erased.text)
      yield* erasureJob.run
      const [{ id }] = (yield* api.get("/v1/messages", { key })).body.data
      const message = yield* api.get(`/v1/messages/${id}`, { key })
      assert.deepStrictEqual([message.status, message.body.payload], [200, null], message.text)
      assert.isAtLeast(Date.parse(message.body.redacted_at), Date.parse(message.body.created_at))
    }).pipe(Effect.scoped)
  )

  it.effect("no row moves the time of a production environment", () =>
    Effect.gen(function* () {
      const { project } = yield* stage
      const sql = yield* SqlClient.SqlClient
      const insert = (kind: string) =>
        Effect.result(sql`insert into sandbox_clocks (environment_id, kind, lead_ms, due_at)
          values (${project.production.id}, ${kind}, 1000, now())`)
      for (const kind of ["sandbox", "production"]) assert.isTrue(Result.isFailure(yield* insert(kind)), kind)
    }).pipe(Effect.scoped)
  )
})
