import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { readTaxId } from "../TaxId.ts"

const verdict = (written: string): string => {
  const { refusal, taxId } = readTaxId(written)
  return taxId ?? `${refusal.fault} ${refusal.likely ?? "-"}`
}

/** The check digits as the tax office publishes them: the weights are written out. */
const withCheckDigits = (root: string, first: ReadonlyArray<number>): string => {
  const second = [first.length === 9 ? 11 : 6, ...first]
  const digit = (text: string, weights: ReadonlyArray<number>) => {
    const rest = [...text].reduce((sum, one, at) => sum + (one.charCodeAt(0) - 48) * (weights[at] ?? 0), 0) % 11
    return rest < 2 ? 0 : 11 - rest
  }
  const one = `${root}${digit(root, first)}`
  return `${one}${digit(one, second)}`
}
const cpf = fc.stringMatching(/^\d{9}$/).map((root) => withCheckDigits(root, [10, 9, 8, 7, 6, 5, 4, 3, 2]))
const cnpj = fc
  .stringMatching(/^[0-9A-Z]{12}$/)
  .map((root) => withCheckDigits(root, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]))
const isRepeated = (taxId: string) => new Set(taxId).size === 1

describe("A tax id as people write it", () => {
  it('reads CPFs and CNPJs, with letters too, under any mask, gaps-3 "Amendments of November 2026"', () => {
    fc.assert(
      fc.property(fc.oneof(cpf, cnpj), (taxId) => {
        fc.pre(!isRepeated(taxId))
        const masked =
          taxId.length === 11
            ? taxId.replace(/(...)(...)(...)/, "$1.$2.$3-")
            : taxId.replace(/(..)(...)(...)(....)/, "$1.$2.$3/$4-")
        for (const written of [taxId, masked, ` ${masked.toLowerCase()}\u200b`]) {
          assert.strictEqual(readTaxId(written).taxId, taxId, written)
        }
      })
    )
  })

  it("refuses wrong check digits: one mistyped digit, and a digit that is repeated", () => {
    fc.assert(
      fc.property(fc.oneof(cpf, cnpj), fc.nat(1), fc.integer({ min: 1, max: 9 }), (taxId, last, plus) => {
        const at = taxId.length - 1 - last
        const wrong = taxId.slice(0, at) + ((Number(taxId[at]) + plus) % 10) + taxId.slice(at + 1)
        assert.strictEqual(readTaxId(wrong).refusal?.fault, "check_digits", wrong)
      })
    )
    assert.strictEqual(verdict("111.111.111-11"), "check_digits -")
  })

  it("names the tax id whose leading zeros a spreadsheet cut off", () => {
    assert.strictEqual(verdict("191"), "form -")
    assert.strictEqual(verdict("12345678 09"), "form -")
    assert.strictEqual(verdict("1234567890"), "form 01234567890")
    assert.match(readTaxId("1234567890").refusal?.message ?? "", /12 digits or letters.*Did you mean 01234567890, with/)
    assert.strictEqual(verdict("529.982.247-2x"), "form -")
    assert.strictEqual(verdict("9".repeat(10_000)), "form -")
  })
})
