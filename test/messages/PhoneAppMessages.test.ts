import { erasureJob } from "@carteiro/runtime/contacts/erasure/ErasureJob.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { MessageEchoed } from "@carteiro/schema/messages/MessageEvents.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { until } from "../support/Until.ts"
import { told, UpstreamProduct } from "../support/Upstream.ts"
import { upstreamCase } from "../support/UpstreamCase.ts"
import { hiddenStage } from "./HiddenStage.ts"

const second = 1_795_819_014

/** The stage, with what the platform posts of the phone app. */
const stage = Effect.gen(function* () {
  const { number, sql, tell, ...rest } = yield* hiddenStage
  let count = 0
  /** Posts messages of the phone app, and returns the product's ids of them. */
  const echo = Effect.fnUntraced(function* (message: object, field = "smb_message_echoes") {
    const id = `wamid.echo.${number.id}.${++count}`
    const echoed = { from: "5520900000002", to: "5511974400001", id, timestamp: `${second}`, type: "text", ...message }
    yield* tell(told({ message_echoes: [echoed] }, field))
    return yield* rest.messageOf(id)
  })
  const events = (id: string) =>
    Effect.map(
      Effect.orDie(sql<{ readonly envelope: string }>`select envelope from outbox_events
        where source_id = ${id} order by id`),
      (rows) => rows.map(({ envelope }) => JSON.parse(envelope))
    )
  return { ...rest, number, sql, tell, echo, events }
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("Messages that staff send in the phone app", (it) => {
  it.effect("are outbound, sent, told as message.echoed, and cost nothing U-INB-07", () =>
    Effect.gen(function* () {
      const { events, messageOf, number, read, sql, tell } = yield* stage
      const { input } = upstreamCase("smb-message-echoes")
      const [echoed] = input.entry[0].changes[0].value.message_echoes
      yield* tell(input)
      yield* tell(input)
      const id = yield* messageOf(echoed.id)
      const content = { type: "text", text: { body: "resposta do app" } }
      const all = yield* events(id)
      assert.deepStrictEqual(
        all.map(({ type }) => type),
        ["message.echoed"]
      )
      assert.deepStrictEqual(all[0].data, {
        message_id: id,
        status: "sent",
        provider_message_id: echoed.id,
        metadata: null,
        to: "+5511900010001",
        from: number.phone,
        sender: { profile_name: null },
        occurred_at: formatTimestamp(second * 1000),
        content
      })
      assert.isTrue(Schema.is(MessageEchoed.data)(all[0].data))
      const shown = yield* read(id)
      assert.deepInclude(shown, {
        direction: "outbound",
        status: "sent",
        type: "text",
        source: "business_app",
        provider: "upstream",
        recipient: { type: "phone_e164", id: "+5511900010001" }
      })
      assert.deepStrictEqual(shown.payload, echoed)
      assert.deepStrictEqual(
        shown.events.map((step: { readonly type: string; readonly occurred_at: string }) => [
          step.type,
          step.occurred_at
        ]),
        [["message.sent", formatTimestamp(second * 1000)]]
      )
      assert.lengthOf(yield* sql`select 1 from usage_records where source_id = ${id}`, 0)
      assert.lengthOf(yield* sql`select 1 from service_windows where customer_key = '5511900010001'`, 0)
      const [due] = yield* sql<{ readonly due_at: unknown }>`select due_at from messages where id = ${id}`
      assert.isNull(due?.due_at)
    })
  )

  it.effect("follow later statuses, and are listed among the conversation U-INB-07", () =>
    Effect.gen(function* () {
      const { api, echo, events, key, messageOf, read, reaches, tell } = yield* stage
      const id = yield* echo({ text: { body: "já vai" } }, "message_echoes")
      const { provider_message_id } = yield* read(id)
      const status = { id: provider_message_id, timestamp: `${second + 5}`, recipient_id: "5511974400001" }
      yield* tell(told({ statuses: [{ ...status, status: "delivered" }] }))
      yield* reaches(id, "delivered")
      const types = Effect.map(events(id), (all) => all.map(({ type }) => type))
      assert.deepStrictEqual(yield* types, ["message.echoed", "message.delivered"])
      const { body } = yield* api.get("/v1/messages?recipient=%2B5511974400001", { key })
      assert.deepStrictEqual(
        body.data.map((one: { readonly id: string; readonly source?: string }) => [one.id, one.source]),
        [[id, "business_app"]]
      )
      // A customer who quotes it is understood.
      yield* tell(
        told({
          messages: [
            {
              from: "5511974400001",
              id: "wamid.quoting",
              timestamp: `${second + 9}`,
              type: "text",
              text: { body: "ok" },
              context: { id: provider_message_id }
            }
          ]
        })
      )
      assert.strictEqual((yield* read(yield* messageOf("wamid.quoting"))).context.reply_to.message_id, id)
    })
  )

  it.effect("bring files, corrections and recipients who hide the phone U-INB-07 U-INB-03 U-HID-02", () =>
    Effect.gen(function* () {
      const { echo, events, hear, read } = yield* stage
      // A file that the platform has, by the id under which it came before.
      const heard = yield* hear("+5511974400001", { type: "image", image: { mime_type: "image/png" } })
      const { provider_media_id } = (yield* read(heard.id)).media
      const image = { id: provider_media_id, caption: "foto", mime_type: "image/png" }
      const file = yield* echo({ type: "image", image })
      const [told] = yield* events(file)
      assert.deepInclude(told.data.content.media, { kind: "image", caption: "foto", status: "pending" })
      yield* until(Effect.map(read(file), ({ media }) => media.status === "consumed"))
      assert.deepInclude((yield* read(file)).media, { kind: "image", caption: "foto" })
      assert.deepStrictEqual(
        (yield* events(file)).map(({ type }) => type),
        ["message.echoed"]
      )

      const text = yield* echo({ text: { body: "às 10" } })
      const { provider_message_id } = yield* read(text)
      const message = { type: "text", text: { body: "às 11" } }
      const edit = yield* echo({ type: "edit", edit: { original_message_id: provider_message_id, message } })
      assert.deepStrictEqual((yield* read(edit)).unknown, {
        provider_type: "edit",
        edit: { message_id: text, provider_message_id, content: message }
      })
      assert.strictEqual((yield* read(text)).edited_at, formatTimestamp(second * 1000))

      const hidden = yield* echo({ to: undefined, to_user_id: "BR.7440000000000001", text: { body: "oi" } })
      assert.deepStrictEqual((yield* read(hidden)).recipient, { type: "chatapp_user_id", id: "BR.7440000000000001" })
    })
  )

  it.effect('are erased with their recipient U-INB-07 gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { api, contacts, echo, environment_id, heard, key, sql } = yield* stage
      const to = "5511974400002"
      yield* heard({ from: to })
      yield* echo({ to, text: { body: "segredo do app" } })
      const [contact] = yield* contacts(`&phone=%2B${to}`)
      assert.strictEqual((yield* api.delete(`/v1/contacts/${contact?.id}`, { key })).status, 200)
      const telling = (table: string) =>
        sql.unsafe(`select 1 from ${table} t where t.environment_id = $1 and t::text ~ 'segredo do app'`, [
          environment_id
        ])
      yield* until(
        Effect.gen(function* () {
          yield* erasureJob.run
          return (yield* telling("messages")).length + (yield* telling("outbox_events")).length === 0
        })
      )
    })
  )
})
