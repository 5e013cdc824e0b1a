import * as Billing from "@carteiro/runtime/billing/room.ts"
import * as Media from "@carteiro/runtime/media/room.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import * as PhoneNumbers from "@carteiro/runtime/phone-numbers/room.ts"
import * as Sandbox from "@carteiro/runtime/sandbox/room.ts"
import * as Templates from "@carteiro/runtime/templates/room.ts"
import { Message, MessageAccepted } from "@carteiro/schema/messages/Message.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ApiTest } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { served } from "../support/ServedRooms.ts"
import { seedKey } from "../support/Tenants.ts"
import { testBlobs } from "../support/TestBlobs.ts"
import { sandboxProject } from "./SandboxProject.ts"

const rooms = served(Billing.room, Templates.room, Media.room, Messages.room, PhoneNumbers.room, Sandbox.room)
const stack = ApiTest(rooms.pipe(Layer.provide(testBlobs)), Messages.room.owners)

/** A separate sandbox project with one number, and a customer whose window is open. */
const stage = Effect.fnUntraced(function* () {
  const { api, key, number, project, simulate: inbound } = yield* sandboxProject
  const text = {
    channel: "chatapp",
    sender: { type: "chatapp_phone_number", id: number.id },
    recipient: { type: "phone_e164", id: "+5511912345678" },
    message: { type: "text", text: { body: "Olá" } }
  }
  const send = (body: object = {}, options: object = {}) =>
    api.post("/v1/messages", { ...text, ...body }, { key, ...options })
  yield* inbound()
  return { api, project, number, key, inbound, send, text }
})

const messageCount = Effect.fnUntraced(function* (environmentId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ count: number }>`select count(*)::int4 as count from messages
    where environment_id = ${environmentId} and direction = 'outbound'`
  return rows[0]?.count
}, Effect.orDie)

it.layer(stack, { excludeTestServices: true })("POST /v1/messages", (it) => {
  it.effect("answers 202 with every member of the contract M-MSG-01 M-MSG-03..06 M-MSG-10..13", () =>
    Effect.gen(function* () {
      const { send } = yield* stage()
      const { status, body, headers } = yield* send()
      assert.strictEqual(status, 202)
      assert.deepStrictEqual(body, {
        id: body.id,
        object: "message",
        status: "queued",
        status_reason: null,
        channel: "chatapp",
        environment: "sandbox",
        template_id: null,
        template_version_id: null,
        template_version: null,
        created_at: "2026-01-01T00:00:00.000Z",
        trace_id: headers["svc-trace-id"]
      })
      assert.isTrue(Schema.is(MessageAccepted)(new MessageAccepted(body)))
      const held = yield* send({ metadata: { sandbox_scenario: "messaging_limit_pacing" } })
      assert.deepStrictEqual([held.status, held.body.status_reason], [202, "messaging_limit_pacing"])
    })
  )

  it.effect("needs messages:write M-MSG-02", () =>
    Effect.gen(function* () {
      const { project, send } = yield* stage()
      const { key } = yield* seedKey(project.sandbox, { scopes: ["messages:read"] })
      const { status, body } = yield* send({}, { key })
      assert.deepStrictEqual([status, body.error.code], [403, "insufficient_scope"])
    })
  )

  it.effect("refuses an invalid body with the name of the field, and stores nothing M-MSG-15..21 M-MSG-25", () =>
    Effect.gen(function* () {
      const { project, send, text } = yield* stage()
      for (const [change, param] of [
        [{ channel: "fax" }, "channel"],
        [{ sender: { type: "social_account", id: "x" } }, "sender.type"],
        [{ recipient: { type: "phone_e164" } }, "recipient"],
        [{ message: { type: "text" } }, "message.text"],
        [{ message: { type: "text", text: { body: 7 } } }, "message.text.body"],
        [{ reply_to: {} }, "reply_to.message_id"],
        [{ metadata: [] }, "metadata"],
        [{ metadata: { sandbox_scenario: "none_such" } }, "metadata.sandbox_scenario"]
      ] as const) {
        const { status, body } = yield* send(change)
        assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "invalid_message_request", param])
      }
      assert.strictEqual(yield* messageCount(project.sandbox.id), 0)
      assert.strictEqual((yield* send({ ...text, surplus: 1 })).status, 202)
    })
  )

  it.effect("refuses a malformed phone before any message or idempotency record M-RCP-03..05 M-RCP-11 M-INB-18", () =>
    Effect.gen(function* () {
      const { project, send } = yield* stage()
      for (const id of ["", "12", "55+11912345678", "+55 11 ٩١٢٣٤٥٦٧٨", "not a phone", "1234567890123456"]) {
        const { status, body } = yield* send({ recipient: { type: "phone_e164", id } }, { idempotencyKey: "fix-me" })
        assert.deepStrictEqual(
          [status, body.error.code, body.error.param],
          [400, "invalid_phone_e164", "recipient.id"],
          id
        )
      }
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        yield* sql`select 1 from idempotency_records where environment_id = ${project.sandbox.id}`,
        []
      )
      const corrected = yield* send({}, { idempotencyKey: "fix-me" })
      assert.strictEqual(corrected.status, 202)
      assert.isUndefined(corrected.headers["svc-idempotent-replayed"])
      assert.strictEqual(yield* messageCount(project.sandbox.id), 1)
    })
  )

  it.effect("takes the recipient in every accepted spelling M-RCP-01 M-RCP-02 M-RCP-06..10 M-MSG-17", () =>
    Effect.gen(function* () {
      const { api, key, send } = yield* stage()
      for (const recipient of [
        { id: "5511912345678" },
        { id: "+55 (11) 91234-5678" },
        { id: "+55.11.9.1234.5678" },
        { country_calling_code: "55", national_number: "11 91234-5678" }
      ]) {
        const { status, body } = yield* send({ recipient: { type: "phone_e164", ...recipient } })
        assert.strictEqual(status, 202, JSON.stringify(recipient))
        const read = yield* api.get(`/v1/messages/${body.id}`, { key })
        assert.deepStrictEqual(read.body.recipient, { type: "phone_e164", id: "+5511912345678" })
      }
      for (const [code, national, error, param] of [
        ["999", "11912345678", "invalid_phone_country_calling_code", "recipient.country_calling_code"],
        ["55", "1", "invalid_phone_national_number", "recipient.national_number"],
        ["55", "00912345678", "invalid_phone_e164", "recipient"]
      ]) {
        const { status, body } = yield* send({
          recipient: { type: "phone_e164", country_calling_code: code, national_number: national }
        })
        assert.deepStrictEqual([status, body.error.code, body.error.param], [400, error, param])
      }
    })
  )

  it.effect("answers every refusal in the shared envelope, with the trace of its request M-ERR-01", () =>
    Effect.gen(function* () {
      const { send } = yield* stage()
      for (const change of [{ channel: "fax" }, { recipient: { type: "phone_e164", id: "+5521998765432" } }]) {
        const { body, headers } = yield* send(change)
        assert.deepStrictEqual(
          [body.error.request_id, body.error.trace_id],
          [headers["svc-request-id"], headers["svc-trace-id"]]
        )
        assert.strictEqual(body.error.type, "validation_error")
        assert.isNotEmpty(body.error.message)
      }
    })
  )

  it.effect("answers one 404 for an unknown and a foreign number M-ERR-02 M-MSG-16", () =>
    Effect.gen(function* () {
      const { api, send } = yield* stage()
      const foreign = yield* seedNumber(api.other.sandbox)
      for (const id of [foreign.id, `${foreign.id.slice(0, -1)}0`, "pn_short", "elsewhere"]) {
        const { status, body } = yield* send({ sender: { type: "chatapp_phone_number", id } })
        assert.deepStrictEqual(
          [status, body.error.code, body.error.param],
          [404, "phone_number_not_found", "sender.id"],
          id
        )
      }
    })
  )

  it.effect(
    "refuses free text without an open window, and opens it by an inbound M-MSG-22 M-WIN-01 M-WIN-02 M-WIN-04 M-WIN-05",
    () =>
      Effect.gen(function* () {
        const { inbound, project, send } = yield* stage()
        const stranger = { recipient: { type: "phone_e164", id: "+5521998765432" } }
        const { status, body } = yield* send(stranger)
        assert.deepStrictEqual(
          [status, body.error.code, body.error.param],
          [400, "service_window_required", "message.type"]
        )
        assert.strictEqual(yield* messageCount(project.sandbox.id), 0)
        yield* inbound({ from: "+55 21 99876-5432" })
        assert.strictEqual((yield* send(stranger)).status, 202)
      })
  )

  it.effect("refuses an opted-out contact until the next opt-in M-MSG-23 M-MSG-24 M-CON-13 M-ERR-03", () =>
    Effect.gen(function* () {
      const { inbound, send } = yield* stage()
      yield* inbound({ text: { body: " Parár " } })
      const { status, body } = yield* send()
      assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "contact_opted_out", "recipient.id"])
      yield* inbound({ text: { body: "oi de novo" } })
      assert.strictEqual((yield* send()).status, 400)
      yield* inbound({ text: { body: "VOLTAR" } })
      assert.strictEqual((yield* send()).status, 202)
    })
  )

  it.effect(
    "answers 403 for a suspended number, and 403 feature_disabled for a switched-off family A-ERR-29 M-ERR-05 M-ERR-08",
    () =>
      Effect.gen(function* () {
        const { number, project, send } = yield* stage()
        const sql = yield* SqlClient.SqlClient
        yield* sql`update phone_numbers set suspended_at = created_at where id = ${number.id}`
        const suspended = yield* send()
        const { code, type } = suspended.body.error
        assert.deepStrictEqual([suspended.status, type, code], [403, "authorization_error", "phone_service_suspended"])
        yield* sql`update environments set capabilities_off = '["messaging"]' where id = ${project.sandbox.id}`
        const off = yield* send()
        assert.deepStrictEqual([off.status, off.body.error.code], [403, "feature_disabled"])
      })
  )

  it.effect("replays the same 202 byte for byte and makes one message M-ERR-09", () =>
    Effect.gen(function* () {
      const { project, send } = yield* stage()
      const answers = yield* Effect.forEach(Array.from({ length: 8 }), () => send({}, { idempotencyKey: "once" }), {
        concurrency: "unbounded"
      })
      const first = answers.find((answer) => answer.status === 202)
      assert.strictEqual(yield* messageCount(project.sandbox.id), 1)
      for (const answer of answers) {
        if (answer.status === 202) assert.strictEqual(answer.text, first?.text)
        else assert.strictEqual(answer.body.error.code, "idempotency_key_in_progress")
      }
      yield* turnBy(60_000)
      const replay = yield* send({}, { idempotencyKey: "once" })
      assert.deepStrictEqual([replay.status, replay.text], [202, first?.text ?? ""])
      assert.strictEqual(replay.headers["svc-idempotent-replayed"], "true")
      const other = yield* send({ metadata: { a: 1 } }, { idempotencyKey: "once" })
      assert.strictEqual(other.body.error.code, "idempotency_key_conflict")
    })
  )

  it.effect(
    "quotes a message of the conversation only M-MSG-19 M-REPLY-01..03 M-REPLY-05 M-REPLY-06 M-READ-21 M-READ-22",
    () =>
      Effect.gen(function* () {
        const { api, inbound, key, send } = yield* stage()
        const own = yield* inbound()
        const other = yield* inbound({ from: "+5521998765432" })
        const queued = yield* send()
        const quote = (message_id: string) => send({ reply_to: { message_id } })
        const { status, body } = yield* quote(own.body.id)
        assert.strictEqual(status, 202)
        const read = yield* api.get(`/v1/messages/${body.id}`, { key })
        assert.deepStrictEqual(read.body.context, {
          reply_to: { message_id: own.body.id, provider_message_id: own.body.provider_message_id },
          forwarded: false,
          frequently_forwarded: false
        })
        for (const id of [other.body.id, "msg_none"]) {
          const { error } = (yield* quote(id)).body
          assert.deepStrictEqual([error.code, error.param], ["message_not_found", "reply_to.message_id"])
          assert.isDefined(error.feedback)
        }
        const unavailable = yield* quote(queued.body.id)
        assert.deepStrictEqual([unavailable.status, unavailable.body.error.code], [409, "reply_target_unavailable"])
      })
  )
})

it.layer(stack, { excludeTestServices: true })("GET /v1/messages/{message_id}", (it) => {
  it.effect("shows an outbound message completely, at every step M-READ-01 M-READ-11..17 M-READ-20 M-READ-24..31", () =>
    Effect.gen(function* () {
      const { api, key, number, send } = yield* stage()
      const sent = yield* send({ metadata: { order: [1, "a\u0000b"] } })
      const get = Effect.map(api.get(`/v1/messages/${sent.body.id}`, { key }), (answer) => answer.body)
      const queued = yield* get
      const statuses = [queued.status]
      for (const millis of [500, 1000, 1500]) {
        yield* turnBy(millis)
        statuses.push((yield* get).status)
      }
      assert.deepStrictEqual(statuses, ["queued", "sent", "delivered", "read"])
      const read = yield* get
      assert.deepStrictEqual(
        read.events.map((event: { type: string }) => event.type),
        ["message.queued", "message.sending", "message.sent", "message.delivered", "message.read"]
      )
      assert.strictEqual(new Set(read.events.map((event: { id: string }) => event.id)).size, 5)
      assert.deepStrictEqual(queued.events, read.events.slice(0, 1))
      assert.deepStrictEqual(
        { ...read, events: [] },
        {
          ...queued,
          status: "read",
          provider_message_id: `sb_${sent.body.id}`,
          pricing: { billable: false, category: "service", model: "PMP", type: "free_customer_service" },
          payload: {
            request: { type: "text", text: { body: "Olá" } },
            response: { messages: [{ id: `sb_${sent.body.id}` }] }
          },
          updated_at: read.updated_at,
          events: []
        }
      )
      assert.strictEqual(Date.parse(read.updated_at) - Date.parse(read.created_at), 3000)
      assert.deepStrictEqual(queued, {
        id: sent.body.id,
        object: "message",
        channel: "chatapp",
        direction: "outbound",
        type: "text",
        status: "queued",
        status_reason: null,
        environment: "sandbox",
        sender: { type: "chatapp_phone_number", id: number.id, profile_name: null },
        recipient: { type: "phone_e164", id: "+5511912345678" },
        provider: "sandbox",
        provider_message_id: null,
        template_name: null,
        template_id: null,
        template_version_id: null,
        template_version: null,
        media: null,
        unsupported: null,
        unknown: null,
        context: null,
        payload: { request: { type: "text", text: { body: "Olá" } }, response: null },
        metadata: { order: [1, "a\u0000b"] },
        error_code: null,
        error_message: null,
        provider_error: null,
        trace_id: sent.body.trace_id,
        created_at: sent.body.created_at,
        updated_at: sent.body.created_at,
        redacted_at: null,
        delivery_unconfirmed_at: null,
        events: queued.events
      })
      assert.isTrue(Schema.is(Schema.toEncoded(Message))(read))
    })
  )

  it.effect("answers one 404 for a foreign, an absent and a malformed id M-READ-32", () =>
    Effect.gen(function* () {
      const { api, key, project, send } = yield* stage()
      const { id } = (yield* send()).body
      const asked = [
        yield* api.get(`/v1/messages/${id}`, { key: api.other.sandbox.key }),
        yield* api.get(`/v1/messages/${id}`, { key: project.production.key }),
        yield* api.get(`/v1/messages/${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`, { key }),
        yield* api.get("/v1/messages/nothing", { key })
      ]
      for (const { status, body } of asked) {
        assert.deepStrictEqual([status, body.error.code], [404, "message_not_found"])
        assert.isUndefined(body.error.feedback)
      }
    })
  )
})
