import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Pools } from "../Pools.ts"

/** Pools by a clock that a test moves, in milliseconds. */
const pools = Effect.gen(function* () {
  let at = 0
  const made = yield* Effect.acquireRelease(
    Effect.sync(() => new Pools(1000, 1000, () => at)),
    (held) => Effect.promise(() => held.close())
  )
  return { pools: made, turnTo: (millis: number) => void (at = millis) }
})

const origin = (number: number) => `https://receiver-${number}.example.com`

describe("Pools", () => {
  it.effect("keep at most 512 origins, and drop the least recently used", () =>
    Effect.gen(function* () {
      const { pools: held } = yield* pools
      const first = held.of(origin(0), true)
      for (let number = 1; number < 2000; number++) held.of(origin(number), true)
      assert.strictEqual(held.size, 512)
      assert.isTrue(first.pool.destroyed)
      assert.isFalse(held.of(origin(1999), true).pool.destroyed)
    })
  )

  it.effect("drop an origin after five minutes without use, at the next use of any other", () =>
    Effect.gen(function* () {
      const { pools: held, turnTo } = yield* pools
      const unused = held.of(origin(0), true)
      turnTo(200_000)
      const used = held.of(origin(1), true)
      turnTo(300_000)
      held.of(origin(2), true)
      assert.deepStrictEqual([held.size, unused.pool.destroyed, used.pool.destroyed], [2, true, false])
    })
  )

  it.effect("drop no origin with a call under way", () =>
    Effect.gen(function* () {
      const { pools: held, turnTo } = yield* pools
      const busy = held.of(origin(0), true)
      busy.inFlight++
      turnTo(600_000)
      held.of(origin(1), true)
      assert.isFalse(busy.pool.destroyed)
    })
  )

  it.effect("share no connection between a pinned origin and an unpinned one", () =>
    Effect.gen(function* () {
      const { pools: held } = yield* pools
      assert.notStrictEqual(held.of(origin(0), true).pool, held.of(origin(0), false).pool)
      assert.strictEqual(held.of(origin(0), true).pool, held.of(origin(0), true).pool)
    })
  )
})
