import { assert, describe, it } from "@effect/vitest"
import { readSource } from "./SourceText.ts"
import { wordingProblems } from "./WordingRules.ts"

const rulesOf = (path: string, text: string) => wordingProblems(path, readSource(text)).map(({ rule }) => rule)
const rule = "runtime/media/MediaRepo.ts"

describe("house wording", () => {
  it("refuses a file past 300 lines", () => {
    assert.deepStrictEqual(rulesOf(rule, "x\n".repeat(300)), [])
    assert.deepStrictEqual(rulesOf(rule, "x\n".repeat(301)), ["short-files"])
    assert.deepStrictEqual(rulesOf("packages/receiver/receiver.ts", "x\n".repeat(301)), ["short-files"])
    assert.deepStrictEqual(rulesOf("test/media/Media.test.ts", "x\n".repeat(301)), [])
  })

  it.each([
    ["no-wall-clock", "const at = Date.now()"],
    ["no-wall-clock", "const at = new Date()"],
    ["no-wall-clock", "const at = new Date"],
    ["no-wall-clock", "const at = DateTime.nowUnsafe()"],
    ["no-math-random", "const r = Math.random()"],
    ["no-console", 'console.log("hello")'],
    ["no-wall-clock", "const at = `${Date.now()}`"]
  ])("refuses %s in %s", (expected, text) => {
    assert.deepStrictEqual(rulesOf(rule, text), [expected])
    assert.deepStrictEqual(rulesOf("packages/owners/clock/DatabaseClock.ts", text), [])
    assert.deepStrictEqual(rulesOf("packages/receiver/receiver.ts", text), [])
  })

  it.each([
    'const at = new Date("2026-01-01")',
    "const at = new Date(millis)",
    "// Date.now() would be wrong here",
    'const text = "console.log"',
    "const at = yield* Console.log(1)",
    "const quote = /[\"'`]/\nconst next = 1 // new Date()"
  ])("allows %s", (text) => assert.deepStrictEqual(rulesOf(rule, text), []))

  it("refuses the database's clock in SQL and in SQL only", () => {
    const sql = (text: string) => `const rows = sql\`\nupdate t set at = ${text}\``
    assert.deepStrictEqual(rulesOf(rule, sql("now()")), ["no-sql-clock"])
    assert.deepStrictEqual(rulesOf(rule, sql("CURRENT_TIMESTAMP")), ["no-sql-clock"])
    assert.deepStrictEqual(rulesOf(rule, sql("clock_timestamp()")), ["no-sql-clock"])
    assert.deepStrictEqual(rulesOf(rule, sql("${clock.now()}")), [])
    assert.deepStrictEqual(rulesOf("packages/owners/clock/DatabaseClock.ts", sql("clock_timestamp()")), [])
  })

  it("refuses JSON that is parsed outside of its codecs", () => {
    const text = "const row = JSON.parse(stored)"
    assert.deepStrictEqual(rulesOf(rule, text), ["parsed-once"])
    assert.deepStrictEqual(rulesOf("packages/owners/Owner.ts", text), ["parsed-once"])
    assert.deepStrictEqual(rulesOf("packages/tables/StoredJson.ts", text), [])
    assert.deepStrictEqual(rulesOf("packages/sdk/Webhooks.ts", text), [])
    assert.deepStrictEqual(rulesOf("test/media/Media.test.ts", text), [])
  })

  it("points at the line inside a template", () => {
    const [found] = wordingProblems(rule, readSource("const q = sql`\nselect\nnow()`"))
    assert.strictEqual(found?.line, 3)
  })
})
