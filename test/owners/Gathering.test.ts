import { gatheringPasses } from "@carteiro/owners/Queue.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"

const started = <A>(effect: Effect.Effect<A>) => Effect.forkChild(effect, { startImmediately: true })

describe("Passes that gather", () => {
  it.effect("begin at once after a pause, and not so soon after another (Architecture, section 5)", () =>
    Effect.gen(function* () {
      const gathered = gatheringPasses(2 ** 30)
      const first = yield* started(gathered(Effect.succeed("first")))
      assert.strictEqual(yield* Fiber.join(first), "first")
      const second = yield* started(gathered(Effect.succeed("second")))
      assert.isUndefined(second.pollUnsafe())
      yield* Fiber.interrupt(second)
    })
  )

  it.live("follow each other when the time is over, also after one that failed", () =>
    Effect.gen(function* () {
      const gathered = gatheringPasses(1)
      const failed = yield* Effect.exit(gathered(Effect.die("failed")))
      assert.strictEqual(failed._tag, "Failure")
      assert.strictEqual(yield* gathered(Effect.succeed("next")), "next")
    })
  )
})
