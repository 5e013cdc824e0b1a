import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { sendAnswer } from "../../packages/provider-upstream/UpstreamAnswers.ts"
import { messageBody } from "../../packages/provider-upstream/UpstreamWire.ts"

/** Returns the meaning of a refused send. */
const answerTo = (status: number, error: object | undefined) =>
  sendAnswer({ _tag: "Answered", status, json: error === undefined ? undefined : { error } })

it("temporary refusals are repeated by the schedule, whatever their status U-SND-09", () => {
  for (const code of [1, 2, 341, 131000, 131016, 131057, 133004]) {
    assert.deepInclude(
      answerTo(400, { code, message: "later" }),
      { _tag: "NotSent", reason: "transient" },
      String(code)
    )
  }
  for (const code of [4, 17, 613, 80007, 130429]) {
    assert.deepInclude(
      answerTo(400, { code, message: "later" }),
      { _tag: "NotSent", reason: "throughput" },
      String(code)
    )
  }
  for (const code of [131048, 131056]) {
    assert.deepInclude(answerTo(400, { code, message: "later" }), { _tag: "NotSent", reason: "pair" }, String(code))
  }
  assert.deepInclude(answerTo(400, { code: 100, is_transient: true }), { _tag: "NotSent", reason: "transient" })
})

it("a lock that passes is repeated, and one that stays ends the message U-SND-09", () => {
  assert.deepInclude(answerTo(400, { code: 368, is_transient: true }), { _tag: "NotSent", reason: "transient" })
  const stays = answerTo(400, { code: 368, message: "Temporarily blocked for policies violations" })
  assert.deepInclude(stays, { _tag: "Rejected", code: "upstream_business_account_locked" })
})

it("a failing server without the platform's error body is ambiguous, and never repeated U-SND-09 M-DLV-23", () => {
  assert.deepStrictEqual(answerTo(503, undefined), { _tag: "Unknown" })
  assert.deepStrictEqual(answerTo(502, { message: "upstream timed out" }), { _tag: "Unknown" })
  assert.deepInclude(answerTo(503, { code: 131016, message: "Service overloaded" }), { _tag: "NotSent" })
})

it("a missing permission has its own code, and every refusal keeps the platform's number U-SND-10", () => {
  for (const code of [10, 200, 131005]) {
    const answer = answerTo(403, { code, message: "denied" })
    assert.deepInclude(answer, { _tag: "Rejected", code: "upstream_messaging_permission_missing" }, String(code))
  }
  const { input } = JSON.parse(
    readFileSync(new URL("../cases/upstream/status-bsuid-131062.json", import.meta.url), "utf8")
  )
  const [error] = input.entry[0].changes[0].value.statuses[0].errors
  const refused = answerTo(400, error)
  if (refused._tag !== "Rejected") return assert.fail(refused._tag)
  assert.deepInclude(refused.error, { code: 131062, title: error.title })
  const bare = answerTo(404, undefined)
  assert.deepInclude(bare._tag === "Rejected" ? bare.error : null, { provider: "upstream", http_status: 404 })
})

it("no send names a channel, which the platform does not take U-SND-12", () => {
  const { request } = JSON.parse(
    readFileSync(new URL("../cases/upstream/request-recipient-type-channel.json", import.meta.url), "utf8")
  )
  const content = { type: "text", body: "x", preview_url: false } as const
  const sender = { id: "pn_1", phone: null }
  const send = {
    message_id: "msg_1",
    channel: "chatapp_channel",
    sender,
    recipient: request.to,
    content,
    reply_to: null
  } as const
  assert.strictEqual(messageBody(send, { content, file: undefined }, "whatsapp").recipient_type, "individual")
})
