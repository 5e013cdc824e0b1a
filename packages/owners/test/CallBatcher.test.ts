import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { CallBatcher } from "../client/CallBatcher.ts"
import type { Outcome } from "../protocol/Behaviour.ts"
import { Refusals } from "../Refusals.ts"
import { plainRefusals } from "./PlainRefusals.ts"

const refusals = Effect.provide(Refusals, plainRefusals)

/** Calls to an owner whose tries take `tryMs` each and end with these outcomes, the last one again and again. */
const calling = Effect.fnUntraced(function* (tryMs: number, outcomes: ReadonlyArray<Outcome<number>>) {
  const clock = yield* Clock.Clock
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  let tries = 0
  const batcher = new CallBatcher<string, number>({
    send: (items) =>
      Effect.delay(
        Effect.sync(() => {
          const outcome = outcomes[Math.min(tries++, outcomes.length - 1)] as Outcome<number>
          return items.map(() => outcome)
        }),
        tryMs
      ),
    fork: (effect) => void fork(effect),
    now: () => clock.currentTimeMillisUnsafe(),
    onIdle: () => {},
    refusals: yield* refusals
  })
  const ended = yield* Effect.forkChild(
    Effect.flatMap(Effect.result(batcher.call("item", clock.currentTimeMillisUnsafe() + 10_000)), (result) =>
      Effect.map(Clock.currentTimeMillis, (at) => ({ at, tries, result }))
    )
  )
  // The batcher leaves the turn of the event loop that it was called in.
  yield* Effect.promise(() => new Promise((resume) => setImmediate(resume)))
  return ended
})

/** Turns time in small steps, leaving the event loop between them. */
const turn = (millis: number) =>
  Effect.forEach(
    Array.from({ length: millis / 50 }),
    () =>
      Effect.andThen(
        TestClock.adjust(50),
        Effect.promise(() => new Promise((resume) => setImmediate(resume)))
      ),
    { discard: true }
  )

describe("calls to an owner", () => {
  it.effect("go again while the database is away, and begin no try that cannot end in time", () =>
    Effect.gen(function* () {
      const call = yield* calling(4000, [{ retry: "no_database" }])
      yield* turn(10_000)
      const { at, result, tries } = yield* Fiber.join(call)
      // The second ends after 8.05 s: a third would outlast the ten seconds of the caller.
      assert.deepStrictEqual([at, tries], [8050, 2])
      assert.strictEqual(result._tag === "Failure" ? result.failure._tag : result._tag, "away")
    })
  )

  it.effect("go to the new owner however long the previous one was silent", () =>
    Effect.gen(function* () {
      const call = yield* calling(6000, [{ retry: "unavailable" }, { ok: 7 }])
      yield* turn(13_000)
      const { result } = yield* Fiber.join(call)
      assert.deepStrictEqual(result._tag === "Success" ? result.success : result._tag, 7)
    })
  )

  it.effect(
    "are answered at their deadline, though the owner still waits for the database; nothing follows later",
    () =>
      Effect.gen(function* () {
        const fork = Effect.runForkWith(yield* Effect.context<never>())
        const ends: Array<Deferred.Deferred<void>> = []
        let [asked, idle] = [0, 0]
        const batcher = new CallBatcher<string, number>({
          send: (items) => {
            asked += items.length
            const end = Deferred.makeUnsafe<void>()
            ends.push(end)
            return Effect.as(
              Deferred.await(end),
              items.map(() => ({ ok: 7 }))
            )
          },
          fork: (effect) => void fork(effect),
          now: () => 0,
          onIdle: () => idle++,
          refusals: yield* refusals
        })
        const turnOfLoop = Effect.promise(() => new Promise((resume) => setImmediate(resume)))
        const begun = (item: string) =>
          Effect.tap(
            Effect.forkChild(Effect.result(batcher.call(item, 10_000)), { startImmediately: true }),
            () => turnOfLoop
          )
        const before = performance.now()
        // Two messages are under way, behind which the third call waits.
        const calls = [yield* begun("a"), yield* begun("b"), yield* begun("c")]
        const after = performance.now()
        assert.strictEqual(asked, 2)

        batcher.look(before + 9999)
        yield* turnOfLoop
        assert.isTrue(calls.every((call) => call.pollUnsafe() === undefined))
        batcher.look(after + 10_000)
        for (const call of calls) {
          const result = yield* Fiber.join(call)
          assert.strictEqual(result._tag === "Failure" ? result.failure._tag : result._tag, "away")
        }
        assert.strictEqual(idle, 0)

        // The call that waited is not begun once the owner answers, and later ones are.
        for (const end of ends.splice(0)) yield* Deferred.succeed(end, undefined)
        yield* turnOfLoop
        assert.deepStrictEqual([asked, idle], [2, 1])
        const next = yield* begun("d")
        for (const end of ends) yield* Deferred.succeed(end, undefined)
        const result = yield* Fiber.join(next)
        assert.strictEqual(result._tag === "Success" ? result.success : result._tag, 7)
      })
  )
})
