import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { imported, monthStage, rented, subscribe } from "../phone-months/Stage.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { json, run } from "./Commands.ts"

const Product = WholeProduct({ sweeps: false }).pipe(Layer.provideMerge(NodeServices.layer))

it.layer(Product, { excludeTestServices: true })("carteiro numbers months", (it) => {
  it.effect("shows the months of rented and imported numbers, and unpaid ones C-PMGT-04 M-PHN-36", () =>
    Effect.gen(function* () {
      const { production } = yield* monthStage(1000_0000)
      const empty = yield* run("numbers", "months", "--environment", production.id)
      assert.include(empty.text, "no rented numbers")
      assert.include(empty.text, "no imported numbers")
      yield* subscribe(production, "standard", "2026-01-20T00:00:00Z")
      const own = yield* rented(production)
      const managed = yield* imported(production)
      const shown = yield* run("numbers", "months", "--environment", production.id)
      for (const text of [own.id, "upcoming", "49.9000", managed.id, "plan", "serving", "not_charged"]) {
        assert.include(shown.text, text)
      }
      const { data, renewals, summary } = yield* json("numbers", "months", "--environment", production.id)
      assert.deepStrictEqual(
        [data[0].next_charge_at, renewals[0].renewal.amount_brl, summary.monthly_total_brl],
        ["2026-02-01T00:05:00.000Z", "49.9000", "19.9000"]
      )
      const nowhere = yield* run("numbers", "months", "--environment", "env_none")
      assert.isFalse(nowhere.ok)
    })
  )
})
