import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { messageCount, typedStage } from "./TypedSending.ts"

const buttons = {
  type: "interactive",
  interactive: {
    type: "button",
    body: { text: "Confirma?" },
    action: { buttons: [{ type: "reply", reply: { id: "yes", title: "Sim" } }] }
  }
}

const order = {
  type: "interactive",
  interactive: {
    type: "order_details",
    body: { text: "Seu pedido" },
    action: {
      name: "review_and_pay",
      parameters: {
        reference_id: "pay_01kah7v3m8q6x2r9d4t5w0y1z3",
        type: "digital-goods",
        payment_type: "br",
        payment_settings: [
          {
            type: "pix_dynamic_code",
            pix_dynamic_code: { code: "00020126", merchant_name: "Loja", key: "11222333000181", key_type: "CNPJ" }
          }
        ],
        currency: "BRL",
        total_amount: { value: 1990, offset: 100 }
      }
    }
  }
}

const media = { type: "media", media: { kind: "image", link: "https://example.test/a.png", caption: "Olha" } }
const stranger = { recipient: { type: "phone_e164", id: "+5521998765432" } }

const switchOff = Effect.fnUntraced(function* (environmentId: string, families: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update environments set capabilities_off = ${JSON.stringify(families)} where id = ${environmentId}`
}, Effect.orDie)

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Free-form sends", (it) => {
  it.effect("of every type are stored, sent and read unchanged M-MSG-18 M-MSG-57 M-MSG-58", () =>
    Effect.gen(function* () {
      const { read, send } = yield* typedStage
      for (const message of [buttons, order]) {
        const { body, status, text } = yield* send(message)
        assert.strictEqual(status, 202, text)
        yield* turnBy(3000)
        const shown = yield* read(body.id)
        assert.deepInclude(shown, { type: "interactive", status: "read", template_id: null, media: null })
        assert.deepStrictEqual(shown.payload.request, message)
      }
    })
  )

  it.effect("need an open window whatever their type M-MSG-22 M-MSG-50 M-MSG-56 M-WIN-05", () =>
    Effect.gen(function* () {
      const { project, send } = yield* typedStage
      for (const message of [buttons, order, media]) {
        const answer = yield* send(message, stranger)
        assert.deepStrictEqual(told(answer), [400, "service_window_required", "message.type"])
      }
      assert.strictEqual(yield* messageCount(project.sandbox.id), 0)
    })
  )

  it.effect(
    'need families switched on: messaging, and payments for an order gaps-2 A "Feature families" M-MSG-57 M-ERR-08',
    () =>
      Effect.gen(function* () {
        const { project, send } = yield* typedStage
        yield* switchOff(project.sandbox.id, ["payments"])
        assert.strictEqual((yield* send(buttons)).status, 202)
        for (const more of [{}, stranger, { sender: { type: "chatapp_phone_number", id: "pn_none" } }]) {
          const answer = yield* send(order, more)
          assert.deepStrictEqual(told(answer).slice(0, 2), [403, "feature_disabled"])
          assert.deepStrictEqual(answer.body.error.details, { feature: "payments" })
        }
        yield* switchOff(project.sandbox.id, ["messaging"])
        assert.deepStrictEqual((yield* send(order)).body.error.details, { feature: "messaging" })
        yield* switchOff(project.sandbox.id, [])
        assert.strictEqual((yield* send(order)).status, 202)
      })
  )

  it.effect("may quote on every type M-REPLY-05", () =>
    Effect.gen(function* () {
      const { read, send, simulate } = yield* typedStage
      const quoted = (yield* simulate()).body
      const welcome = { type: "template", template: { name: "welcome", language: "pt_BR", variables: { 1: "Ana" } } }
      for (const message of [buttons, order, media, welcome]) {
        const { body, status, text } = yield* send(message, { reply_to: { message_id: quoted.id } })
        assert.strictEqual(status, 202, text)
        assert.strictEqual((yield* read(body.id)).context.reply_to.message_id, quoted.id)
        const none = yield* send(message, { reply_to: { message_id: "msg_none" } })
        assert.deepStrictEqual(told(none), [404, "message_not_found", "reply_to.message_id"])
      }
    })
  )

  it.effect('of files are read with a descriptor too gaps-2 B "Inner read shapes" M-READ-17', () =>
    Effect.gen(function* () {
      const { read, send } = yield* typedStage
      const described = (source: object) => Effect.map(send({ type: "media", media: source }), ({ body }) => body.id)
      const link = yield* described({ kind: "image", link: "https://example.test/a.png" })
      const nothing = { provider_media_id: null, mime_type: null, byte_length: null, filename: null, failure: null }
      assert.deepStrictEqual((yield* read(link)).media, {
        ...nothing,
        asset_id: null,
        kind: "image",
        status: "pending",
        download: null
      })
      const handle = yield* described({ kind: "audio", id: "1234", voice: true })
      assert.deepInclude((yield* read(handle)).media, { asset_id: null, provider_media_id: "1234", voice: true })
    })
  )

  it.effect("of voice are sent unchanged when the type of the file is unknown here M-MSG-43 M-MSG-44", () =>
    Effect.gen(function* () {
      const { read, send } = yield* typedStage
      const { body } = yield* send({ type: "media", media: { kind: "audio", id: "1234", voice: true } })
      yield* turnBy(10_000)
      const sent = yield* read(body.id)
      assert.deepStrictEqual([sent.status, sent.error_code], ["read", null])
      assert.deepInclude(sent.media, { mime_type: null, voice: true })
    })
  )

  it.effect("may carry only text and media on the other channels M-MSG-15", () =>
    Effect.gen(function* () {
      const { send } = yield* typedStage
      const broadcast = { channel: "chatapp_channel", recipient: { type: "chatapp_channel", id: "news" } }
      for (const message of [media, { type: "text", text: { body: "Novidade" } }]) {
        assert.strictEqual((yield* send(message, broadcast)).status, 202)
      }
      for (const message of [buttons, order]) {
        assert.deepStrictEqual(told(yield* send(message, broadcast)), [400, "invalid_message_request", "message.type"])
      }
    })
  )
})
