import { codePoints } from "@carteiro/schema/conventions/Text.ts"
import { assert, it } from "@effect/vitest"
import fc from "fast-check"

it("counts the characters of composed text, and of a text that is too long in any case only that (gaps-1 A String rules)", () => {
  const piece = fc.constantFrom(
    "a",
    "e\u0301",
    "\u1f82",
    "\u03b1\u0313\u0300\u0345",
    "📮",
    "\u1100\u1161\u11a8",
    "\u0390"
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (pieces, most) => {
      const text = pieces.join("")
      const whole = [...text.normalize("NFC")].length
      assert.strictEqual(Math.min(codePoints(text, most), most + 1), Math.min(whole, most + 1))
    })
  )
  assert.strictEqual(codePoints("a".repeat(8001), 1000), 1001)
})
