import { assert, describe, it } from "@effect/vitest"
import { closingLine } from "./SummaryReporter.ts"

describe("closing line", () => {
  it("says what passed and failed, and what was skipped only when something was", () => {
    assert.strictEqual(closingLine({ passed: 3, failed: 0, skipped: 0 }, 0), "3 passed, 0 failed")
    assert.strictEqual(closingLine({ passed: 3, failed: 2, skipped: 1 }, 1), "3 passed, 2 failed, 1 skipped")
  })

  it("never claims success for a run that ended badly", () => {
    assert.strictEqual(closingLine({ passed: 3, failed: 0, skipped: 0 }, 1), "3 passed, 1 failed")
  })
})
