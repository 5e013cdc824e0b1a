import * as Billing from "@carteiro/runtime/billing/room.ts"
import * as Media from "@carteiro/runtime/media/room.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import * as PhoneNumbers from "@carteiro/runtime/phone-numbers/room.ts"
import { standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import * as Sandbox from "@carteiro/runtime/sandbox/room.ts"
import * as Templates from "@carteiro/runtime/templates/room.ts"
import { MessageReceived } from "@carteiro/schema/messages/MessageEvents.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { sandboxProject } from "../messages/SandboxProject.ts"
import { ApiTest } from "../support/ApiTest.ts"
import { served } from "../support/ServedRooms.ts"
import { seedKey } from "../support/Tenants.ts"
import { testBlobs } from "../support/TestBlobs.ts"

const doors = served(Billing.room, Templates.room, Media.room, Messages.room, PhoneNumbers.room, Sandbox.room).pipe(
  Layer.provide(testBlobs)
)

it.layer(ApiTest(doors, Messages.room.owners), { excludeTestServices: true })("The sandbox routes", (it) => {
  it.effect("serve sandbox keys only M-SBX-01", () =>
    Effect.gen(function* () {
      const { api, project, simulate } = yield* sandboxProject
      const { key } = project.production
      for (const answer of [yield* api.get("/v1/sandbox/quickstart", { key }), yield* simulate({}, { key })]) {
        assert.deepStrictEqual([answer.status, answer.body.error.code], [400, "sandbox_only_route"])
      }
    })
  )

  it.effect("the quickstart has all values of a first send M-SBX-02", () =>
    Effect.gen(function* () {
      const { api, number, project } = yield* sandboxProject
      const sql = yield* SqlClient.SqlClient
      yield* sql`update environment_counters set webhook_endpoints = 2 where environment_id = ${project.sandbox.id}`
      const { key, key_id } = yield* seedKey(project.sandbox, { name: "Bench", scopes: ["messages:write"] })
      const { status, body, headers } = yield* api.get("/v1/sandbox/quickstart", { key })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        object: "sandbox_quickstart",
        environment: "sandbox",
        api_key: { id: key_id, name: "Bench", key_prefix: body.api_key.key_prefix, scopes: ["messages:write"] },
        sender: {
          phone_number_id: number.id,
          phone: number.phone,
          display_name: "Sandbox",
          type: "chatapp_phone_number",
          status: "active"
        },
        webhooks: { endpoint_count: 2, listen_path: "/v1/webhook-events/listen" },
        templates: { items: [] },
        capabilities: body.capabilities,
        missing_scopes: [
          "messages:read",
          "templates:read",
          "contacts:write",
          "phone_numbers:read",
          "webhooks:write",
          "sandbox:write"
        ],
        trace_id: headers["svc-trace-id"]
      })
      assert.include(body.capabilities.scenarios, "delivery_failure")
      assert.deepStrictEqual(body.capabilities.channels, ["chatapp", "socialapp", "chatapp_channel"])
    })
  )

  it.effect("an environment without a number shows none", () =>
    Effect.gen(function* () {
      const { api } = yield* sandboxProject
      const { body } = yield* api.get("/v1/sandbox/quickstart", { key: api.other.sandbox.key })
      assert.deepStrictEqual([body.sender.phone_number_id, body.missing_scopes], [null, []])
    })
  )

  it.effect(
    "a simulation answers exactly its members, and reads return all of them M-SBX-03 M-SBX-16 M-SBX-17 M-READ-12",
    () =>
      Effect.gen(function* () {
        const { api, key, number, simulate } = yield* sandboxProject
        const trace = "0123456789abcdef0123456789abcdef"
        const { status, body } = yield* simulate(
          { profile_name: "Ana", metadata: { a: 1 } },
          { headers: { "svc-trace-id": trace } }
        )
        assert.strictEqual(status, 202)
        const expected = {
          id: body.id,
          object: "message",
          direction: "inbound",
          channel: "chatapp",
          type: "text",
          status: "received",
          environment: "sandbox",
          sender: { type: "phone_e164", id: "+5511912345678", profile_name: "Ana", user_id: null, username: null },
          recipient: { type: "chatapp_phone_number", id: number.id },
          provider: "sandbox",
          provider_message_id: `sb_${body.id}`,
          payload: {
            id: `sb_${body.id}`,
            from: "5511912345678",
            timestamp: "1767225600",
            type: "text",
            text: { body: "oi" }
          },
          trace_id: trace,
          created_at: "2026-01-01T00:00:00.000Z"
        }
        assert.deepStrictEqual(body, expected)
        const read = yield* api.get(`/v1/messages/${body.id}`, { key })
        assert.deepInclude(read.body, { ...expected, metadata: { a: 1 } })
        assert.deepStrictEqual(
          read.body.events.map((event: { type: string; status: string }) => [event.type, event.status]),
          [["message.received", "received"]]
        )
      })
  )

  it.effect("raises message.received once per call, with its content M-EVT-04 M-INB-02 M-INB-03", () =>
    Effect.gen(function* () {
      const { number, project, simulate } = yield* sandboxProject
      const sql = yield* SqlClient.SqlClient
      const { body } = yield* simulate({ profile_name: "Ana" }, { idempotencyKey: "one" })
      yield* simulate({ profile_name: "Ana" }, { idempotencyKey: "one" })
      const rows = yield* sql<{ envelope: string }>`select envelope from outbox_events
        where environment_id = ${project.sandbox.id}`
      assert.strictEqual(rows.length, 1)
      const envelope = JSON.parse(rows[0]?.envelope ?? "{}")
      assert.deepStrictEqual([envelope.type, envelope.environment], ["message.received", "sandbox"])
      assert.deepStrictEqual(envelope.data, {
        message_id: body.id,
        status: "received",
        provider_message_id: `sb_${body.id}`,
        metadata: null,
        channel: "chatapp",
        sender: { type: "phone_e164", id: "+5511912345678", profile_name: "Ana", user_id: null, username: null },
        recipient: { type: "chatapp_phone_number", id: number.id },
        content: { type: "text", text: { body: "oi" } },
        occurred_at: body.created_at
      })
      assert.isTrue(Schema.is(MessageReceived.data)(envelope.data))
    })
  )

  it.effect("accepts each type with its defaults M-SBX-04..11 M-INB-13 M-INB-16 M-READ-18 M-READ-19", () =>
    Effect.gen(function* () {
      const { api, key, simulate } = yield* sandboxProject
      const read = Effect.fnUntraced(function* (body: object) {
        const { body: made, status } = yield* simulate(body)
        assert.strictEqual(status, 202)
        return (yield* api.get(`/v1/messages/${made.id}`, { key })).body
      })
      const reason = { code: 131051, message: "Message type is currently not supported." }
      const unsupported = yield* read({ type: "unsupported" })
      assert.deepStrictEqual(unsupported.unsupported, { provider_type: "video_note", reason })
      const named = yield* read({ type: "unsupported", unsupported: { provider_type: "poll" } })
      assert.deepStrictEqual(named.unsupported, { provider_type: "poll", reason })
      const unknown = yield* read({ type: "unknown" })
      assert.deepStrictEqual([unknown.unknown, unknown.unsupported], [{ provider_type: "location" }, null])
      assert.strictEqual(unknown.payload.type, "location")
      assert.strictEqual((yield* read({ type: "flow", flow: { response: { a: 1 } } })).payload.flow.response.a, 1)
      for (const [body, param] of [
        [{ type: "unknown", unknown: { provider_type: "No Token" } }, "unknown.provider_type"],
        [{ channel: "fax" }, "channel"],
        [{ from: undefined }, "from"],
        [{ to: undefined }, "to"],
        [{ type: "hologram" }, "type"],
        [{ text: undefined }, "text"]
      ] as const) {
        const { body: answer, status } = yield* simulate(body)
        assert.deepStrictEqual([status, answer.error.code, answer.error.param], [400, "invalid_message_request", param])
      }
    })
  )

  it.effect("a social sender is opaque, and an unknown receiver is 404 M-SBX-05 M-SBX-15", () =>
    Effect.gen(function* () {
      const { simulate } = yield* sandboxProject
      const social = yield* simulate({ channel: "socialapp", from: "ig:ana" })
      assert.deepStrictEqual(social.body.sender, {
        type: "social_user",
        id: "ig:ana",
        profile_name: null,
        user_id: null,
        username: null
      })
      const { body, status } = yield* simulate({ to: "pn_none" })
      assert.deepStrictEqual([status, body.error.code, body.error.param], [404, "phone_number_not_found", "to"])
    })
  )

  it.effect("keeps one contact for each customer, whatever the spelling of the phone", () =>
    Effect.gen(function* () {
      const { project, simulate } = yield* sandboxProject
      const sql = yield* SqlClient.SqlClient
      const spellings = ["551181234567", "+55 11 98123-4567", "5511981234567"]
      yield* Effect.forEach(spellings, (from) => simulate({ from }), { concurrency: "unbounded" })
      yield* simulate({ from: spellings[0], profile_name: "Bia" })
      assert.deepStrictEqual(
        yield* sql`select match_key, profile_name, opt_in_status, source from contacts
          where environment_id = ${project.sandbox.id}`,
        [{ match_key: "5511981234567", profile_name: "Bia", opt_in_status: "none", source: "inbound" }]
      )
    })
  )
})

it.layer(ApiTest(doors, Messages.room.owners), { excludeTestServices: true })("A simulated sender's phone", (it) => {
  it.effect("is read like a recipient's, and a number of no country is accepted with a warning M-SBX-13 M-WIN-04", () =>
    Effect.gen(function* () {
      const { simulate } = yield* sandboxProject
      const read = (from: string) =>
        Effect.map(simulate({ from }), ({ body, headers, status }) => [
          status,
          body.sender?.id ?? body.error.param,
          headers["svc-warning"] ?? null
        ])
      assert.deepStrictEqual(yield* read("+5511987654321"), [202, "+5511987654321", null])
      assert.deepStrictEqual(yield* read("55 (11) 98765-4321"), [202, "+5511987654321", null])
      assert.deepStrictEqual(yield* read("(11) 98765-4321"), [202, "+11987654321", "invalid_phone_number"])
      assert.deepStrictEqual(yield* read("(11) 8765-432"), [400, "from", null])
    })
  )
})

it.layer(ApiTest(doors, Messages.room.owners, { rates: standardRates }), { excludeTestServices: true })(
  "The limits of the sandbox",
  (it) => {
    it.effect("a sender that is no phone uses no token and no key M-SBX-13 M-SBX-14", () =>
      Effect.gen(function* () {
        const { project, simulate } = yield* sandboxProject
        const sql = yield* SqlClient.SqlClient
        for (let index = 0; index < 30; index++) {
          const { body, status } = yield* simulate({ from: "+55119" }, { idempotencyKey: "same" })
          assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "invalid_phone_e164", "from"])
        }
        assert.deepStrictEqual(
          yield* sql`select 1 from idempotency_records where environment_id = ${project.sandbox.id}`,
          []
        )
        const statuses: Array<number> = []
        for (let index = 0; index < 21; index++) statuses.push((yield* simulate()).status)
        assert.deepStrictEqual(statuses, [...Array.from({ length: 20 }, () => 202), 429])
      })
    )
  }
)
