import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { messageBody } from "../../packages/provider-upstream/UpstreamWire.ts"
import { UpstreamProduct } from "../support/Upstream.ts"
import { upstreamCase } from "../support/UpstreamCase.ts"
import { hiddenStage } from "./HiddenStage.ts"

const to = (user_id: string) => ({ recipient: { type: "chatapp_user_id", id: user_id } })

it.layer(UpstreamProduct(), { excludeTestServices: true })("Recipients who hide their phone", (it) => {
  it("are named to the platform as `recipient`, never in `to` U-HID-02", () => {
    const { want_on_the_wire: wanted } = upstreamCase("send-to-bsuid")
    const content = { type: "text", body: "…", preview_url: false } as const
    const bodyOf = (recipient: string): Readonly<Record<string, unknown>> =>
      messageBody(
        {
          message_id: "msg_1",
          channel: "chatapp",
          sender: { id: "1", phone: null },
          recipient,
          content,
          reply_to: null
        },
        { content, file: undefined },
        "whatsapp"
      )
    const { biz_opaque_callback_data: _, ...hidden } = bodyOf(wanted.recipient)
    assert.deepStrictEqual({ ...hidden, text: wanted.text }, wanted)
    assert.notProperty(bodyOf("+5511912345678"), "recipient")
    assert.strictEqual(bodyOf("+5511912345678").to, "+5511912345678")
  })

  it.effect("are answered within their window U-HID-02", () =>
    Effect.gen(function* () {
      const { heard, read, send, text } = yield* hiddenStage
      const user_id = upstreamCase("send-to-bsuid").tried[2].recipient.id
      const closed = yield* send(text("oi"), "", to(user_id))
      assert.deepStrictEqual(closed.body.error.code, "service_window_required")
      yield* heard({ user_id })
      const sent = yield* send(text("Olá"), "", to(user_id))
      assert.strictEqual(sent.status, 202, sent.text)
      assert.deepStrictEqual((yield* read(sent.body.id)).recipient, to(user_id).recipient)
    })
  )

  it.effect("get the message at their phone where it is known, and share one history U-HID-02 U-HID-03", () =>
    Effect.gen(function* () {
      const { api, heard, key, read, send, text } = yield* hiddenStage
      const user_id = "BR.7100000000000001"
      yield* heard({ from: "5511971000001", user_id })
      const sent = yield* send(text("Olá"), "", to(user_id))
      assert.strictEqual(sent.status, 202, sent.text)
      assert.deepStrictEqual((yield* read(sent.body.id)).recipient, { type: "phone_e164", id: "+5511971000001" })
      const list = (recipient: string) =>
        Effect.map(api.get(`/v1/messages?recipient=${encodeURIComponent(recipient)}`, { key }), ({ body }) =>
          body.data.map(({ id }: { readonly id: string }) => id)
        )
      assert.deepStrictEqual(yield* list(user_id), [sent.body.id])
      assert.deepStrictEqual(yield* list("+5511971000001"), [sent.body.id])
    })
  )

  it.effect("who opted out get nothing, by either id U-HID-03", () =>
    Effect.gen(function* () {
      const { heard, send, text } = yield* hiddenStage
      const user_id = "BR.7100000000000002"
      yield* heard({ user_id }, "PARAR")
      const hidden = yield* send(text("Olá"), "", to(user_id))
      assert.strictEqual(hidden.body.error.code, "contact_opted_out")
      yield* heard({ from: "5511971000002", user_id })
      for (const more of [to(user_id), {}]) {
        const { body } = yield* send(text("Olá"), "+5511971000002", more)
        assert.strictEqual(body.error.code, "contact_opted_out")
      }
    })
  )

  it.effect("take reactions and typing indicators U-HID-02", () =>
    Effect.gen(function* () {
      const { api, heard, key, send } = yield* hiddenStage
      const user_id = "BR.7100000000000003"
      const message_id = yield* heard({ user_id })
      const reaction = { type: "reaction", reaction: { message_id, emoji: "👍" } }
      const reacted = yield* send(reaction, "", to(user_id))
      assert.strictEqual(reacted.status, 202, reacted.text)
      const replied = yield* send({ type: "text", text: { body: "eu" } }, "", {
        ...to(user_id),
        reply_to: { message_id }
      })
      assert.strictEqual(replied.status, 202, replied.text)
      assert.strictEqual((yield* api.post(`/v1/messages/${message_id}/typing`, {}, { key })).status, 200)
    })
  )

  it.effect("are refused with the member that is wrong U-HID-02", () =>
    Effect.gen(function* () {
      const { send, text } = yield* hiddenStage
      for (const [recipient, param] of [
        [{ type: "chatapp_user_id", id: "+5511912345678" }, "recipient.id"],
        [{ type: "chatapp_user_id", id: "br.1" }, "recipient.id"],
        [{ type: "chatapp_user_id" }, "recipient.id"]
      ] as const) {
        const { body, status } = yield* send(text("oi"), "", { recipient })
        assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "invalid_message_request", param])
      }
      const social = yield* send(text("oi"), "", { ...to("BR.1"), channel: "socialapp" })
      assert.strictEqual(social.status, 400)
    })
  )

  it.effect("get no authentication template while their phone is hidden U-HID-04", () =>
    Effect.gen(function* () {
      const { heard, seedTemplates, send } = yield* hiddenStage
      yield* seedTemplates
      const user_id = "BR.7100000000000004"
      yield* heard({ user_id })
      const template = { name: "code", language: "pt_BR", variables: { "1": "123456" } }
      const refused = yield* send({ type: "template", template }, "", to(user_id))
      assert.deepStrictEqual(
        [refused.status, refused.body.error.code, refused.body.error.param],
        [400, "invalid_message_request", "recipient.type"]
      )
    })
  )

  it.effect("that the platform refuses for want of a phone have a code of their own U-HID-04", () =>
    Effect.gen(function* () {
      const { faults, heard, read, reaches, send, tell, text } = yield* hiddenStage
      const { input } = upstreamCase("status-bsuid-131062")
      yield* heard({ from: "5511971000005" })
      yield* faults({ name: "no_status", times: 1 })
      const { id } = (yield* send(text("oi"), "+5511971000005")).body
      yield* reaches(id, "sent")
      const [status] = input.entry[0].changes[0].value.statuses
      status.id = (yield* read(id)).provider_message_id
      yield* tell(input)
      yield* reaches(id, "failed")
      const failed = yield* read(id)
      assert.strictEqual(failed.error_code, "upstream_recipient_phone_required")
      assert.strictEqual(failed.provider_error.code, 131062)
    })
  )
})
