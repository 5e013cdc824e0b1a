import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatReais, numeralOf, parseReais, plainReais } from "@carteiro/spellings/Reais.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const most = 99_999_999_999_9999
const Units = Schema.Int.check(Schema.isBetween({ minimum: -most, maximum: most }))

describe("money for people", () => {
  it("has a comma before the centavos and points between thousands", () => {
    assert.strictEqual(formatReais(1109_8700), "R$\u00a01.109,87")
    assert.strictEqual(formatReais(0), "R$\u00a00,00")
    assert.strictEqual(formatReais(-5_0000), "−R$\u00a05,00")
    assert.strictEqual(formatReais(most), "R$\u00a099.999.999.999,9999")
    assert.strictEqual(numeralOf(1234_5600), "1.234,56")
  })

  it("keeps sign and figure on one line of a page, and has a plain space in sentences of the API", () => {
    assert.strictEqual(formatReais(99_9000), "R$\u00a099,90")
    assert.strictEqual(plainReais(-99_9000), "−R$ 99,90")
  })

  it("has four places only where two cannot hold an amount", () => {
    assert.strictEqual(formatReais(195), "R$\u00a00,0195")
    assert.strictEqual(formatReais(190), "R$\u00a00,0190")
    assert.strictEqual(formatReais(200), "R$\u00a00,02")
  })

  it("is formatted in one place for every page and mail", () => {
    const root = fileURLToPath(new URL("../../", import.meta.url))
    const written = /R\$ |formatBrl\(|\$\{[^}(]*_brl\b|\.toFixed\(2\)\} ?BRL/
    for (const file of globSync(["packages/console/**/*.ts", "runtime/*/notices/*.ts"], { cwd: root })) {
      const lines = readFileSync(`${root}${file}`, "utf8").split("\n")
      assert.deepStrictEqual(
        lines.filter((line) => written.test(line)),
        [],
        file
      )
    }
  })

  it("is read with and without points, centavos and currency", () => {
    assert.strictEqual(parseReais("50"), 50_0000)
    assert.strictEqual(parseReais(" 50,00 "), 50_0000)
    assert.strictEqual(parseReais("50,5"), 50_5000)
    assert.strictEqual(parseReais("1.234,56"), 1234_5600)
    assert.strictEqual(parseReais("1234,56"), 1234_5600)
    assert.strictEqual(parseReais("1.234"), 1234_0000)
    assert.strictEqual(parseReais("r$0,0195"), 195)
    assert.strictEqual(parseReais("R$\u00a01.000.000,00"), 1_000_000_0000)
  })

  it("is refused where it could mean two amounts, or none", () => {
    const refused =
      "50.00|50.0|1,234|1,234.56|1.234.56|0.195|12.34,56|1.2345|1.234,567|,50|50,|1e3|1 000|0x10||R$|--1|1_000|٥٠"
    for (const text of refused.split("|")) assert.isUndefined(parseReais(text), text)
  })

  it.prop("is read as written, to the last place", [Units], ([units]) => {
    assert.strictEqual(parseReais(formatReais(units)), units)
    assert.strictEqual(parseReais(numeralOf(units)), units)
    assert.strictEqual(formatReais(formatBrl(units)), formatReais(units))
  })
})
