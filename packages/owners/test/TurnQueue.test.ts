import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import fc from "fast-check"
import { inTurns, type Slices, Turns } from "../turns/Slices.ts"
import { TurnQueue } from "../turns/TurnQueue.ts"

/** Turns of an event loop that a test takes by hand. */
const makeLoop = () => {
  const planned: Array<() => void> = []
  return {
    queue: new TurnQueue((turn) => void planned.push(turn)),
    /** Lets the event loop turn once; false when nothing was planned. */
    turn: () => {
      const [first] = planned.splice(0, 1)
      first?.()
      return first !== undefined
    }
  }
}

/** Work of so many slices, each of which is written down. */
function* work(name: string, slices: number, done: Array<string>): Slices<string> {
  for (let n = 0; n < slices; n++) {
    yield undefined
    done.push(name)
  }
  return name
}

const holder = fc.record({ of: fc.constantFrom("a", "b", "c", "d"), slices: fc.integer({ min: 1, max: 12 }) })

it("holders take turns, whatever each brings: none waits for more than one slice of every other", () => {
  fc.assert(
    fc.property(fc.array(holder, { minLength: 1, maxLength: 20 }), (jobs) => {
      const { queue, turn } = makeLoop()
      const done: Array<string> = []
      const left = new Map<string, number>()
      for (const { of, slices } of jobs) {
        left.set(of, (left.get(of) ?? 0) + slices)
        let remaining = slices
        queue.add(of, () => {
          done.push(of)
          return --remaining === 0
        })
      }
      const waited = new Map([...left.keys()].map((of) => [of, 0]))
      while (turn()) {
        const last = done.at(-1) ?? ""
        left.set(last, (left.get(last) ?? 0) - 1)
        for (const [of, count] of left) {
          const passed = of === last || count === 0 ? 0 : (waited.get(of) ?? 0) + 1
          assert.isBelow(passed, left.size)
          waited.set(of, passed)
        }
      }
      assert.isTrue(queue.isIdle)
      assert.deepStrictEqual([...left.values()], Array(left.size).fill(0))
    })
  )
})

it.effect("the event loop is given back after every slice, and work of one holder ends in the order it came", () =>
  Effect.gen(function* () {
    const { queue, turn } = makeLoop()
    const done: Array<string> = []
    const begin = (of: string, name: string, slices: number) =>
      Effect.forkChild(Effect.provideService(inTurns(of, work(name, slices, done)), Turns, queue), {
        startImmediately: true
      })
    const first = yield* begin("noisy", "first", 3)
    const second = yield* begin("noisy", "second", 2)
    const quiet = yield* begin("quiet", "quiet", 1)
    let turns = 0
    while (turn()) {
      turns++
      assert.isAtMost(done.length, turns)
      yield* Effect.yieldNow
    }
    assert.deepStrictEqual(done, ["first", "quiet", "first", "first", "second", "second"])
    assert.deepStrictEqual(
      [yield* Fiber.join(first), yield* Fiber.join(second), yield* Fiber.join(quiet)],
      ["first", "second", "quiet"]
    )
  })
)

it.effect("work without a waiting caller is withdrawn, and work that dies does not stop the turns", () =>
  Effect.gen(function* () {
    const { queue, turn } = makeLoop()
    const done: Array<string> = []
    const dying = function* (): Slices<never> {
      yield undefined
      throw new Error("broken")
    }
    const begin = <A>(of: string, slices: Slices<A>) =>
      Effect.forkChild(Effect.provideService(inTurns(of, slices), Turns, queue), { startImmediately: true })
    const left = yield* begin("a", work("left", 5, done))
    const broken = yield* begin("b", dying())
    const whole = yield* begin("c", work("whole", 2, done))
    yield* Fiber.interrupt(left)
    while (turn()) yield* Effect.yieldNow
    assert.strictEqual((yield* Fiber.await(broken))._tag, "Failure")
    assert.strictEqual(yield* Fiber.join(whole), "whole")
    assert.deepStrictEqual(done, ["whole", "whole"])
    assert.isTrue(queue.isIdle)
  })
)

it.effect("work of a single part is done at once, whatever waits, its own holder's too", () =>
  Effect.gen(function* () {
    const { queue, turn } = makeLoop()
    const done: Array<string> = []
    const begin = (of: string) =>
      Effect.forkChild(Effect.provideService(inTurns(of, work(of, 2, done)), Turns, queue), { startImmediately: true })
    const long = [yield* begin("a"), yield* begin("b")]
    const short = function* (): Slices<number> {
      return 1
    }
    for (const name of ["a", "b", "c"])
      assert.strictEqual(yield* Effect.provideService(inTurns(name, short()), Turns, queue), 1)
    assert.deepStrictEqual(done, [])
    while (turn()) yield* Effect.yieldNow
    assert.deepStrictEqual(yield* Fiber.joinAll(long), ["a", "b"])
    assert.isTrue(queue.isIdle)
  })
)
