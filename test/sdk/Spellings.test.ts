import { CarteiroError, CarteiroSpellingError, taxId } from "@carteiro/sdk"
import { phone } from "@carteiro/sdk/phone"
import { assert, describe, it } from "@effect/vitest"

const refusal = (read: () => string): CarteiroSpellingError => {
  try {
    assert.fail(read())
  } catch (error) {
    assert.instanceOf(error, CarteiroSpellingError)
    assert.instanceOf(error, CarteiroError)
    return error
  }
}

describe("Phones and tax ids in the client", () => {
  it('makes the international form of a phone, gaps-2 A "Phones outside `recipient.id`"', () => {
    assert.strictEqual(phone("(11) 98765-4321", "BR"), "+5511987654321")
    assert.strictEqual(phone("(11) 98765-4321"), "+5511987654321")
    assert.strictEqual(phone("(415) 555-0100", "us"), "+14155550100")
  })

  it("refuses what is no number, and names the likely one", () => {
    const { likely, message, name, reason } = refusal(() => phone("14155550100", "BR"))
    assert.deepStrictEqual([name, reason, likely], ["CarteiroSpellingError", "invalid", "+14155550100"])
    assert.include(message, "Did you mean +14155550100?")
    assert.strictEqual(refusal(() => phone("5511987654321.0")).reason, "decimal")
    assert.strictEqual(refusal(() => phone("(11) 98765-4321", "Brazil")).reason, "region")
  })

  it('strips the mask of a tax id and refuses wrong check digits, gaps-3 "Amendments of November 2026"', () => {
    assert.strictEqual(taxId("529.982.247-25"), "52998224725")
    assert.strictEqual(taxId("12.abc.345/01de-35"), "12ABC34501DE35")
    assert.strictEqual(refusal(() => taxId("529.982.247-26")).reason, "check_digits")
    assert.strictEqual(refusal(() => taxId("529")).reason, "form")
  })
})
