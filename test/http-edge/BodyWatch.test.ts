import { assert, describe, it } from "@effect/vitest"
import { BodyBudget, HeldBytes } from "../../packages/http-edge/body/BodyBudget.ts"
import { BodyWatch } from "../../packages/http-edge/body/BodyWatch.ts"

const pace = { totalMillis: 60_000, leastBytes: 1000 }

/** A body under watch, and a look at it at an instant. */
const watched = () => {
  const watch = new BodyWatch()
  let late = 0
  const body = watch.begin(pace, () => late++)
  return {
    body,
    watch,
    lateAt: (now: number) => {
      watch.look(now)
      return late
    }
  }
}

describe("BodyWatch", () => {
  it("ends a body without bytes for twenty seconds, once", () => {
    const { lateAt, watch } = watched()
    assert.strictEqual(lateAt(5000), 0, "its time begins with the first look")
    assert.strictEqual(lateAt(24_999), 0)
    assert.strictEqual(lateAt(25_000), 1)
    assert.strictEqual(lateAt(90_000), 1)
    assert.strictEqual(watch.size, 0)
  })

  it("ends a body that trickles, and lets a body continue that keeps the rate", () => {
    const { body, lateAt } = watched()
    lateAt(0)
    body.received = 1000
    assert.strictEqual(lateAt(20_000), 0)
    body.received = 1999
    assert.strictEqual(lateAt(40_000), 1)
  })

  it("ends a body that is incomplete at its deadline, however fast it comes", () => {
    const { body, lateAt } = watched()
    for (let now = 0; now < 60_000; now += 20_000) {
      body.received += 1_000_000
      assert.strictEqual(lateAt(now), 0)
    }
    body.received += 1_000_000
    assert.strictEqual(lateAt(60_000), 1)
  })

  it("does not count the time for which the server makes the caller wait", () => {
    const { body, lateAt } = watched()
    lateAt(0)
    body.isPaused = true
    assert.strictEqual(lateAt(30_000), 0)
    body.isPaused = false
    assert.strictEqual(lateAt(49_999), 0)
    assert.strictEqual(lateAt(50_000), 1)
  })

  it("forgets a body that has arrived", () => {
    const { body, lateAt, watch } = watched()
    watch.end(body)
    assert.strictEqual(lateAt(90_000), 0)
  })
})

describe("BodyBudget", () => {
  it("gives no holder more than half, and all holders together no more than the budget", () => {
    const budget = new BodyBudget(100)
    assert.isTrue(budget.take("a", 50))
    assert.isFalse(budget.take("a", 1))
    assert.isTrue(budget.take("b", 30))
    assert.isFalse(budget.take("c", 21))
    budget.release("a", 20)
    assert.isTrue(budget.take("c", 21))
    assert.strictEqual(budget.held, 81)
  })

  it("takes back a request's bytes once", () => {
    const budget = new BodyBudget(100)
    const held = new HeldBytes(budget)
    assert.isTrue(held.take("a", 20) && held.take("a", 10))
    assert.isFalse(held.take("a", 30))
    held.release()
    held.release()
    assert.strictEqual(budget.held, 0)
  })
})
