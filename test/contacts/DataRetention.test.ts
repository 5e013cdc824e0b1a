import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import * as Webhooks from "@carteiro/runtime/webhooks/room.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { beginning, quiesce } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { outgoing, receiver, register } from "../webhooks/Deliveries.ts"

const day = 24 * 3_600_000
const path = "/v1/data-retention"
const phone = "+5511987654321"

const stage = Effect.fnUntraced(function* (name: string) {
  const api = yield* Api
  const { sandbox } = yield* seedTenant(name)
  const { key } = sandbox
  const number = yield* seedNumber(sandbox)
  const hear = (body: string) =>
    api.post(
      "/v1/sandbox/inbound-messages",
      {
        channel: "chatapp",
        from: phone,
        to: number.id,
        type: "text",
        text: { body },
        context: { forwarded: true },
        referral: { click_id: "Aff-1" },
        profile_name: "Maria",
        metadata: { about: "Maria" }
      },
      { key }
    )
  const get = (at: string) => Effect.map(api.get(at, { key }), ({ body }) => body)
  const patch = (body: unknown) => api.patch(path, body, { key })
  return { ...api, sandbox, key, number, hear, read: get, change: patch }
})

/** One round of the sweeps, as they would run so many milliseconds from the beginning. */
const sweepAt = Effect.fnUntraced(function* (millis: number) {
  const clock = yield* Clock.Clock
  const at = beginning + millis
  yield* Effect.forEach([...Messages.room.jobs, ...Webhooks.room.jobs], ({ run }) => run, { discard: true }).pipe(
    Effect.provideService(Clock.Clock, {
      ...clock,
      currentTimeMillis: Effect.succeed(at),
      currentTimeMillisUnsafe: () => at
    })
  )
})

it.layer(WholeProduct({ sweeps: false, outgoing }), { excludeTestServices: true })("Data retention", (it) => {
  it.effect('has defaults, and changes what a PATCH names M-CON-10 gaps-2 I "Data retention"', () =>
    Effect.gen(function* () {
      const { change, other, patch, read, sandbox } = yield* stage("policy")
      const before = yield* read(path)
      assert.deepStrictEqual(
        { ...before, trace_id: "" },
        {
          object: "data_retention_policy",
          data_export_enabled: true,
          media_retention_days: 30,
          payload_retention_days: 90,
          updated_at: "2026-01-01T00:00:00.000Z",
          trace_id: ""
        }
      )
      const { body, status } = yield* change({ data_export_enabled: false, media_retention_days: 365 })
      assert.deepStrictEqual(
        [status, body.data_export_enabled, body.media_retention_days, body.payload_retention_days],
        [200, false, 365, 90]
      )
      assert.deepStrictEqual({ ...(yield* read(path)), trace_id: "" }, { ...body, trace_id: "" })
      const again = yield* change({ payload_retention_days: 1 })
      assert.deepStrictEqual([again.body.media_retention_days, again.body.payload_retention_days], [365, 1])
      for (const [wrong, param] of [
        [{}, undefined],
        [{ data_export_enabled: "no" }, "data_export_enabled"],
        [{ data_export_enabled: null }, "data_export_enabled"],
        [{ media_retention_days: 0 }, "media_retention_days"],
        [{ media_retention_days: 366 }, "media_retention_days"],
        [{ payload_retention_days: 1.5 }, "payload_retention_days"]
      ] as const) {
        const { body, status } = yield* change(wrong)
        assert.deepStrictEqual(
          [status, body.error.code, body.error.type],
          [400, "invalid_data_retention_request", "validation_error"]
        )
        if (param !== undefined) assert.strictEqual(body.error.param, param)
      }
      // It is the environment's alone.
      assert.isTrue(
        (yield* patch(path, { media_retention_days: 30 }, { key: other.sandbox.key })).body.data_export_enabled
      )
      assert.isString(sandbox.id)
    })
  )

  it.effect("answers an export only while the policy allows it M-CON-09 M-CON-10 A-ERR-31", () =>
    Effect.gen(function* () {
      const { change, hear, key, number, other, post, read } = yield* stage("export")
      yield* hear("oi")
      const sent = yield* post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: "phone_e164", id: phone },
          message: { type: "text", text: { body: "olá" } }
        },
        { key }
      )
      yield* post("/v1/contacts/opt-out", { phone, reason: "asked" }, { key })
      yield* post("/v1/contacts/opt-in", { phone, source: "form" }, { key })
      const { data } = yield* read("/v1/contacts")
      const [contact] = data
      const exported = yield* post(`/v1/contacts/${contact.id}/export`, undefined, { key })
      assert.strictEqual(exported.status, 200, exported.text)
      const { body } = exported
      assert.deepStrictEqual(
        [body.object, body.id, body.truncated, body.contact],
        ["contact_export", contact.id, false, contact]
      )
      assert.deepStrictEqual(
        body.consent_events.map((event: Record<string, unknown>) => [event.type, event.source, event.reason]),
        [
          ["opted_out", "api", "asked"],
          ["opted_in", "form", null]
        ]
      )
      assert.deepStrictEqual(
        body.messages.map((message: { readonly id: string; readonly direction: string }) => message.direction),
        ["outbound", "inbound"]
      )
      const detail = yield* read(`/v1/messages/${sent.body.id}`)
      assert.deepStrictEqual(body.messages[0], detail)
      for (const id of ["con_01kah7v3m8q6x2r9d4t5w0y1z3", "nonsense"]) {
        const { body, status } = yield* post(`/v1/contacts/${id}/export`, undefined, { key })
        assert.deepStrictEqual([status, body.error.code], [404, "contact_not_found"])
      }
      const foreign = yield* post(`/v1/contacts/${contact.id}/export`, undefined, { key: other.sandbox.key })
      assert.deepStrictEqual([foreign.status, foreign.body.error.code], [404, "contact_not_found"])

      yield* change({ data_export_enabled: false })
      const refused = yield* post(`/v1/contacts/${contact.id}/export`, undefined, { key })
      assert.deepStrictEqual(
        [refused.status, refused.body.error.type, refused.body.error.code],
        [403, "authorization_error", "data_export_disabled"]
      )
      yield* change({ data_export_enabled: true })
      assert.strictEqual((yield* post(`/v1/contacts/${contact.id}/export`, undefined, { key })).status, 200)
    })
  )

  it.effect('exports the latest 1000 messages and tells of more gaps-2 I "Export"', () =>
    Effect.gen(function* () {
      const { hear, key, post, read } = yield* stage("many")
      const sql = yield* SqlClient.SqlClient
      const { body } = yield* hear("oi")
      // As many more of the same conversation, one millisecond apart.
      yield* sql`insert into messages select (jsonb_populate_record(m, jsonb_build_object('id',
          left(m.id, 20) || lpad(n::text, 10, '0')))).*
        from messages m cross join generate_series(1, 1000) n where m.id = ${body.id}`
      const { data } = yield* read("/v1/contacts")
      const exported = yield* post(`/v1/contacts/${data[0].id}/export`, undefined, { key })
      assert.deepStrictEqual([exported.body.messages.length, exported.body.truncated], [1000, true])
    })
  )

  it.effect('clears payloads of messages and of their events when their time is over gaps-2 I "Data retention"', () =>
    Effect.gen(function* () {
      const { change, hear, key, number, post, read, sandbox } = yield* stage("sweeps")
      const sql = yield* SqlClient.SqlClient
      const { url } = yield* receiver()
      yield* register(sandbox, url)
      const first = yield* hear("primeiro")
      // It waits for its turn longer than payloads are kept.
      const held = yield* post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: "phone_e164", id: phone },
          message: { type: "text", text: { body: "olá" } },
          metadata: { sandbox_scenario: "messaging_limit_pacing" }
        },
        { key }
      )
      yield* quiesce
      yield* change({ payload_retention_days: 2 })
      const redacted = (id: string) => Effect.map(read(`/v1/messages/${id}`), (message) => message.redacted_at !== null)
      yield* sweepAt(2 * day)
      assert.isFalse(yield* redacted(first.body.id))
      assert.isNotNull((yield* read("/v1/webhook-events")).data[0].payload)
      yield* sweepAt(2 * day + 1)
      const message = yield* read(`/v1/messages/${first.body.id}`)
      assert.deepStrictEqual(
        [message.payload, message.sender.profile_name, message.sender.id, message.metadata],
        [null, null, phone, { about: "Maria" }]
      )
      assert.isString(message.redacted_at)
      assert.deepStrictEqual(message.context, { reply_to: null, forwarded: true, frequently_forwarded: false })
      assert.isNull((yield* read("/v1/webhook-events")).data[0].payload)
      assert.strictEqual((yield* read("/v1/webhook-events/listen?start_at=oldest")).data.length, 0)

      // What is still to be sent keeps what it holds, and is cleared by the sweep after it.
      assert.isFalse(yield* redacted(held.body.id))
      yield* post(`/v1/messages/${held.body.id}/cancel`, {}, { key })
      yield* sweepAt(2 * day + 2)
      assert.isTrue(yield* redacted(held.body.id))
      const [sweep] = yield* sql<{ readonly swept_to: string }>`select swept_to from message_sweeps
        where environment_id = ${sandbox.id}`
      assert.isTrue((sweep?.swept_to ?? "") > held.body.id)
      assert.isTrue((sweep?.swept_to ?? "") < lowestIdAt("msg", beginning + day))
    }).pipe(Effect.scoped)
  )

  it.effect('keeps payloads of messages 90 days unless told otherwise gaps-2 I "Data retention"', () =>
    Effect.gen(function* () {
      const { hear, read } = yield* stage("default")
      const { body } = yield* hear("oi")
      yield* sweepAt(90 * day)
      assert.isNull((yield* read(`/v1/messages/${body.id}`)).redacted_at)
      yield* sweepAt(90 * day + 1)
      assert.isString((yield* read(`/v1/messages/${body.id}`)).redacted_at)
    })
  )
})
