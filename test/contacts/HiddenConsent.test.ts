import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { hiddenStage } from "../messages/HiddenStage.ts"
import { UpstreamProduct } from "../support/Upstream.ts"

it.layer(UpstreamProduct(), { excludeTestServices: true })("Consent of customers who hide their phone", (it) => {
  it.effect("is given and withdrawn by their id, and holds for the phone once both are known U-HID-02 U-HID-03", () =>
    Effect.gen(function* () {
      const { api, contacts, heard, key } = yield* hiddenStage
      const user_id = "BR.7200000000000001"
      const out = yield* api.post("/v1/contacts/opt-out", { user_id, source: "support" }, { key })
      assert.strictEqual(out.status, 200, out.text)
      assert.deepInclude(out.body, { phone: "", user_id, opt_in_status: "opted_out", source: "support" })
      assert.deepStrictEqual(
        (yield* contacts(`&user_id=${user_id}`)).map(({ id }) => id),
        [out.body.id]
      )
      yield* heard({ from: "5511972000001", user_id })
      const [joined] = yield* contacts("&phone=%2B5511972000001")
      assert.deepInclude(joined, { id: out.body.id, user_id, opt_in_status: "opted_out" as const })
      const back = yield* api.post("/v1/contacts/opt-in", { user_id }, { key })
      assert.deepInclude(back.body, { id: out.body.id, phone: "+5511972000001", opt_in_status: "opted_in" })
    })
  )

  it.effect("takes a phone or an id, exactly one U-HID-02", () =>
    Effect.gen(function* () {
      const { api, key } = yield* hiddenStage
      for (const [body, param] of [
        [{ phone: "+5511972000002", user_id: "BR.1" }, "user_id"],
        [{}, "phone"],
        [{ user_id: "+5511972000002" }, "user_id"]
      ] as const) {
        const refused = yield* api.post("/v1/contacts/opt-out", body, { key })
        assert.deepStrictEqual(
          [refused.status, refused.body.error.code, refused.body.error.param],
          [400, "invalid_contact_request", param]
        )
      }
    })
  )

  it.effect("is imported by ids beside phones, each person once U-HID-02", () =>
    Effect.gen(function* () {
      const { api, heard, key } = yield* hiddenStage
      const user_id = "BR.7200000000000003"
      yield* heard({ from: "5511972000003", user_id })
      const { body } = yield* api.post(
        "/v1/contacts/bulk-import",
        { rows: [{ phone: "+5511972000003" }, { user_id }, { user_id: "BR.7200000000000004", metadata: { a: 1 } }] },
        { key }
      )
      assert.deepStrictEqual(
        body.data.map((one: { readonly phone: string; readonly user_id: string }) => [one.phone, one.user_id]),
        [
          ["+5511972000003", user_id],
          ["", "BR.7200000000000004"]
        ]
      )
      assert.strictEqual(body.imported, 2)
    })
  )

  it.effect("outlives an erasure by either id, also when a notice brings the other one U-HID-03", () =>
    Effect.gen(function* () {
      const { api, contacts, heard, key, send, text } = yield* hiddenStage
      const user_id = "BR.7200000000000005"
      yield* heard({ user_id }, "PARAR")
      const [hidden] = yield* contacts(`&user_id=${user_id}`)
      const [erased] = yield* Effect.all(
        [api.delete(`/v1/contacts/${hidden?.id}`, { key }), heard({ from: "5511972000005", user_id })],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(erased.status, 200)
      yield* heard({ from: "5511972000005", user_id })
      const sent = yield* send(text("oi"), "+5511972000005")
      assert.strictEqual(sent.body.error?.code, "contact_opted_out")
    })
  )

  it.effect("of two joined contacts is exported and erased by the id of either U-HID-03", () =>
    Effect.gen(function* () {
      const { api, contacts, heard, key } = yield* hiddenStage
      const user_id = "BR.7200000000000006"
      yield* heard({ from: "5511972000006" })
      const [phoned] = yield* contacts("&phone=%2B5511972000006")
      yield* heard({ user_id })
      const [hidden] = yield* contacts(`&user_id=${user_id}`)
      yield* heard({ from: "5511972000006", user_id })
      const exported = yield* api.post(`/v1/contacts/${hidden?.id}/export`, {}, { key })
      assert.strictEqual(exported.body.id, phoned?.id)
      assert.lengthOf(exported.body.messages, 3)
      assert.strictEqual((yield* api.delete(`/v1/contacts/${hidden?.id}`, { key })).status, 200)
      assert.strictEqual((yield* api.get(`/v1/contacts/${phoned?.id}`, { key })).status, 404)
    })
  )
})
