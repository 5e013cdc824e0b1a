import { assert, describe, it } from "@effect/vitest"
import { timeLoopProblems } from "./TimeLoops.ts"

const linesOf = (text: string, path = "runtime/billing/months/MonthClock.ts") =>
  timeLoopProblems(new Map([[path, text]])).map(({ line }) => line)

describe("house loops over time", () => {
  it('refuses a loop whose condition reads an instant or a month and counts nothing gaps-1 "Sandbox clock"', () => {
    assert.deepStrictEqual(linesOf("while (job.dueAt(month) <= now) { month = monthAfter(month) }"), [1])
    assert.deepStrictEqual(linesOf("\nfor (let at = from; at <= now; at += dayMs) days.push(at)"), [2])
    assert.deepStrictEqual(linesOf("while (monthStart(next) < end) next = monthAfter(next)"), [1])
  })

  it("allows a loop that counts its rounds, one that waits, and loops of tests", () => {
    assert.deepStrictEqual(linesOf("for (let n = 0; n < mostMonths && at <= now; n++) at += dayMs"), [])
    assert.deepStrictEqual(
      linesOf("while (this.first < this.expiries.length && this.expiries[this.first] <= now) go()"),
      []
    )
    assert.deepStrictEqual(linesOf("function* f() { while (at <= now) yield* sleep(at) }"), [])
    assert.deepStrictEqual(linesOf("while (at <= now) at++", "test/billing/Statements.test.ts"), [])
  })
})
