import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { WholeProduct } from "../support/WholeProduct.ts"
import { agentic } from "./AgenticStage.ts"
import { paying } from "./PaymentsStage.ts"

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Tax ids", (it) => {
  it.effect(
    'are taken without punctuation, also with letters; wrong check digits are told, gaps-3 "Amendments of November 2026" C-PAY-19',
    () =>
      Effect.gen(function* () {
        const { create, payment } = yield* paying("sandbox")
        const { authorize } = yield* agentic("sandbox")
        const cases: ReadonlyArray<readonly [string, string | undefined]> = [
          ["52998224725", undefined],
          ["11222333000181", undefined],
          ["12ABC34501DE35", undefined],
          ["52998224726", "tax_id_check_digits"],
          ["12ABC34501DE36", "tax_id_check_digits"],
          ["11111111111", "tax_id_check_digits"]
        ]
        for (const [customer_tax_id, warning] of cases) {
          const paid = yield* create({ customer_tax_id })
          assert.deepStrictEqual([paid.status < 300, paid.headers["svc-warning"]], [true, warning], customer_tax_id)
          assert.strictEqual((yield* payment(paid.body.id)).customer_tax_id, customer_tax_id)
          const authorized = yield* authorize({ customer_tax_id })
          assert.deepStrictEqual([authorized.status, authorized.headers["svc-warning"]], [201, warning])
        }
        assert.isUndefined((yield* create({})).headers["svc-warning"])
        for (const customer_tax_id of ["12abc34501de35", "12.ABC.345/01DE-35", "12ABC34501DE3X", "ABCDEFGHIJK"]) {
          const { body, status } = yield* create({ customer_tax_id })
          assert.deepStrictEqual(
            [status, body.error.code, body.error.param],
            [400, "invalid_payment_request", "customer_tax_id"]
          )
          assert.match(body.error.message, /11 digits of a CPF, or 14 digits/)
        }
      })
  )
})
