import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { turnBy } from "../support/OwnerTest.ts"
import { told as refusal } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { templateProject, told } from "./TemplateStage.ts"

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("A simulated move of a category", (it) => {
  it.effect("moves a template that was submitted, with its event U-TPL-06", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* templateProject
      const { id, name, language } = (yield* sandbox.create()).body
      const param = [400, "invalid_sandbox_request", "category"]
      assert.deepStrictEqual(refusal(yield* sandbox.setStatus(id, { category: "marketing" })), param)
      yield* sandbox.submit(id)
      yield* turnBy(1000)
      const moved = yield* sandbox.setStatus(id, { category: "marketing" })
      assert.deepInclude(moved.body, { status: "approved", category: "marketing" })
      const events = yield* told(id)
      assert.deepStrictEqual(events.at(-1), {
        type: "template.category_updated",
        data: { template_id: id, name, language, category: "marketing", previous_category: "utility" }
      })
      const refused: ReadonlyArray<readonly [body: object, expected: Array<unknown>]> = [
        [{ category: "marketing" }, param],
        [{ category: "utility", status: "paused" }, param],
        [{ category: "authentication" }, param],
        [{}, [400, "invalid_sandbox_request", "status"]]
      ]
      for (const [body, expected] of refused) {
        assert.deepStrictEqual(refusal(yield* sandbox.setStatus(id, body)), expected)
      }
    })
  )
})
