import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Mailbox } from "../activation/Mailbox.ts"

/** Work that says when it began, and ends when it is told. */
const working = (mailbox: Mailbox, seen: Array<string>, name: string) => {
  const told = Deferred.makeUnsafe<void>()
  const work = mailbox.inTurn(
    Effect.andThen(
      Effect.sync(() => seen.push(name)),
      Deferred.await(told)
    )
  )
  return Effect.map(Effect.forkChild(work, { startImmediately: true }), (fiber) => ({
    fiber,
    finish: Effect.andThen(Deferred.succeed(told, undefined), Fiber.await(fiber))
  }))
}

describe("A mailbox", () => {
  it.effect("runs calls one after another, in the order they came", () =>
    Effect.gen(function* () {
      const mailbox = new Mailbox()
      const seen: Array<string> = []
      const first = yield* working(mailbox, seen, "first")
      const second = yield* working(mailbox, seen, "second")
      const third = yield* working(mailbox, seen, "third")
      assert.deepStrictEqual(seen, ["first"])
      yield* first.finish
      assert.deepStrictEqual(seen, ["first", "second"])
      yield* second.finish
      yield* third.finish
      assert.deepStrictEqual(seen, ["first", "second", "third"])
      yield* (yield* working(mailbox, seen, "later")).finish
      assert.deepStrictEqual(seen.at(-1), "later")
    })
  )

  it.effect("skips a caller that left while it waited, and continues when the running caller leaves", () =>
    Effect.gen(function* () {
      const mailbox = new Mailbox()
      const seen: Array<string> = []
      const first = yield* working(mailbox, seen, "first")
      const second = yield* working(mailbox, seen, "second")
      const third = yield* working(mailbox, seen, "third")
      yield* Fiber.interrupt(second.fiber)
      yield* Fiber.interrupt(first.fiber)
      assert.deepStrictEqual(seen, ["first", "third"])
      yield* third.finish
    })
  )

  it.effect("continues after work that dies", () =>
    Effect.gen(function* () {
      const mailbox = new Mailbox()
      yield* Effect.exit(mailbox.inTurn(Effect.die(new Error("poison"))))
      assert.strictEqual(yield* mailbox.inTurn(Effect.succeed(1)), 1)
    })
  )
})
