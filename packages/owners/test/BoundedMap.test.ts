import { assert, it } from "@effect/vitest"
import fc from "fast-check"
import { BoundedMap, EraCache } from "../BoundedMap.ts"

it("forgets what was added longest ago, and nothing before it is full", () => {
  const map = new BoundedMap<string, number>(3)
  for (const [n, key] of ["a", "b", "c"].entries()) map.set(key, n)
  map.set("a", 7)
  map.delete("b")
  assert.deepStrictEqual(
    ["a", "b", "c"].map((key) => map.get(key)),
    [7, undefined, 2]
  )
  map.set("d", 8)
  assert.deepStrictEqual(
    ["a", "c", "d"].map((key) => map.get(key)),
    [undefined, 2, 8]
  )
})

it("never holds more than its most, nor anything but what was set last", () => {
  const step = fc.record({ key: fc.nat(9), value: fc.option(fc.nat(), { nil: undefined }) })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 60 }), (most, steps) => {
      const map = new BoundedMap<number, number>(most)
      const all = new Map<number, number>()
      for (const { key, value } of steps) {
        if (value === undefined) map.delete(key)
        else map.set(key, value)
        if (value === undefined) all.delete(key)
        else all.set(key, value)
        assert.strictEqual(map.get(key), value)
      }
      const held = [...all].filter(([key]) => map.get(key) !== undefined)
      assert.isAtMost(held.length, most)
      for (const [key, value] of held) assert.strictEqual(map.get(key), value)
    })
  )
})

it("an entry of another era is absent, and the next one takes its place", () => {
  const cache = new EraCache<string>(2)
  cache.set("a", 0, "before")
  assert.deepStrictEqual([cache.get("a", 0), cache.get("a", 2)], ["before", undefined])
  cache.set("a", 2, "after")
  cache.set("b", 2, "other")
  assert.deepStrictEqual([cache.get("a", 0), cache.get("a", 2), cache.get("b", 2)], [undefined, "after", "other"])
  cache.delete("a")
  assert.strictEqual(cache.get("a", 2), undefined)
})
