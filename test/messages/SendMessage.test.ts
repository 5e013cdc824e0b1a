import { contentOf } from "@carteiro/schema/messages/content/OutboundContent.ts"
import { MessagesApi } from "@carteiro/schema/messages/MessagesApi.ts"
import { SendMessage } from "@carteiro/schema/messages/SendMessage.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import fc from "fast-check"
import { bodyVerdict, withField } from "./Decoding.ts"

const verdict = bodyVerdict(MessagesApi, "create")

const chat = {
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3" },
  recipient: { type: "phone_e164", id: "+5511912345678" },
  message: { type: "text", text: { body: "Olá" } }
}
const social = {
  ...chat,
  channel: "socialapp",
  sender: { type: "social_account", id: "pcn_1" },
  recipient: { type: "social_user", id: "opaque" }
}
const broadcast = { ...chat, channel: "chatapp_channel", recipient: { type: "chatapp_channel", id: "news" } }

const answers = (base: object, path: string, value: unknown, expected: string) =>
  assert.strictEqual(verdict(withField(base, path, value)), expected, `${path} = ${JSON.stringify(value)}`)

describe("body of POST /v1/messages", () => {
  it("has a text on each channel M-MSG-15, M-MSG-16, M-MSG-17, M-MSG-25", () => {
    for (const body of [chat, social, broadcast]) assert.strictEqual(verdict(body), "ok")
  })

  it("accepts the structured recipient form M-MSG-17, M-RCP-10", () => {
    answers(chat, "recipient", { type: "phone_e164", country_calling_code: "55", national_number: "11912345678" }, "ok")
    answers(
      chat,
      "recipient",
      { type: "phone_e164", country_calling_code: 55, national_number: "11912345678" },
      "invalid_message_request recipient.country_calling_code"
    )
  })

  it("ignores unknown fields, gaps-2 A Unknown body fields", () => {
    answers(chat, "extra", 1, "ok")
    answers(chat, "message.text.extra", 1, "ok")
  })

  it("reads null for an optional field as absent, gaps-1 A Null for an optional field", () => {
    for (const path of ["reply_to", "metadata", "message.text.preview_url", "recipient.national_number"]) {
      answers(chat, path, null, "ok")
    }
    for (const path of ["channel", "sender", "recipient", "message", "message.text.body"]) {
      answers(chat, path, null, `invalid_message_request ${path}`)
    }
  })

  it("names the missing or wrong field M-MSG-21", () => {
    for (const path of [
      "channel",
      "sender",
      "sender.type",
      "sender.id",
      "recipient",
      "recipient.type",
      "message",
      "message.type",
      "message.text",
      "message.text.body"
    ]) {
      answers(chat, path, undefined, `invalid_message_request ${path}`)
      answers(chat, path, 7, `invalid_message_request ${path}`)
    }
    answers(chat, "message.text.preview_url", "yes", "invalid_message_request message.text.preview_url")
    answers(chat, "reply_to", "msg_1", "invalid_message_request reply_to")
    answers(chat, "reply_to", {}, "invalid_message_request reply_to.message_id")
    answers(chat, "metadata", [], "invalid_message_request metadata")
    assert.strictEqual(verdict([]), "invalid_message_request -")
  })

  it("reports the first violation in the order of the contract M-MSG-21", () => {
    assert.strictEqual(verdict({ metadata: 1 }), "invalid_message_request channel")
    const noSender = { ...chat, sender: { type: "chatapp_phone_number" }, message: { type: "text" }, metadata: [] }
    assert.strictEqual(verdict(noSender), "invalid_message_request sender.id")
    const noBody = { ...chat, message: { text: { body: 1 }, type: "text" }, metadata: [] }
    assert.strictEqual(verdict(noBody), "invalid_message_request message.text.body")
  })

  it("needs the object named like the type M-MSG-18", () => {
    for (const type of ["text", "template", "media", "interactive", "flow", "reaction"]) {
      answers(chat, "message", { type }, `invalid_message_request message.${type}`)
      answers(chat, "message", { type, [type]: null }, `invalid_message_request message.${type}`)
      answers(chat, "message", { type, [type]: "text" }, `invalid_message_request message.${type}`)
    }
  })

  it("names message.type for an unknown type M-MSG-18", () => {
    for (const type of ["unsupported", "unknown", "video", "order_details"]) {
      const message = { type, [type]: {} }
      answers(chat, "message", message, "invalid_message_request message.type")
    }
  })

  it("counts a text in code points, 1 to 4096, gaps-2 B Content bounds and optional fields", () => {
    answers(chat, "message.text.body", "👍".repeat(4096), "ok")
    answers(chat, "message.text.body", "👍".repeat(4097), "invalid_message_request message.text.body")
    answers(chat, "message.text.body", "", "invalid_message_request message.text.body")
    answers(chat, "message.text.body", "line\nline\t", "ok")
    answers(chat, "message.text.body", "notifier\u0007", "invalid_message_request message.text.body")
  })

  it("refuses both or neither recipient form M-MSG-17, gaps-2 B Both or neither recipient form", () => {
    const param = "invalid_message_request recipient"
    answers(chat, "recipient", { type: "phone_e164" }, param)
    answers(chat, "recipient", { type: "phone_e164", id: null }, param)
    answers(chat, "recipient.national_number", "11912345678", param)
    answers(chat, "recipient", { type: "phone_e164", national_number: "1" }, `${param}.country_calling_code`)
    answers(chat, "recipient", { type: "phone_e164", country_calling_code: "1" }, `${param}.national_number`)
  })

  it("refuses a sender or recipient of another channel, gaps-2 B Social and channel addressing", () => {
    answers(chat, "sender.type", "social_account", "invalid_message_request sender.type")
    answers(chat, "recipient", social.recipient, "invalid_message_request recipient.type")
    answers(social, "recipient", chat.recipient, "invalid_message_request recipient.type")
    answers(broadcast, "recipient", social.recipient, "invalid_message_request recipient.type")
    answers(chat, "channel", "sms", "invalid_message_request channel")
  })

  it("limits an opaque recipient to 1 to 255 characters, gaps-2 B Social and channel addressing", () => {
    answers(social, "recipient.id", "x".repeat(255), "ok")
    for (const id of ["", "x".repeat(256), undefined]) {
      answers(social, "recipient.id", id, "invalid_message_request recipient.id")
    }
  })

  it("allows a quoted message everywhere but on the social channel M-MSG-19, M-REPLY-04, M-REPLY-05", () => {
    answers(chat, "reply_to", { message_id: "msg_1" }, "ok")
    answers(social, "reply_to", { message_id: "msg_1" }, "invalid_message_request reply_to")
  })

  it("limits metadata by keys, key length and bytes M-MSG-20, gaps-2 A Unknown body fields", () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
    answers(chat, "metadata", keys(50), "ok")
    answers(chat, "metadata", keys(51), "invalid_message_request metadata")
    answers(chat, "metadata", { ["é".repeat(64)]: 1 }, "ok")
    answers(chat, "metadata", { ["k".repeat(65)]: 1 }, "invalid_message_request metadata")
    answers(chat, "metadata", { "": 1 }, "invalid_message_request metadata")
    answers(chat, "metadata", { k: "x".repeat(16_384 - 8) }, "ok")
    answers(chat, "metadata", { k: "x".repeat(16_384 - 7) }, "invalid_message_request metadata")
    answers(chat, "metadata", { k: "é".repeat(8_192) }, "invalid_message_request metadata")
  })

  it("stores metadata unchanged, hostile keys included M-READ-25", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }),
        (map) => {
          const metadata = JSON.parse(JSON.stringify(map))
          const decoded = Schema.decodeUnknownSync(SendMessage)({ ...chat, metadata })
          assert.strictEqual(JSON.stringify(decoded.metadata), JSON.stringify(metadata))
        }
      )
    )
    const metadata = JSON.parse('{"__proto__":{"a":1}}')
    const decoded = Schema.decodeUnknownSync(SendMessage)({ ...chat, metadata })
    assert.strictEqual(JSON.stringify(decoded.metadata), '{"__proto__":{"a":1}}')
  })

  it("stores the type and its object without the caller's nulls M-MSG-25", () => {
    const read = (text: object) =>
      contentOf(Schema.decodeUnknownSync(SendMessage)({ ...chat, message: { type: "text", text } }).message)
    assert.deepStrictEqual(read({ body: "a", preview_url: null }), { type: "text", text: { body: "a" } })
    assert.deepStrictEqual(read({ body: "a", preview_url: false }), {
      type: "text",
      text: { body: "a", preview_url: false }
    })
  })
})
