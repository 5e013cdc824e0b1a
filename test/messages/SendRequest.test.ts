import { readSend } from "@carteiro/runtime/messages/accept/SendRequest.ts"
import { SendMessage } from "@carteiro/schema/messages/SendMessage.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"

const body = (changes: object) =>
  Schema.decodeUnknownSync(SendMessage)({
    channel: "chatapp",
    sender: { type: "chatapp_phone_number", id: "pn_1" },
    recipient: { type: "phone_e164", id: "55 11 9123-4567" },
    message: { type: "text", text: { body: "Olá", preview_url: true } },
    ...changes
  })

describe("a send before any lookup", () => {
  it("is read into what storage keeps M-MSG-17, M-MSG-19, M-MSG-20, M-MSG-25", () => {
    const read = readSend("sandbox", body({ metadata: { a: 1 }, reply_to: { message_id: "msg_1" } }))
    assert.deepStrictEqual(
      read,
      Result.succeed({
        channel: "chatapp" as const,
        business_id: "pn_1",
        customer: { type: "phone_e164" as const, id: "+551191234567", key: "5511991234567" },
        content: { type: "text" as const, text: { body: "Olá", preview_url: true } },
        scenario: "success" as const,
        reply_to: "msg_1",
        metadata_json: '{"a":1}'
      })
    )
  })

  it("keeps null metadata and reply_to as absent, gaps-1 A Null for an optional field", () => {
    const read = Result.getOrThrow(readSend("sandbox", body({ metadata: null, reply_to: null })))
    assert.isNull(read.metadata_json)
    assert.isUndefined(read.reply_to)
  })

  it("is refused for its recipient before its scenario M-RCP-03", () => {
    const metadata = { sandbox_scenario: "nonsense" }
    const refusal = (changes: object, environment: "sandbox" | "production" = "sandbox") =>
      Result.match(readSend(environment, body(changes)), {
        onSuccess: () => "ok",
        onFailure: ({ _tag, param }) => `${_tag} ${param}`
      })
    assert.strictEqual(
      refusal({ recipient: { type: "phone_e164", id: "" }, metadata }),
      "invalid_phone_e164 recipient.id"
    )
    assert.strictEqual(refusal({ metadata }), "invalid_message_request metadata.sandbox_scenario")
    assert.strictEqual(refusal({ metadata }, "production"), "ok")
  })
})
