import { assert, describe, it } from "@effect/vitest"
import { functionLengthProblems } from "./FunctionLength.ts"

const lines = (count: number) => "  step()\n".repeat(count)
const refused = (path: string, text: string) => functionLengthProblems(new Map([[path, text]]))
const path = "runtime/media/blob/Blobs.ts"

describe("house functions", () => {
  it("refuses a function past 120 lines, by the name of what it is the value of", () => {
    const long = `const first = 1\nexport const makeBlobs = Effect.gen(function* () {\n${lines(119)}})\n`
    assert.deepStrictEqual(refused(path, long), [
      { path, line: 2, rule: "short-functions", message: "makeBlobs has 121 lines: lift its rules out" }
    ])
    assert.deepStrictEqual(refused("test/media/Blobs.ts", long), [])
    assert.deepStrictEqual(refused(path, `export const makeBlobs = Effect.gen(function* () {\n${lines(118)}})\n`), [])
  })

  it("measures a function alone, not the file or the class around it", () => {
    const two = `const one = () => {\n${lines(70)}}\nconst other = () => {\n${lines(70)}}\n`
    assert.deepStrictEqual(refused(path, two), [])
    const layer = `class Blobs {\n  static readonly layer = Effect.gen(function* () {\n${lines(130)}})\n}\n`
    assert.deepStrictEqual(
      refused(path, layer).map(({ message }) => message),
      ["layer has 132 lines: lift its rules out"]
    )
  })
})
