import {
  acceptedBody,
  appendEvent,
  eventItem,
  type MessageRow,
  progressData,
  receivedData,
  simulatedBody
} from "@carteiro/runtime/messages/message/MessageRead.ts"
import { accepted, transition } from "@carteiro/runtime/messages/message/MessageState.ts"
import { type ItemRow, itemText, messageBody } from "@carteiro/runtime/messages/message/MessageText.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import { Message, MessageAccepted } from "@carteiro/schema/messages/Message.ts"
import { type MessageEventType, messageEvents } from "@carteiro/schema/messages/MessageEvents.ts"
import { SimulatedInbound } from "@carteiro/schema/sandbox/Sandbox.ts"
import { type JsonText, jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const outbound: MessageRow = {
  id: "msg_1",
  environment_id: "env_1",
  channel: "chatapp",
  direction: "outbound",
  type: "text",
  status: "queued",
  status_reason: null,
  business_id: "pn_1",
  business_phone: "+5511400000000",
  customer_id: "+5511912345678",
  customer_key: "5511912345678",
  customer_name: "Ana",
  customer_user_id: "BR.1",
  customer_username: "@ana",
  provider: "sandbox",
  provider_message_id: null,
  template_name: null,
  template_id: null,
  template_version_id: null,
  template_version: null,
  batch_id: null,
  content_json: jsonText({ type: "text", text: { body: "Olá" } }),
  context_json: null,
  provider_json: null,
  metadata_json: jsonText({ order: 7 }),
  error_code: null,
  error_message: null,
  provider_error_json: null,
  events_json: appendEvent(jsonText([]), eventItem("mev_1", accepted(0, false).event as never)),
  trace_id: "0".repeat(32),
  created_at: 0,
  updated_at: 1,
  redacted_at: null,
  delivery_unconfirmed_at: null,
  edited_at: null,
  revoked_at: null,
  group_id: null,
  provider_group_id: null,
  source: null,
  pricing_json: jsonText({ billable: true, category: "utility", type: "regular", model: "PMP" })
}
const inbound: MessageRow = {
  ...outbound,
  direction: "inbound",
  status: "received",
  provider_message_id: "up_1",
  content_json: jsonText({ type: "text", text: { body: "Oi" } }),
  provider_json: jsonText<unknown>({ type: "text" }),
  metadata_json: null
}

const itemBody = (row: ItemRow, environment: EnvironmentKind) => JSON.parse(itemText(row, environment)) as Message

const exact = { onExcessProperty: "error" } as const
const keys = (schema: { readonly fields: object }) => Object.keys(schema.fields).toSorted()

describe("message read", () => {
  it("fits the contract with every member present M-READ-01, M-READ-11, M-READ-28, M-READ-30", () => {
    for (const row of [outbound, inbound]) {
      const body = messageBody(row, "sandbox")
      Schema.decodeUnknownSync(Message)(body, exact)
      const marks = new Set(["edited_at", "revoked_at", "group_id", "provider_group_id", "source"])
      assert.deepStrictEqual(
        Object.keys(body).toSorted(),
        keys(Message).filter((name) => !marks.has(name))
      )
    }
  })

  it("marks a corrected and a withdrawn message, in reads and lists U-INB-03", () => {
    const body = itemBody({ ...inbound, edited_at: 9, revoked_at: 10 }, "sandbox")
    assert.deepStrictEqual([body.edited_at, body.revoked_at], ["1970-01-01T00:00:00.009Z", "1970-01-01T00:00:00.010Z"])
    Schema.decodeUnknownSync(Message)(messageBody({ ...inbound, edited_at: 9, revoked_at: 10 }, "sandbox"), exact)
  })

  it("leaves context and payload out of plain rows M-READ-08, M-READ-20, M-READ-23", () => {
    const plain = itemBody(outbound, "sandbox")
    assert.notProperty(plain, "context")
    assert.notProperty(plain, "payload")
    assert.isNull(messageBody(outbound, "sandbox").context)
  })

  it("shows the profile name, id and username of an inbound sender only M-READ-12, M-READ-14, U-HID-01", () => {
    assert.deepStrictEqual(itemBody(outbound, "sandbox").sender, {
      type: "chatapp_phone_number",
      id: "pn_1",
      profile_name: null
    })
    assert.deepStrictEqual(itemBody(inbound, "sandbox").sender, {
      type: "phone_e164",
      id: "+5511912345678",
      profile_name: "Ana",
      user_id: "BR.1",
      username: "@ana"
    })
    assert.deepStrictEqual(itemBody(inbound, "sandbox").recipient, {
      type: "chatapp_phone_number",
      id: "pn_1"
    })
    assert.strictEqual(itemBody({ ...inbound, customer_id: "" }, "production").sender.id, "")
  })

  it("shows request and response outbound, the raw message inbound M-READ-24", () => {
    assert.deepStrictEqual(messageBody(outbound, "sandbox").payload, {
      request: { type: "text", text: { body: "Olá" } },
      response: null
    })
    assert.deepStrictEqual(messageBody(inbound, "sandbox").payload, { type: "text" })
  })

  it("shows metadata as sent or null M-READ-25", () => {
    assert.deepStrictEqual(itemBody(outbound, "sandbox").metadata, { order: 7 })
    assert.isNull(itemBody(inbound, "sandbox").metadata)
  })

  it("projects unsupported and unknown inbound content, null otherwise M-READ-17, M-READ-18, M-READ-19", () => {
    const unsupported = { provider_type: "video_note", reason: { code: 131051, message: "No." } }
    const content_json = jsonText({ type: "unsupported", unsupported })
    const refused = itemBody({ ...inbound, type: "unsupported", content_json }, "sandbox")
    assert.deepStrictEqual(refused.unsupported, unsupported)
    assert.isNull(refused.unknown)
    const unknown = jsonText({ type: "unknown", unknown: { provider_type: "location" } })
    const odd = itemBody({ ...inbound, type: "unknown", content_json: unknown }, "sandbox")
    assert.deepStrictEqual(odd.unknown, { provider_type: "location" })
    for (const body of [itemBody(inbound, "sandbox"), itemBody(outbound, "sandbox")]) {
      assert.deepStrictEqual([body.media, body.unsupported, body.unknown], [null, null, null])
    }
  })

  it("survives redaction M-READ-29", () => {
    const cleared = {
      content_json: null,
      metadata_json: null,
      provider_json: null,
      customer_name: null,
      redacted_at: 9
    }
    for (const row of [outbound, inbound]) {
      const body = messageBody({ ...row, ...cleared }, "sandbox")
      Schema.decodeUnknownSync(Message)(body, exact)
      assert.isNull(body.payload)
      assert.strictEqual(body.redacted_at, "1970-01-01T00:00:00.009Z")
    }
  })

  it("shows texts of customers and providers, whatever they contain M-READ-11, M-READ-12", () => {
    const odd = 'Ana "Nina"\\\n\u2028\u0000 ção 🎉'
    const body = messageBody(
      {
        ...inbound,
        customer_id: odd,
        customer_name: odd,
        customer_username: odd,
        provider_message_id: odd,
        error_message: odd
      },
      "sandbox"
    )
    assert.deepStrictEqual(body.sender, {
      type: "phone_e164",
      id: odd,
      profile_name: odd,
      user_id: "BR.1",
      username: odd
    })
    assert.deepStrictEqual([body.provider_message_id, body.error_message], [odd, odd])
  })

  it("shows items like details, without context and payload gaps-2 B Plain list rows", () => {
    for (const row of [outbound, inbound, { ...outbound, updated_at: 0, events_json: null }]) {
      const { context, payload, ...rest } = messageBody(row, "production")
      assert.deepStrictEqual<object>(itemBody(row, "production"), rest)
    }
  })

  it("keeps events oldest first M-READ-30", () => {
    const sending = transition(accepted(0, false).state, { _tag: "Reserve" }, 5)
    const events_json = appendEvent(outbound.events_json ?? jsonText([]), eventItem("mev_2", sending.event as never))
    assert.deepStrictEqual(
      itemBody({ ...outbound, events_json }, "sandbox").events.map(({ id, type }) => `${id} ${type}`),
      ["mev_1 message.queued", "mev_2 message.sending"]
    )
  })
})

describe("other projections of a row", () => {
  it("gives the accept response exactly its members M-MSG-03..13", () => {
    const body = acceptedBody({ ...outbound, status_reason: "messaging_limit_pacing" }, "sandbox")
    Schema.decodeUnknownSync(MessageAccepted)(body, exact)
    assert.deepStrictEqual(Object.keys(body).toSorted(), keys(MessageAccepted))
    assert.strictEqual(body.created_at, "1970-01-01T00:00:00.000Z")
  })

  it("gives the simulation response exactly its members M-SBX-16", () => {
    const body = simulatedBody(inbound, "sandbox")
    Schema.decodeUnknownSync(SimulatedInbound)(body, exact)
    assert.deepStrictEqual(Object.keys(body).toSorted(), keys(SimulatedInbound))
  })

  it("gives each event its data M-EVT-01, M-EVT-02, M-EVT-03, M-EVT-04, M-EVT-10", () => {
    const failed = { ...outbound, status: "failed", error_code: "upstream_rejected", error_message: "No." } as const
    const referral = { source_type: "ad" }
    const context_json = jsonText({ reply_to: null, forwarded: true, frequently_forwarded: false, referral })
    const group = { group_id: null, provider_group_id: "g1" }
    const heard_at = Date.parse("2026-01-01T12:00:00Z")
    const rows: Record<MessageEventType, MessageRow> = {
      "message.sent": outbound,
      "message.delivered": outbound,
      "message.read": outbound,
      "message.failed": failed,
      "message.received": inbound
    }
    for (const type of Object.keys(rows) as Array<MessageEventType>) {
      const row = rows[type]
      const data =
        type === "message.received"
          ? receivedData(row, {
              content_json: row.content_json as JsonText<InboundContent>,
              context_json,
              group,
              heard_at
            })
          : progressData(row, type, heard_at)
      const schema: Schema.ConstraintDecoder<unknown> & { readonly fields: object } = messageEvents[type].data
      Schema.decodeUnknownSync(schema)(data, exact)
      assert.deepStrictEqual(Object.keys(data).toSorted(), keys(schema), type)
    }
    assert.deepInclude(progressData(outbound, "message.sent", heard_at), {
      to: "+5511912345678",
      from: "+5511400000000"
    })
  })
})
