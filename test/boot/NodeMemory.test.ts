import { restingCollection } from "@carteiro/runtime/boot/NodeMemory.ts"
import { assert, it } from "@effect/vitest"

const megabyte = 1024 * 1024

/** Looks at an old generation that has so many megabytes in use, one after the other. Returns at which looks it was collected. */
const collectionsOf = (...sizes: ReadonlyArray<number>): ReadonlyArray<number> => {
  let used = 80
  const collected: Array<number> = []
  let at = 0
  const look = restingCollection(
    () => used * megabyte,
    () => {
      collected.push(at)
      used = 80
    }
  )
  for (const size of sizes) {
    at += 1
    used = size
    look()
  }
  return collected
}

it("a node gives its garbage back at the first look after a load that finds no change, once", () => {
  assert.deepStrictEqual(collectionsOf(150, 220, 180, 180.25, 80, 80.25), [4])
})

it("a node under load is not stopped for a collection", () => {
  assert.deepStrictEqual(collectionsOf(100, 120, 119, 140, 160, 159), [])
})

it("little garbage is left where it is", () => {
  assert.deepStrictEqual(collectionsOf(100, 100.25, 100.5, 100.75), [])
})

it("what a node gained since it let go of some is collected, whatever it held before that", () => {
  assert.deepStrictEqual(collectionsOf(150, 40, 73, 73.25), [4])
})
