import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { FairPool, type Share, type Waiter } from "../queue/FairPool.ts"

/** Takes as much as a destination gets at once. */
const takeAll = (pool: FairPool, destination: string): ReadonlyArray<Share> => {
  const taken: Array<Share> = []
  for (let share = pool.take(destination, 1); share !== undefined; share = pool.take(destination, 1)) taken.push(share)
  return taken
}

/** Stands in line and notes under `name` when its turn comes. */
const stand = (pool: FairPool, destination: string, name: string, turns: Array<string>): Waiter => {
  const waiter = { destination, amount: 1, granted: () => void turns.push(name) }
  pool.wait(waiter)
  return waiter
}

describe("FairPool", () => {
  it("leaves half to others when one destination never answers, and a third when two do not", () => {
    const pool = new FairPool(96)
    assert.strictEqual(takeAll(pool, "stuck").length, 48)
    assert.isDefined(pool.take("healthy", 1))
    const two = new FairPool(96)
    for (let n = 0; n < 32; n++) assert.isDefined(two.take("one", 1) && two.take("other", 1))
    assert.isUndefined(two.take("one", 1))
    assert.isUndefined(two.take("other", 1))
    assert.strictEqual(two.used, 64)
  })

  it("serves owners in turn: an owner that returns for more waits behind the others", () => {
    const pool = new FairPool(2)
    const turns: Array<string> = []
    const share = pool.take("a", 1) as Share
    for (const name of ["first", "second", "third"]) stand(pool, "a", name, turns)
    assert.isUndefined(pool.take("a", 1))
    pool.give(share, 1)
    assert.deepStrictEqual(turns, ["first"])
    stand(pool, "a", "first again", turns)
    for (let n = 0; n < 3; n++) pool.give(share, 1)
    assert.deepStrictEqual(turns, ["first", "second", "third", "first again"])
  })

  it("passes over a destination at its share, and serves it as soon as it may have more", () => {
    const pool = new FairPool(4)
    const turns: Array<string> = []
    const stuck = takeAll(pool, "stuck")
    stand(pool, "stuck", "stuck", turns)
    const other = pool.take("other", 1) as Share
    stand(pool, "another", "another", turns)
    assert.deepStrictEqual([stuck.length, turns], [2, []])
    pool.give(other, 1)
    assert.deepStrictEqual(turns, ["another"])
    pool.give(stuck[0] as Share, 1)
    assert.deepStrictEqual(turns, ["another", "stuck"])
  })

  it("lets one that is larger than the whole through alone", () => {
    const pool = new FairPool(10)
    const share = pool.take("a", 25) as Share
    assert.isUndefined(pool.take("b", 1))
    pool.give(share, 25)
    assert.isDefined(pool.take("b", 1))
  })

  it("never gives more than its amount, lets no caller wait for a free amount, and gets all of it back", () => {
    const step = fc.record({
      destination: fc.constantFrom("a", "b", "c", "d"),
      does: fc.constantFrom("take", "take", "give", "leave")
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 200 }), (capacity, steps) => {
        const pool = new FairPool(capacity)
        const held: Array<Share> = []
        const waiting = new Set<Waiter>()
        for (const { destination, does } of steps) {
          if (does === "take") {
            const share = pool.take(destination, 1)
            if (share !== undefined) held.push(share)
            else {
              const waiter: Waiter = {
                destination,
                amount: 1,
                granted: (given) => {
                  waiting.delete(waiter)
                  held.push(given)
                }
              }
              waiting.add(waiter)
              pool.wait(waiter)
            }
          } else if (does === "give") {
            const share = held.shift()
            if (share !== undefined) pool.give(share, 1)
          } else {
            const [waiter] = waiting
            if (waiter !== undefined) {
              waiting.delete(waiter)
              pool.leave(waiter)
            }
          }
          assert.isAtMost(pool.used, capacity)
          assert.strictEqual(pool.used, held.length)
          assert.strictEqual(pool.waiting, waiting.size)
          const free = capacity - pool.used
          for (const waiter of waiting) {
            const used = held.filter((share) => share.destination === waiter.destination).length
            assert.isTrue(free === 0 || (used > 0 && used + 1 > free), "waits for what it may have")
          }
        }
        while (held.length > 0) pool.give(held.shift() as Share, 1)
        assert.deepStrictEqual([pool.used, pool.waiting], [0, 0])
      })
    )
  })
})
