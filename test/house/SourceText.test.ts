import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readSource } from "./SourceText.ts"

describe("SourceText", () => {
  it("reads every form of import", () => {
    const source = [
      'import one, { two as deux, type Three } from "a"',
      "import type { Four } from './b.ts'",
      'import * as all from "c"',
      'import "d"',
      'export { five } from "e"',
      'export type * from "f"',
      'const later = () => import("g")',
      'const six = { from: "not an import" }'
    ].join("\n")
    assert.deepStrictEqual(
      readSource(source).imports.map(({ specifier, line, typeOnly, names }) => [specifier, line, typeOnly, names]),
      [
        ["a", 1, false, ["two", "Three"]],
        ["./b.ts", 2, true, ["Four"]],
        ["c", 3, false, []],
        ["d", 4, false, []],
        ["e", 5, false, ["five"]],
        ["f", 6, true, []],
        ["g", 7, false, []]
      ]
    )
  })

  it("sees no import in a comment or a text", () => {
    assert.deepStrictEqual(readSource('// import "a"\n/* import "b" */\nconst text = `import "c"`\n').imports, [])
  })

  it("follows templates inside placeholders", () => {
    const source = "const a = `x${f({ b: `y${c}` })}z` + d"
    assert.deepStrictEqual(
      readSource(source).literals.map(({ text }) => text),
      ["x", "y", "", "z"]
    )
    assert.include(readSource(source).code, "+ d")
  })

  it("keeps offsets and lines of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."a1 \n\"'`\\/*${}()=") }), (source) => {
        const { code } = readSource(source)
        assert.strictEqual(code.length, source.length)
        assert.strictEqual(code.split("\n").length, source.split("\n").length)
      })
    )
  })
})
