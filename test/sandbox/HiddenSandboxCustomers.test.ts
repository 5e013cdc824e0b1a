import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { typedStage } from "../messages/TypedSending.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("A simulated customer", (it) => {
  it.effect("may hide the phone, with an id and a username U-HID-01", () =>
    Effect.gen(function* () {
      const { simulate } = yield* typedStage
      const who = { from: "", user_id: "BR.7300000000000001", username: "@maria" }
      const { body, status, text } = yield* simulate({ type: "text", text: { body: "oi" }, ...who })
      assert.strictEqual(status, 202, text)
      assert.deepInclude(body.sender, { id: "", user_id: who.user_id, username: "@maria" })
      assert.deepInclude(body.payload, { from_user_id: who.user_id })
      assert.notProperty(body.payload, "from")
    })
  )

  it.effect("without phone and id is refused U-HID-01 M-SBX-13", () =>
    Effect.gen(function* () {
      const { simulate } = yield* typedStage
      for (const more of [{}, { user_id: null }]) {
        const { body, status } = yield* simulate({ type: "text", text: { body: "oi" }, from: "", ...more })
        assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "invalid_phone_e164", "from"])
      }
    })
  )
})
