import { assert, describe, it } from "@effect/vitest"
import { closingLine, failures, secondTries, slowestFiles } from "./SummaryReporter.ts"

describe("closing line", () => {
  it("says how many passed and failed, and how many were skipped when any were", () => {
    assert.strictEqual(closingLine({ passed: 3, failed: 0, skipped: 0 }, 0), "3 passed, 0 failed")
    assert.strictEqual(closingLine({ passed: 3, failed: 2, skipped: 1 }, 1), "3 passed, 2 failed, 1 skipped")
  })

  it("never claims success for a run that ended badly", () => {
    assert.strictEqual(closingLine({ passed: 3, failed: 0, skipped: 0 }, 1), "3 passed, 1 failed")
  })
})

describe("slowest files", () => {
  it("lists the twenty slowest files, slowest first", () => {
    const times = Array.from({ length: 25 }, (_, n) => ({ file: `test/F${n}.test.ts`, millis: n * 1500 }))
    const lines = slowestFiles(times)
    assert.strictEqual(lines.length, 21)
    assert.deepStrictEqual(lines.slice(0, 2), ["Slowest files:", "   36.0 s  test/F24.test.ts"])
    assert.include(lines.at(-1), "test/F5.test.ts")
  })

  it("lists none for a run of one file", () => {
    assert.deepStrictEqual(slowestFiles([{ file: "test/A.test.ts", millis: 5 }]), [])
  })
})

describe("second tries", () => {
  it("names tests that passed only at their second try, and says nothing of a run without any", () => {
    assert.deepStrictEqual(secondTries([]), [])
    assert.deepStrictEqual(secondTries(["test/A.test.ts: stops in order"]), [
      "Failed at first, passed at the second try:",
      "    test/A.test.ts: stops in order"
    ])
  })
})

describe("failures", () => {
  it("names each with the first line of its error, and says nothing of a run without any", () => {
    assert.deepStrictEqual(failures([]), [])
    assert.deepStrictEqual(failures([{ name: "test/A.test.ts: adds", error: "expected 1 to equal 2\n  at A" }]), [
      "Failed:",
      "    test/A.test.ts: adds",
      "        expected 1 to equal 2"
    ])
  })
})
