import { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { hear } from "./Sending.ts"
import { typedStage } from "./TypedSending.ts"

/** The data of the event message.received. */
const announcedData = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly envelope: string }>`select envelope from outbox_events
    where source_id = ${id} and type = 'message.received'`
  assert.lengthOf(rows, 1)
  return JSON.parse(rows[0]?.envelope ?? "{}").data
}, Effect.orDie)

const announcedContent = (id: string) => Effect.map(announcedData(id), ({ content }) => content)

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Inbound messages", (it) => {
  it.effect("of taps show the tapped element M-INB-01 M-INB-10 M-INB-11 M-INB-12", () =>
    Effect.gen(function* () {
      const { simulate } = yield* typedStage
      for (const interactive of [
        { type: "button_reply", button_reply: { id: "Sim", title: "Sim" } },
        { type: "list_reply", list_reply: { id: "row", title: "Linha", description: null } }
      ]) {
        const { body, status } = yield* simulate({ type: "interactive", interactive })
        assert.strictEqual(status, 202)
        assert.deepStrictEqual(yield* announcedContent(body.id), { type: "interactive", interactive })
      }
    })
  )

  it.effect('name the target of a reaction, when it is known gaps-2 E "Inbound type map"', () =>
    Effect.gen(function* () {
      const { read, send, simulate } = yield* typedStage
      const sent = (yield* send({ type: "text", text: { body: "oi" } })).body
      yield* turnBy(1000)
      const unknown = "msg_01kah7v3m8q6x2r9d4t5w0y1z3"
      for (const [message_id, emoji, found] of [
        [sent.id, "❤️", sent.id],
        [sent.id, "", sent.id],
        [unknown, "👍", null]
      ] as const) {
        const { body, status } = yield* simulate({ type: "reaction", reaction: { message_id, emoji } })
        assert.strictEqual(status, 202)
        const content = yield* announcedContent(body.id)
        assert.deepStrictEqual(content, {
          type: "reaction",
          reaction: { message_id: found, provider_message_id: `sb_${message_id}`, emoji }
        })
        assert.isTrue(Schema.is(InboundContent)(content))
        assert.deepInclude(yield* read(body.id), { type: "reaction", direction: "inbound", media: null })
      }
    })
  )

  it.effect('name the target of a reaction while it is still queued gaps-2 J "Inbound simulation shapes"', () =>
    Effect.gen(function* () {
      const { send, simulate } = yield* typedStage
      const { id } = (yield* send({ type: "text", text: { body: "oi" } })).body
      const { body } = yield* simulate({ type: "reaction", reaction: { message_id: id, emoji: "👍" } })
      assert.deepStrictEqual(yield* announcedContent(body.id), {
        type: "reaction",
        reaction: { message_id: id, provider_message_id: `sb_${id}`, emoji: "👍" }
      })
    })
  )

  it.effect("of files carry a descriptor with the text under the file M-INB-04 M-INB-05 M-READ-17 U-MED-01", () =>
    Effect.gen(function* () {
      const { read, simulate } = yield* typedStage
      for (const media of [
        { kind: "image", caption: "Olha" },
        { kind: "audio", voice: true },
        { kind: "audio", voice: false, mime_type: "audio/mpeg" },
        { kind: "document", filename: "a.pdf" }
      ]) {
        const { body, status, text } = yield* simulate({ type: "media", media })
        assert.strictEqual(status, 202, text)
        const shown = yield* read(body.id)
        assert.match(shown.media.asset_id, /^mda_/)
        assert.strictEqual(shown.media.kind, media.kind)
        assert.deepStrictEqual("voice" in shown.media, "voice" in media)
        assert.strictEqual(shown.payload.media.caption, "caption" in media ? media.caption : null)
        const caption = media.kind === "audio" ? undefined : "caption" in media ? media.caption : null
        assert.strictEqual(shown.media.caption, caption)
        yield* turnBy(1000)
        assert.strictEqual((yield* announcedContent(body.id)).media.caption, caption)
      }
    })
  )

  it.effect("of locations, cards and orders are simulated as members of unknown U-INB-02", () =>
    Effect.gen(function* () {
      const { read, simulate } = yield* typedStage
      const location = { latitude: -23.5614, longitude: -46.6559, name: "MASP" }
      const contacts = [{ phones: ["+55 11 91234-5678"], emails: [], name: "Ana" }]
      const order = { items: [{ retailer_id: "di9", quantity: 2 }], text: "Sem cebola" }
      for (const [provider_type, unknown] of [
        ["location", { location: { ...location, url: null } }],
        ["contacts", { contacts: [{ name: "Ana", phones: ["+55 11 91234-5678"] }] }],
        ["order", { order, provider_type: "order" }]
      ] as const) {
        const { body, status, text } = yield* simulate({ type: "unknown", unknown })
        assert.strictEqual(status, 202, text)
        const shown = { provider_type, [provider_type]: { location, contacts, order }[provider_type] }
        assert.deepStrictEqual(yield* announcedContent(body.id), { type: "unknown", unknown: shown })
        assert.deepStrictEqual((yield* read(body.id)).unknown, shown)
      }
      const refused = (unknown: object, param: string) =>
        Effect.map(simulate({ type: "unknown", unknown }), (answer) =>
          assert.deepStrictEqual(told(answer), [400, "invalid_message_request", `unknown.${param}`])
        )
      yield* refused({ location: { latitude: 91, longitude: 0 } }, "location.latitude")
      yield* refused({ location, order }, "order")
      yield* refused({ location, provider_type: "order" }, "provider_type")
      yield* refused({ contacts: [] }, "contacts")
      yield* refused({ order: { items: [] } }, "order.items")
    })
  )

  it.effect("of corrections and withdrawals mark the message that they name U-INB-03", () =>
    Effect.gen(function* () {
      const { read, simulate } = yield* typedStage
      const from = "+5511974200009"
      const { id } = (yield* simulate({ from })).body
      yield* turnBy(2000)
      const named = { message_id: id, provider_message_id: `sb_${id}` }
      const content = { type: "text", text: { body: "parar" } }
      for (const [provider_type, mark, asked, shown] of [
        ["edit", "edited_at", { message_id: id, content }, { ...named, content }],
        ["revoke", "revoked_at", { message_id: id }, named]
      ] as const) {
        const made = yield* simulate({ from, type: "unknown", unknown: { [provider_type]: asked } })
        assert.strictEqual(made.status, 202, made.text)
        const unknown = { provider_type, [provider_type]: shown }
        assert.deepStrictEqual(yield* announcedContent(made.body.id), { type: "unknown", unknown })
        assert.strictEqual((yield* read(id))[mark], made.body.created_at)
        assert.strictEqual((yield* read(made.body.id)).payload.type, provider_type)
      }
      for (const [unknown, param] of [
        [{ edit: { message_id: id } }, "edit.content"],
        [{ edit: { message_id: "x", content } }, "edit.message_id"],
        [{ revoke: { message_id: id }, provider_type: "edit" }, "provider_type"],
        [{ revoke: { message_id: id }, edit: { message_id: id, content } }, "revoke"]
      ] as const) {
        const answer = yield* simulate({ type: "unknown", unknown })
        assert.deepStrictEqual(told(answer), [400, "invalid_message_request", `unknown.${param}`])
      }
    })
  )

  it.effect("name the source and what they quote, as simulated U-INB-04 U-INB-05", () =>
    Effect.gen(function* () {
      const { read, send, simulate } = yield* typedStage
      const { id } = (yield* send({ type: "text", text: { body: "oi" } })).body
      const referral = { source_type: "ad", click_id: "Aff-x", headline: "Agende hoje" }
      const referred_product = { catalog_id: "c-1", retailer_id: "di9" }
      const asked = { reply_to: { message_id: id }, forwarded: true, frequently_forwarded: null, referred_product }
      const made = yield* simulate({ context: asked, referral: { ...referral, body: null } })
      assert.strictEqual(made.status, 202, made.text)
      const context = {
        reply_to: { message_id: id, provider_message_id: `sb_${id}` },
        forwarded: true,
        frequently_forwarded: false,
        referral,
        referred_product
      }
      const data = yield* announcedData(made.body.id)
      assert.deepStrictEqual([data.context, data.referral], [context, referral])
      const shown = yield* read(made.body.id)
      assert.deepStrictEqual(shown.context, context)
      assert.deepStrictEqual([shown.payload.referral, shown.payload.context.forwarded], [referral, true])
      for (const nothing of [{}, { referral: null, context: null }, { referral: {} }]) {
        const plain = yield* simulate(nothing)
        assert.isNull((yield* read(plain.body.id)).context)
        assert.notProperty(yield* announcedData(plain.body.id), "context")
      }
      for (const [body, param] of [
        [{ context: { reply_to: { message_id: "wamid.1" } } }, "context.reply_to.message_id"],
        [{ context: { referred_product: {} } }, "context.referred_product.retailer_id"],
        [{ referral: { source_url: "" } }, "referral.source_url"]
      ] as const) {
        assert.deepStrictEqual(told(yield* simulate(body)), [400, "invalid_message_request", param])
      }
    })
  )

  it.effect("answer 400 with the object that is missing or wrong, gaps-2 J Inbound simulation shapes", () =>
    Effect.gen(function* () {
      const { simulate } = yield* typedStage
      const refused = (body: object, param: string) =>
        Effect.map(simulate(body), (answer) =>
          assert.deepStrictEqual(told(answer), [400, "invalid_message_request", param], JSON.stringify(body))
        )
      for (const type of ["text", "media", "interactive", "flow", "reaction"]) {
        yield* refused({ type, text: null }, type)
        yield* refused({ type, text: null, [type]: [] }, type)
      }
      yield* refused({ type: "media", media: { kind: "gif" } }, "media.kind")
      yield* refused({ type: "media", media: { kind: "image", voice: true } }, "media.voice")
      yield* refused({ type: "media", media: { kind: "image", asset_id: "x" } }, "media.asset_id")
      yield* refused({ type: "reaction", reaction: { message_id: "x", emoji: "👍" } }, "reaction.message_id")
      yield* refused(
        { type: "reaction", reaction: { message_id: "msg_01kah7v3m8q6x2r9d4t5w0y1z3", emoji: "x" } },
        "reaction.emoji"
      )
      yield* refused({ type: "flow", flow: {} }, "flow.response")
    })
  )

  it.effect("of the provider keep quote and forwarding as context M-READ-20..23", () =>
    Effect.gen(function* () {
      const { number, read, send, simulate } = yield* typedStage
      const sent = (yield* send({ type: "text", text: { body: "oi" } })).body
      yield* turnBy(1000)
      const quoting = (quoted_id: string | null, forwarded = false) =>
        hear(number, { context: { quoted_id, forwarded, frequently_forwarded: false } })
      assert.deepStrictEqual((yield* read((yield* quoting(`sb_${sent.id}`)).id)).context, {
        reply_to: { message_id: sent.id, provider_message_id: `sb_${sent.id}` },
        forwarded: false,
        frequently_forwarded: false
      })
      assert.deepStrictEqual((yield* read((yield* quoting("wamid.unknown")).id)).context.reply_to, {
        message_id: null,
        provider_message_id: "wamid.unknown"
      })
      assert.deepStrictEqual((yield* read((yield* quoting(null, true)).id)).context, {
        reply_to: null,
        forwarded: true,
        frequently_forwarded: false
      })
      assert.isNull((yield* read((yield* simulate()).body.id)).context)
    })
  )

  it.effect(
    'with a withheld phone open no window and make no contact gaps-2 E "Phone-withheld sender" M-INB-17 M-READ-13',
    () =>
      Effect.gen(function* () {
        const { number, read } = yield* typedStage
        const { id } = yield* hear(number, { customer_id: "", customer_key: "" })
        assert.deepStrictEqual((yield* read(id)).sender, {
          type: "phone_e164",
          id: "",
          profile_name: null,
          user_id: null,
          username: null
        })
        const sql = yield* SqlClient.SqlClient
        const place = number.environment_id
        assert.deepStrictEqual(
          yield* sql`select 1 from contacts where environment_id = ${place} and match_key = ''`,
          []
        )
        assert.deepStrictEqual(
          yield* sql`select 1 from service_windows where environment_id = ${place} and customer_key = ''`,
          []
        )
      })
  )
})
