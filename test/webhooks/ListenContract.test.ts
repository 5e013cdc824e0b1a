import { Ids } from "@carteiro/owners/Ids.ts"
import { verifyWebhook } from "@carteiro/receiver/verify.ts"
import { listenLayer, listenOwnersLayer } from "@carteiro/runtime/webhooks/listen/Listen.ts"
import { ListenEvent, ListenPage } from "@carteiro/schema/webhooks/Listen.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { exchange, parseAnswer, requestBytes } from "../http-edge/Wire.ts"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { emit, followers, freshProject, idsOf, insertEvent, untilFree, untilFull, untilWaiting } from "./ListenStage.ts"

const path = "/v1/webhook-events/listen"
const sessionsPath = "/v1/webhook-events/listen-sessions"

const decodePage = Schema.decodeUnknownSync(ListenPage, { onExcessProperty: "error" })
const decodeEvent = Schema.decodeUnknownSync(ListenEvent, { onExcessProperty: "error" })

/** Registers an endpoint and returns its id and secret. */
const endpointOf = Effect.fnUntraced(function* (
  environment: TestEnvironment,
  subscribed: ReadonlyArray<string>,
  status: "active" | "disabled" = "active"
) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const ids = yield* Ids
  const now = yield* Clock.currentTimeMillis
  const id = ids.mint("we", now)
  const secret = `svc_whsec_${id}`
  yield* sql`insert into webhook_endpoints (environment_id, id, environment, url, subscribed_events, signing_secret,
      status, disabled_reason, created_at, updated_at)
    values (${environment.id}, ${id}, ${environment.kind}, 'https://example.com/hook',
      array(select json_array_elements_text(${JSON.stringify(subscribed)}::json)),
      ${secrets.seal("webhook_secret", secret, `${environment.id}/${id}`)}, ${status},
      ${status === "disabled" ? "manual" : null}, ${new Date(now)}, ${new Date(now)})`
  return { id, secret }
})

it.layer(ApiTest(listenLayer, listenOwnersLayer, { followers }), { excludeTestServices: true })("Listen", (it) => {
  it.effect("answers a page in the shape of the contract, payload as delivered A-LSN-02 A-LSN-15", () =>
    Effect.gen(function* () {
      const { get } = yield* Api
      const { sandbox } = yield* freshProject
      const sql = yield* SqlClient.SqlClient
      const [id = ""] = yield* emit(sandbox.id, ["message.sent"])
      const { status, body, headers } = yield* get(path, { key: sandbox.key })
      assert.strictEqual(status, 200)
      const page = decodePage(body)
      assert.strictEqual(page.trace_id, headers["svc-trace-id"])
      const [stored] = yield* sql<{ envelope: string }>`select envelope from outbox_events where id = ${id}`
      assert.strictEqual(JSON.stringify(body.data[0].payload), stored?.envelope)
      assert.deepStrictEqual(body.data, [
        {
          id,
          object: "webhook_listen_event",
          type: "message.sent",
          created_at: "2026-01-01T00:00:00.000Z",
          trace_id: "0af7651916cd43dd8448eb211c80319c",
          payload: body.data[0].payload
        }
      ])
    })
  )

  it.effect("pages with its own cursor parameter, which is a string also on the last page A-LSN-05 A-CONV-17", () =>
    Effect.gen(function* () {
      const { get } = yield* Api
      const { sandbox, production } = yield* freshProject
      const empty = yield* get(path, { key: sandbox.key })
      assert.deepStrictEqual([empty.body.data, empty.body.has_more, empty.body.next_poll_after_ms], [[], false, 1000])
      yield* emit(sandbox.id, ["message.sent", "message.read", "message.failed"])
      const first = yield* get(`${path}?limit=2&cursor=${empty.body.next_cursor}`, { key: sandbox.key })
      assert.deepStrictEqual([first.body.data.length, first.body.has_more, first.body.next_poll_after_ms], [2, true, 0])
      const second = yield* get(`${path}?start_at=tail&cursor=${first.body.next_cursor}`, { key: sandbox.key })
      assert.deepStrictEqual([second.body.data.length, second.body.has_more], [1, false])

      const refused = yield* get(`${path}?cursor=nonsense`, { key: sandbox.key })
      assert.deepStrictEqual(
        [refused.status, refused.body.error.code, refused.body.error.param],
        [400, "invalid_cursor", "cursor"]
      )
      const session = yield* (yield* Api).post(sessionsPath, undefined, { key: production.key })
      const foreign = yield* get(`${path}?listen_session_id=${session.body.id}&cursor=${first.body.next_cursor}`, {
        key: production.key
      })
      assert.strictEqual(foreign.body.error.code, "invalid_cursor")
    })
  )

  it.effect("starts at the oldest event unless start_at is tail A-LSN-06 A-LSN-07 A-LSN-08", () =>
    Effect.gen(function* () {
      const { get } = yield* Api
      const { sandbox } = yield* freshProject
      const [id = ""] = yield* emit(sandbox.id, ["message.sent"])
      for (const query of ["", "?start_at=oldest"]) {
        assert.deepStrictEqual(idsOf((yield* get(`${path}${query}`, { key: sandbox.key })).body), [id])
      }
      assert.deepStrictEqual((yield* get(`${path}?start_at=tail`, { key: sandbox.key })).body.data, [])
      const poll = yield* Effect.forkChild(get(`${path}?start_at=tail&wait_ms=25000`, { key: sandbox.key }))
      yield* untilWaiting(sandbox.id)
      const later = yield* emit(sandbox.id, ["message.read"])
      assert.deepStrictEqual(idsOf((yield* Fiber.join(poll)).body), later)
    })
  )

  it.effect("refuses a query that breaks the contract A-LSN-04 A-LSN-06 A-LSN-10", () =>
    Effect.gen(function* () {
      const { get, acme } = yield* Api
      for (const [query, param] of [
        ["limit=0", "limit"],
        ["limit=101", "limit"],
        ["start_at=head", "start_at"],
        ["wait_ms=25001", "wait_ms"],
        ["wait_ms=-1", "wait_ms"],
        ["starting_after=x", "starting_after"],
        ["limit=1&limit=2", "limit"]
      ]) {
        const { status, body } = yield* get(`${path}?${query}`, { key: acme.sandbox.key })
        assert.deepStrictEqual(
          [status, body.error.code, body.error.param],
          [400, "invalid_webhook_events_query", param]
        )
      }
      // This is checked before the session and the endpoint.
      for (const key of [acme.sandbox.key, acme.production.key]) {
        const { status, body } = yield* get(`${path}?webhook_endpoint_id=we_unknown&cursor=nonsense`, { key })
        assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "invalid_cursor", "cursor"])
      }
      const head = yield* (yield* Api).call("HEAD", path, undefined, { key: acme.sandbox.key })
      assert.strictEqual(head.status, 404)
    })
  )

  it.effect("filters by one type and by several A-LSN-09", () =>
    Effect.gen(function* () {
      const { get } = yield* Api
      const { sandbox } = yield* freshProject
      const [sent, readId] = yield* emit(sandbox.id, ["message.sent", "message.read", "message.failed"])
      const found = (query: string) =>
        Effect.map(get(`${path}?${query}`, { key: sandbox.key }), ({ body }) => idsOf(body))
      assert.deepStrictEqual(yield* found("event_type=message.read"), [readId])
      assert.sameMembers(yield* found("event_types=message.sent&event_types[]=message.read"), [sent, readId])
      assert.sameMembers(yield* found("event_types=message.sent&event_type=message.read"), [sent, readId])
      assert.deepStrictEqual(yield* found("event_type=unknown"), [])
    })
  )

  it.effect(
    "with an endpoint shows its subscription, with the signature of a delivery A-LSN-11 A-LSN-12 A-LSN-19 A-LSN-20",
    () =>
      Effect.gen(function* () {
        const { get } = yield* Api
        const { sandbox } = yield* freshProject
        const sql = yield* SqlClient.SqlClient
        const endpoint = yield* endpointOf(sandbox, ["message.read", "message.failed"], "disabled")
        const [, read = "", failed = ""] = yield* emit(sandbox.id, ["message.sent", "message.read", "message.failed"])
        const query = `webhook_endpoint_id=${endpoint.id}`
        const poll = yield* Effect.forkChild(get(`${path}?${query}&start_at=tail&wait_ms=5000`, { key: sandbox.key }))
        yield* untilWaiting(sandbox.id)
        yield* turnBy(2500)
        yield* emit(sandbox.id, ["message.read"])
        const { body } = yield* Fiber.join(poll)
        const [item] = decodePage(body).data
        const seconds = String(Math.floor((yield* Clock.currentTimeMillis) / 1000))
        const [stored] = yield* sql<{
          envelope: string
        }>`select envelope from outbox_events where id = ${item?.id ?? ""}`
        const preview = item?.signature_preview
        const signature = preview?.signature ?? ""
        const received = { headers: { ...preview?.headers }, rawBody: Buffer.from(preview?.raw_body ?? "") }
        const verdict = verifyWebhook({ ...received, secrets: [endpoint.secret], nowSeconds: Number(seconds) })
        assert.isTrue(verdict.verified)
        assert.deepStrictEqual(preview, {
          raw_body: stored?.envelope ?? "",
          timestamp: seconds,
          signature,
          headers: {
            "svc-webhook-id": item?.id ?? "",
            "svc-webhook-timestamp": seconds,
            "svc-webhook-signature": signature
          }
        })
        const all = yield* get(`${path}?${query}`, { key: sandbox.key })
        assert.sameMembers(idsOf(all.body).slice(0, 2), [read, failed])
        const narrowed = yield* get(`${path}?${query}&event_type=message.sent`, { key: sandbox.key })
        assert.deepStrictEqual(narrowed.body.data, [])
      })
  )

  it.effect("does not find an endpoint of another environment (gaps-1 L, endpoint filter)", () =>
    Effect.gen(function* () {
      const { get } = yield* Api
      const { sandbox, production } = yield* freshProject
      const foreign = yield* endpointOf(production, ["message.sent"])
      for (const id of [foreign.id, "we_01kah7v3m8q6x2r9d4t5w0y1z3", "nonsense"]) {
        const { status, body } = yield* get(`${path}?webhook_endpoint_id=${id}`, { key: sandbox.key })
        assert.deepStrictEqual([status, body.error.code], [404, "webhook_endpoint_not_found"])
      }
    })
  )

  it.effect("reads one event by its id A-LSN-18", () =>
    Effect.gen(function* () {
      const { get, other } = yield* Api
      const { sandbox } = yield* freshProject
      const [id = ""] = yield* emit(sandbox.id, ["message.sent"])
      const endpoint = yield* endpointOf(sandbox, ["message.sent"])
      const narrow = yield* endpointOf(sandbox, ["message.read"])
      const plain = yield* get(`${path}/${id}`, { key: sandbox.key })
      assert.deepStrictEqual([plain.status, decodeEvent(plain.body).id], [200, id])
      const listed = yield* get(path, { key: sandbox.key })
      assert.deepStrictEqual(plain.body, listed.body.data[0])
      const signed = yield* get(`${path}/${id}?webhook_endpoint_id=${endpoint.id}`, { key: sandbox.key })
      assert.strictEqual(decodeEvent(signed.body).signature_preview?.headers["svc-webhook-id"], id)
      for (const [key, query] of [
        [sandbox.key, `${id}?webhook_endpoint_id=${narrow.id}`],
        [sandbox.key, "evt_01kah7v3m8q6x2r9d4t5w0y1z3"],
        [sandbox.key, "nonsense"],
        [other.sandbox.key, id]
      ] as const) {
        const { status, body } = yield* get(`${path}/${query}`, { key })
        assert.deepStrictEqual([status, body.error.code], [404, "webhook_event_not_found"])
      }
      const week = (yield* Clock.currentTimeMillis) - 7 * 86_400_000
      const [kept, gone] = [
        yield* insertEvent(sandbox.id, { at: week }),
        yield* insertEvent(sandbox.id, { at: week - 1 })
      ]
      assert.strictEqual((yield* get(`${path}/${kept}`, { key: sandbox.key })).status, 200)
      assert.strictEqual((yield* get(`${path}/${gone}`, { key: sandbox.key })).status, 404)
    })
  )

  it.effect("frees the slots of clients that disconnect A-LSN-17 (gaps-1 L, long poll limits)", () =>
    Effect.gen(function* () {
      const { get } = yield* Api
      const { sandbox } = yield* freshProject
      const poll = get(`${path}?wait_ms=25000`, { key: sandbox.key })
      const patient = Effect.repeat(poll, { while: ({ status }) => status === 429 })
      const polls = yield* Effect.forEach([1, 2, 3, 4, 5], () => Effect.forkChild(patient))
      yield* untilFull(sandbox.id, sandbox.key_id)
      const sixth = yield* poll
      assert.deepStrictEqual([sixth.status, sixth.body.error.code], [429, "rate_limited"])
      assert.deepStrictEqual([sixth.headers["retry-after"], sixth.body.error.retry_after_ms], ["25", 25_000])
      yield* Effect.forEach(polls, Fiber.interrupt)
      yield* untilFree(sandbox.id, sandbox.key_id)
      const again = yield* Effect.forEach([1, 2, 3, 4, 5], () => Effect.forkChild(patient))
      yield* untilFull(sandbox.id, sandbox.key_id)
      const written = yield* emit(sandbox.id, ["message.sent"])
      for (const one of again) assert.deepStrictEqual(idsOf((yield* Fiber.join(one)).body), written)
    })
  )

  it.effect(
    "answers a client that shuts its half of the connection with the events so far (gaps-1 L, long poll limits)",
    () =>
      Effect.gen(function* () {
        const { sandbox } = yield* freshProject
        const headers = [["Authorization", `Bearer ${sandbox.key}`]] as const
        const { answer } = parseAnswer(
          yield* exchange(requestBytes(`GET ${path}?wait_ms=25000`, { headers }), undefined, true)
        )
        assert.deepStrictEqual([answer.status, answer.json.data, answer.json.has_more], [200, [], false])
        assert.isString(answer.json.next_cursor)
      })
  )
})
