import { untilEnd } from "@carteiro/runtime/webhooks/listen/EndingPoll.ts"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

const start = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

describe("A long poll that must end", () => {
  it.effect("answers an empty page within a second when its owner cannot be reached (Boot contract, Stopping)", () =>
    Effect.gen(function* () {
      const stopped = yield* Deferred.make<void>()
      const poll = yield* start(
        untilEnd({ call: Effect.never, ends: Deferred.await(stopped), leave: Effect.never, nothing: "empty" })
      )
      yield* TestClock.adjust("20 seconds")
      assert.isUndefined(poll.pollUnsafe())
      yield* Deferred.succeed(stopped, undefined)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(poll), "empty")
    })
  )

  it.effect("returns the answer of its owner after and before it is told to end", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<string>()
      const leave = Effect.asVoid(Deferred.succeed(answer, "told"))
      const poll = { call: Deferred.await(answer), leave, nothing: "empty" }
      assert.strictEqual(yield* untilEnd({ ...poll, ends: Effect.void }), "told")
      assert.strictEqual(yield* untilEnd({ ...poll, call: Effect.succeed("page"), ends: Effect.never }), "page")
    })
  )

  it.effect("notifies its owner when its request is interrupted", () =>
    Effect.gen(function* () {
      let told = 0
      const leave = Effect.sync(() => void told++)
      const poll = yield* start(untilEnd({ call: Effect.never, ends: Effect.never, leave, nothing: "empty" }))
      yield* Fiber.interrupt(poll)
      assert.strictEqual(told, 1)
    })
  )
})
