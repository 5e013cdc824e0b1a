import { centavosOfReais, reaisNumber, reaisText } from "@carteiro/vendor-http/Reais.ts"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"

const Centavos = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99_999_999_999 }))

it.prop("centavos come back from reais, as text and through JSON, without rounding", [Centavos], ([centavos]) => {
  assert.match(reaisText(centavos), /^\d{1,10}\.\d{2}$/)
  assert.strictEqual(centavosOfReais(reaisText(centavos)), centavos)
  assert.strictEqual(centavosOfReais(JSON.parse(JSON.stringify(reaisNumber(centavos)))), centavos)
})

it("an amount that is not a whole number of centavos is not read as another", () => {
  for (const reais of [0.001, 1.005, "1.005", "1,50", "-1.00", -1, Number.NaN, 1e21, {}, "", true]) {
    assert.strictEqual(centavosOfReais(reais), undefined, String(reais))
  }
  assert.strictEqual(centavosOfReais(undefined), null)
  assert.strictEqual(centavosOfReais(null), null)
  assert.deepStrictEqual([0.29, 1.1, 4.35, "12.5", "7"].map(centavosOfReais), [29, 110, 435, 1250, 700])
})
