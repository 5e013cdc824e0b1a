import { makeAcceptItem } from "@carteiro/runtime/messages/accept/AcceptItem.ts"
import { readRecipient } from "@carteiro/runtime/messages/message/Recipient.ts"
import { SendMessage } from "@carteiro/schema/messages/SendMessage.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
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

const read = (send: SendMessage, environment: "sandbox" | "production" = "sandbox") =>
  Result.flatMap(readRecipient(send.recipient), (customer) =>
    makeAcceptItem(
      { body: send, caller: { environment, environment_id: "env_1" }, traceId: "t", now: 5 },
      "msg_2",
      customer
    )
  )

describe("a send before any lookup", () => {
  it("is read into its stored form M-MSG-17, M-MSG-19, M-MSG-20, M-MSG-25", () => {
    const item = read(body({ metadata: { a: 1 }, reply_to: { message_id: "msg_1" } }))
    assert.deepStrictEqual(
      item,
      Result.succeed({
        id: "msg_2",
        environment_id: "env_1",
        environment: "sandbox" as const,
        channel: "chatapp" as const,
        type: "text" as const,
        customer_id: "+551191234567",
        customer_key: "5511991234567",
        content: jsonText({ type: "text", text: { body: "Olá", preview_url: true } }),
        metadata: jsonText({ a: 1 }),
        trace_id: "t",
        created_at: 5,
        claim: undefined,
        scenario: "success" as const,
        reply_to: "msg_1",
        names: undefined,
        file: undefined
      })
    )
  })

  it("keeps null metadata and reply_to as absent, gaps-1 A Null for an optional field", () => {
    const item = Result.getOrThrow(read(body({ metadata: null, reply_to: null })))
    assert.isNull(item.metadata)
    assert.isUndefined(item.reply_to)
  })

  it("is refused for its recipient before its scenario M-RCP-03", () => {
    const metadata = { sandbox_scenario: "nonsense" }
    const refusal = (changes: object, environment: "sandbox" | "production" = "sandbox") =>
      Result.match(read(body(changes), environment), {
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
