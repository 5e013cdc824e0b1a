import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { hiddenStage } from "../messages/HiddenStage.ts"
import { until } from "../support/Until.ts"
import { UpstreamProduct } from "../support/Upstream.ts"

it.layer(UpstreamProduct(), { excludeTestServices: true })("Batches to customers who hide their phone", (it) => {
  it.effect("take user_id in place of to, send by it, and prefer a phone that is known U-HID-02", () =>
    Effect.gen(function* () {
      const { api, heard, key, number, seedTemplates, simulator } = yield* hiddenStage
      yield* seedTemplates
      const [hidden, known] = ["BR.7400000000000001", "BR.7400000000000002"]
      yield* heard({ from: "5511974000002", user_id: known })
      const template = { name: "welcome", language: "pt_BR" }
      const body = (recipients: ReadonlyArray<object>) => ({
        sender: { type: "chatapp_phone_number", id: number.id },
        template,
        recipients
      })
      const variables = { "1": "Maria" }
      const made = yield* api.post(
        "/v1/batches",
        body([
          { user_id: hidden, variables },
          { user_id: known, variables }
        ]),
        { key }
      )
      assert.strictEqual(made.status, 202, made.text)
      const batch = Effect.map(api.get(`/v1/batches/${made.body.id}`, { key }), (answer) => answer.body)
      yield* until(Effect.map(batch, ({ status }) => status === "completed"))
      const listed = yield* api.get(`/v1/batches/${made.body.id}/recipients`, { key })
      const shown = listed.body.data as ReadonlyArray<{ readonly to: string | null; readonly user_id: string | null }>
      const told = shown.map(({ to, user_id }) => [to, user_id])
      assert.deepStrictEqual(
        new Set(told.map((one) => JSON.stringify(one))),
        new Set([JSON.stringify([null, hidden]), JSON.stringify(["+5511974000002", null])])
      )
      const sends = simulator.log
        .read(0, "message")
        .map((entry) => JSON.stringify(entry))
        .join("\n")
      assert.include(sends, hidden)
      assert.notInclude(sends, known)
      assert.include(sends, "5511974000002")
    })
  )

  it.effect("refuse a recipient that names none or both, or a phone as an id U-HID-02", () =>
    Effect.gen(function* () {
      const { api, key, number } = yield* hiddenStage
      const post = (recipients: ReadonlyArray<object>) =>
        api.post(
          "/v1/batches",
          {
            sender: { type: "chatapp_phone_number", id: number.id },
            template: { name: "welcome", language: "pt_BR" },
            recipients
          },
          { key }
        )
      for (const recipient of [{}, { to: "+5511974000003", user_id: "BR.7" }, { user_id: "+5511974000003" }]) {
        const refused = yield* post([{ ...recipient, variables: { "1": "x" } }])
        assert.deepStrictEqual([refused.status, refused.body.error.type], [400, "validation_error"], refused.text)
        assert.match(refused.body.error.param, /^recipients\.0\./)
      }
    })
  )
})
