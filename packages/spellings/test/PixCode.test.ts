import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { longestLocation, pixCode } from "../PixCode.ts"

/** Reads fields as a bank does: a name of two digits, a length of two digits, the text. */
const fieldsOf = (code: string): Record<string, string> => {
  const read: Record<string, string> = {}
  for (let at = 0; at < code.length; ) {
    const end = at + 4 + Number(code.slice(at + 2, at + 4))
    assert.isAtMost(end, code.length)
    read[code.slice(at, at + 2)] = code.slice(at + 4, end)
    at = end
  }
  return read
}

/** The remainder of a division of bits, written as the manual describes it and not as the code computes it. */
const remainder = (text: string): number => {
  const bits = [...Buffer.from(text)].flatMap((byte) => [...byte.toString(2).padStart(8, "0")].map(Number))
  const divided = [...bits, ...Array.from({ length: 16 }, () => 0)].map((bit, at) => (at < 16 ? 1 - bit : bit))
  const divisor = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
  for (let at = 0; at < bits.length; at++) {
    if (divided[at] === 1) divisor.forEach((bit, n) => (divided[at + n] = (divided[at + n] ?? 0) ^ bit))
  }
  return Number.parseInt(divided.slice(-16).join(""), 2)
}

describe("A code of Pix", () => {
  it("checks a code of the central bank's manual as the manual does", () => {
    const unsigned =
      "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304"
    assert.strictEqual(remainder(unsigned), 0x1d3d)
  })

  it("is read back field by field at every length of an address, with four digits of checksum", () => {
    const location = fc.stringMatching(/^[a-z0-9./-]{1,77}$/)
    const amount = fc.option(fc.integer({ min: 1, max: 99_999_999 }), { nil: undefined })
    fc.assert(
      fc.property(location, amount, (location, centavos) => {
        const reais = centavos === undefined ? undefined : (centavos / 100).toFixed(2)
        const about = { location, name: "LOJA EXEMPLO", city: "SAO PAULO" }
        const code = pixCode(reais === undefined ? about : { ...about, amount: reais })
        const { "26": account = "", "54": shown, "59": name, "60": city, "63": check = "" } = fieldsOf(code)
        assert.deepStrictEqual(fieldsOf(account), { "00": "br.gov.bcb.pix", "25": location })
        assert.deepStrictEqual([shown, name, city], [reais, "LOJA EXEMPLO", "SAO PAULO"])
        assert.match(check, /^[0-9A-F]{4}$/)
        assert.strictEqual(Number.parseInt(check, 16), remainder(code.slice(0, -4)))
      })
    )
    assert.strictEqual(longestLocation, 77)
  })
})
