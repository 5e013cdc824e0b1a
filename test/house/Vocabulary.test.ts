import { assert, describe, it } from "@effect/vitest"
import { vocabularyProblems } from "./Vocabulary.ts"

const refused = (text: string, path = "runtime/media/blob/Blobs.ts") =>
  vocabularyProblems(new Map([[path, text]])).map(({ line, message }) => `${line} ${message}`)

describe("house vocabulary", () => {
  it("refuses exported names and parameters of exported functions that do not say what a thing is", () => {
    assert.deepStrictEqual(refused("export interface Found {}\n"), ["1 type Found: say what it is"])
    assert.deepStrictEqual(refused("\nexport const told = 1\n"), ["2 exported name told: say what it is"])
    assert.deepStrictEqual(refused("export const read = (asked: Row, now: number) => asked\n"), [
      "1 parameter asked: say what it is"
    ])
    assert.deepStrictEqual(refused("export interface Blobs {\n  keep(place: BlobKey): void\n}\n"), [
      "2 parameter place: say what it is"
    ])
  })

  it("refuses types that do not say what a thing is, exported or not", () => {
    assert.deepStrictEqual(refused("type Answer = Effect.Effect<Reply>\n"), ["1 type Answer: say what it is"])
    assert.deepStrictEqual(refused("const read = () => {\n  interface Shown {}\n}\n"), ["2 type Shown: say what it is"])
    assert.deepStrictEqual(refused("class Known<T> {}\n"), ["1 type Known: say what it is"])
    assert.deepStrictEqual(refused('type Reported = Extract<Result, { readonly _tag: "Answered" }>\n'), [])
  })

  it("leaves alone what stays within a function or a file, members of the wire, and tests", () => {
    assert.deepStrictEqual(refused("const found = 1\nconst read = (found: Row) => found\n"), [])
    assert.deepStrictEqual(refused("export const read = (rows: Rows) => rows.map((found) => found.id)\n"), [])
    assert.deepStrictEqual(refused("export interface Row {\n  readonly stored: boolean\n}\n"), [])
    assert.deepStrictEqual(refused("export const found = 1\n", "test/media/Blobs.test.ts"), [])
  })
})
