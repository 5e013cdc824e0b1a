import { atOnce, sliceBytes } from "@carteiro/owners/Slices.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { findMalformed, type JsonRefusal, parseInSlices, parseJson } from "../../packages/http-edge/json/JsonText.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const refusal = (input: Uint8Array): JsonRefusal | undefined => {
  const answer = parseJson(input)
  return Result.isFailure(answer) ? answer.failure : undefined
}
const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

describe("JsonText", () => {
  it("reads what JSON is, whatever its strings hold", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme-composite" }), (value) => {
        fc.pre(depthOf(value) <= 32)
        const text = JSON.stringify(value)
        // Integers that a number cannot hold keep their digits, so the texts are compared.
        assert.strictEqual(JSON.stringify(Result.getOrThrow(parseJson(bytes(text)))), text)
      })
    )
  })

  it("refuses exactly what JSON.parse refuses (gaps-1 A malformed JSON)", () => {
    const piece = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\", "1", "-", "e", "true", "null", " ", "a")
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("")
        let valid = true
        try {
          JSON.parse(text)
        } catch {
          valid = false
        }
        assert.strictEqual(refusal(bytes(text)), valid ? undefined : "malformed")
      })
    )
    for (const text of ["", " ", "NaN", "{'a':1}", "[1,]", "\ufeff{}", "{} x", "// no\n{}"]) {
      assert.strictEqual(refusal(bytes(text)), "malformed", text)
    }
  })

  it("finds the line and the column at which a text stops being JSON", () => {
    const places: ReadonlyArray<readonly [string, number, number]> = [
      ['{"a":1,}', 1, 8],
      ["{a:1}", 1, 2],
      ['{"a":abc}', 1, 6],
      ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
      ['{"a":1', 1, 7],
      ['"abc', 1, 5],
      ['{"a":1} x', 1, 9],
      ["", 1, 1]
    ]
    for (const [text, line, column] of places)
      assert.deepStrictEqual(findMalformed(bytes(text)), { line, column }, text)
    assert.isUndefined(findMalformed(bytes(`[${"1,".repeat(40_000)}]`)))
  })

  it("refuses invalid UTF-8 (gaps-1 A malformed JSON)", () => {
    for (const invalid of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
      assert.strictEqual(refusal(Uint8Array.from([0x22, ...invalid, 0x22])), "invalid_utf8")
    }
  })

  it("takes nesting 32 deep and refuses 33, without running out of stack (gaps-1 A malformed JSON)", () => {
    const opening = fc.constantFrom<readonly [string, string]>(["[", "]"], ['{"a]}":', "}"])
    fc.assert(
      fc.property(fc.array(opening, { minLength: 1, maxLength: 40 }), (levels) => {
        const open = levels.map(([start]) => start).join("")
        const close = levels
          .map(([, end]) => end)
          .reverse()
          .join("")
        assert.strictEqual(refusal(bytes(`${open}1${close}`)), levels.length > 32 ? "too_deep" : undefined)
      })
    )
    assert.strictEqual(refusal(bytes("[".repeat(1_000_000))), "too_deep")
    assert.isUndefined(refusal(bytes(`[${"[],{},".repeat(1000)}1]`)))
  })

  it("does not count brackets inside strings, escaped quotes included", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("[", "{", '"', "\\", "]", "é"), maxLength: 200 }), (text) => {
        assert.isUndefined(refusal(bytes(JSON.stringify({ [text]: text }))))
      })
    )
  })

  it("lets the last of duplicate keys win (gaps-1 A malformed JSON)", () => {
    assert.deepStrictEqual(Result.getOrThrow(parseJson(bytes('{"a":1,"a":2}'))), { a: 2 })
  })

  describe("in slices", () => {
    const inSlices = (text: string) => atOnce(parseInSlices(Buffer.from(text)))
    const list = (length: number, item = '{"to":"é]\\",[","n":[1,{}]}') => `[${Array(length).fill(item).join(" ,")} ]`

    it("gives what parsing at once gives, whatever the text", () => {
      const long = `"${"é\\n\\u00e9\\ud83d\\ude00\u{1f600}x".repeat(6000)}"`
      const nested = `{"screens":${list(3000)},"a":{"b":[${long},${list(2500, '{"":{}}')},1]},"screens":[]}`
      const part = fc.constantFrom(
        ...[list(3), list(3000), list(30_000, "1"), nested, long, `[${long}]`, '"x"', "{}", "[]", "null", ""]
      )
      const member = fc.record({ name: fc.constantFrom("a", "b", "\\u0061", "__proto__"), value: part })
      const break_ = fc.record({ at: fc.nat(), cut: fc.nat(2), put: fc.constantFrom(...'[]{},"1 \\u', "", "") })
      fc.assert(
        fc.property(fc.array(member, { maxLength: 4 }), fc.option(break_), fc.boolean(), (members, broken, isList) => {
          const within = members.map(({ name, value }) => `"${name}":${value}`).join(",")
          const sound = isList ? `[{${within}}]` : `{${within}}`
          const at = broken === null ? 0 : broken.at % sound.length
          const text = broken === null ? sound : sound.slice(0, at) + broken.put + sound.slice(at + broken.cut)
          assert.deepStrictEqual(inSlices(text), parseJson(bytes(text)))
        })
      )
    })

    it("refuses a comma too many between or behind two slices, and a list that ends as an object", () => {
      const items = (length: number) => Array(length).fill("1").join()
      const piece = 16_384
      for (const text of [`${items(piece)},,${items(30_000)}`, `${items(60_000)},`, `,${items(60_000)}`]) {
        assert.isTrue(Result.isFailure(inSlices(`{"a":[${text}]}`)), text.slice(-9))
      }
      assert.isTrue(Result.isFailure(inSlices(`{"a":[${items(60_000)}}}`)))
      assert.isTrue(Result.isFailure(inSlices(`{[${items(60_000)}]:1}`)))
      assert.isTrue(Result.isFailure(inSlices(`[${items(60_000)}][${items(60_000)}]`)))
    })

    it("looks at no more than so many bytes in a slice, however the text nests", () => {
      const screens = `{"screens":[${Array(20)
        .fill(`{"layout":{"children":${list(700, `{"label":"${"x".repeat(99)}"}`)}}}`)
        .join()}]}`
      for (const text of [`{"recipients":${list(30_000)}}`, screens, `{"data":"${"QUJD".repeat(500_000)}"}`]) {
        const work = parseInSlices(Buffer.from(text))
        let slices = 1
        let step = work.next()
        for (; step.done !== true; step = work.next()) slices++
        assert.strictEqual(step.value?._tag, "Success")
        assert.isBelow(text.length / slices, sliceBytes)
      }
    })
  })

  it("keeps __proto__ an ordinary own key", () => {
    const value = Result.getOrThrow(parseJson(bytes('{"__proto__":{"admin":true}}'))) as object
    assert.deepStrictEqual(Object.keys(value), ["__proto__"])
    assert.strictEqual(Object.getPrototypeOf(value), Object.prototype)
    assert.notProperty({}, "admin")
  })
})
