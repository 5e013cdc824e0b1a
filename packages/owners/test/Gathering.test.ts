import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { gatheringPasses } from "../Queue.ts"

const started = <A>(effect: Effect.Effect<A>) => Effect.forkChild(effect, { startImmediately: true })

describe("Passes that gather", () => {
  it.effect("begin at once after a pause, and wait after another pass", () =>
    Effect.gen(function* () {
      const gathered = gatheringPasses(2 ** 30)()
      const first = yield* started(gathered(Effect.succeed("first")))
      assert.strictEqual(yield* Fiber.join(first), "first")
      const second = yield* started(gathered(Effect.succeed("second")))
      assert.isUndefined(second.pollUnsafe())
      yield* Fiber.interrupt(second)
    })
  )

  it.live("follow each other when the time is over, also after one that failed", () =>
    Effect.gen(function* () {
      const gathered = gatheringPasses(1)()
      const failed = yield* Effect.exit(gathered(Effect.die("failed")))
      assert.strictEqual(failed._tag, "Failure")
      assert.strictEqual(yield* gathered(Effect.succeed("next")), "next")
    })
  )

  it.effect("of all owners that wait start together, once the first of them has waited long enough", () =>
    Effect.gen(function* () {
      const turns: Array<() => void> = []
      const gathering = gatheringPasses(2 ** 30, (wake) => {
        turns.push(wake)
        return () => assert.fail("a turn that others wait for was called off")
      })
      const begun: Array<number> = []
      const owners = [gathering(), gathering(), gathering()]
      for (const passes of owners) yield* passes(Effect.void)
      const waiting = yield* Effect.forEach(owners, (passes, n) =>
        started(passes(Effect.sync(() => void begun.push(n))))
      )
      yield* Fiber.interrupt(waiting[1] as Fiber.Fiber<void>)
      assert.deepStrictEqual([turns.length, begun], [1, []])
      turns[0]?.()
      yield* Effect.forEach([waiting[0], waiting[2]], (fiber) => Fiber.join(fiber as Fiber.Fiber<void>))
      assert.deepStrictEqual(begun, [0, 2])
    })
  )
})
