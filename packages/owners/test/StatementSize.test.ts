import { assert, describe, it } from "@effect/vitest"
import { noLease } from "../commit/Statement.ts"
import { StatementSize } from "../commit/StatementSize.ts"
import { submissionsOf } from "../commit/Submission.ts"

const sizeAfter = (statements: number, units: number, millis: number, size = new StatementSize()) => {
  for (let n = 0; n < statements; n++) size.took(units, millis)
  return size
}

describe("The size of a statement", () => {
  it("comes to what takes twelve milliseconds", () => {
    assert.strictEqual(new StatementSize().limit, 512)
    assert.approximately(sizeAfter(40, 400, 24).limit, 200, 1)
    assert.strictEqual(sizeAfter(40, 400, 3).limit, 512)
  })

  it("never leaves its bounds, and recovers", () => {
    const slow = sizeAfter(40, 400, 4000)
    assert.strictEqual(slow.limit, 96)
    assert.strictEqual(sizeAfter(40, 96, 0, slow).limit, 512)
  })

  it("learns nothing of a statement of few, whose time is the flush's", () => {
    assert.strictEqual(sizeAfter(40, 8, 500).limit, 512)
  })

  it("takes hundreds of one owner in parts, and tells it of all of them together and in order", () => {
    const units = Array.from({ length: 150 }, () => ({ ...noLease, rows: [] }))
    const told: Array<ReadonlyArray<string>> = []
    const parts = submissionsOf("one", units, { giveUpAt: 0, stands: () => true }, ({ statuses }) =>
      told.push(statuses)
    )
    assert.deepStrictEqual(
      parts.map((part) => part.units.length),
      [64, 64, 22]
    )
    for (const part of parts.toReversed()) {
      part.end({ statuses: part.units.map(() => (part === parts[1] ? "fenced" : "committed")), keys: () => new Set() })
    }
    assert.strictEqual(told.length, 1)
    assert.deepStrictEqual(
      told[0]?.map((status, at) => (status === "fenced" ? at : -1)).filter((at) => at >= 0),
      Array.from({ length: 64 }, (_, n) => n + 64)
    )
  })
})
