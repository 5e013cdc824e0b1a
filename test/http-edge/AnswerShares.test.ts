import { many } from "@carteiro/tables/Read.ts"
import { hasPassingSqlError } from "@carteiro/tables/SqlFailure.ts"
import { CurrentSlot } from "@carteiro/tables/StatementSlot.ts"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { type AnswerShare, AnswerShares } from "../../packages/http-edge/pipeline/AnswerShares.ts"

const page = 4_000_000
const limits = { reads: 3, bytes: 2 * page, nodeBytes: 6 * page, waitMs: 2000 }

const begin = (share: AnswerShare) => Effect.forkChild(share.enter, { startImmediately: true })
const isIn = (fiber: Fiber.Fiber<void>) => fiber.pollUnsafe()?._tag === "Success"

/** A tenant's reads, each on its way through waiting, reading and being sent. */
const lists = (shares: AnswerShares, holder: string, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => {
    const share = shares.open(holder)
    return Effect.map(begin(share), (fiber) => ({ share, fiber }))
  })

describe("The share of an environment", () => {
  it.effect("twelve lists of one tenant take turns in its share, and a quiet tenant reads at once", () =>
    Effect.gen(function* () {
      const shares = new AnswerShares(limits)
      const all = yield* lists(shares, "noisy", 12)
      const sent: Array<() => void> = []
      let made = 0
      while (made < 12) {
        const reading = all.filter(({ fiber }) => isIn(fiber)).slice(made)
        assert.isAtMost(reading.length, limits.reads)
        const [quiet] = yield* lists(shares, "quiet", 1)
        assert.isTrue(quiet !== undefined && isIn(quiet.fiber))
        quiet?.share.leave()
        if (reading.length === 0) {
          // The readers of the answers take one: the next list begins.
          sent.shift()?.()
          yield* Effect.yieldNow
          continue
        }
        for (const { share } of reading) {
          sent.push(share.hold(page))
          share.leave()
          made++
        }
        assert.isAtMost(shares.held("noisy"), limits.bytes + limits.reads * page)
        yield* Effect.yieldNow
      }
      for (const done of sent) done()
      assert.strictEqual(shares.held(), 0)
    })
  )

  it.effect("a read that is over takes no place again when its answer streams on", () =>
    Effect.gen(function* () {
      const shares = new AnswerShares(limits)
      for (let exports = 0; exports < 2 * limits.reads; exports++) {
        const share = shares.open("exporting")
        yield* share.enter
        share.leave()
        yield* share.enter
      }
      const all = yield* lists(shares, "exporting", limits.reads)
      assert.isTrue(all.every(({ fiber }) => isIn(fiber)))
    })
  )

  it.effect("a read beyond it is refused after two seconds as the database being away, which is 503 A-ERR-18", () =>
    Effect.gen(function* () {
      const shares = new AnswerShares(limits)
      yield* lists(shares, "noisy", limits.reads)
      let asked = 0
      const statement = many(Effect.sync(() => [++asked]))
      const late = yield* Effect.forkChild(
        Effect.exit(Effect.provideService(statement, CurrentSlot, shares.open("noisy")))
      )
      yield* TestClock.adjust("1999 millis")
      assert.isUndefined(late.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      const exit = yield* Fiber.join(late)
      assert.isTrue(Exit.isFailure(exit) && hasPassingSqlError(exit.cause))
      assert.strictEqual(asked, 0)
      assert.deepStrictEqual(yield* Effect.provideService(statement, CurrentSlot, shares.open("quiet")), [1])
    })
  )

  it.effect("environments that wait for bytes of the node are let in by turns", () =>
    Effect.gen(function* () {
      const shares = new AnswerShares({ ...limits, nodeBytes: page })
      const held = shares.open("other").hold(page)
      const waiting = yield* Effect.all([lists(shares, "a", 3), lists(shares, "b", 3)])
      assert.isTrue(waiting.flat().every(({ fiber }) => !isIn(fiber)))
      held()
      yield* Effect.yieldNow
      assert.deepStrictEqual(
        waiting.map((ones) => ones.filter(({ fiber }) => isIn(fiber)).length),
        [1, 1]
      )
    })
  )

  it.effect("a read whose caller left waits no longer, and keeps no place", () =>
    Effect.gen(function* () {
      const shares = new AnswerShares(limits)
      const inside = yield* lists(shares, "a", limits.reads)
      const [left, next] = yield* lists(shares, "a", 2)
      if (left !== undefined) yield* Fiber.interrupt(left.fiber)
      inside[0]?.share.leave()
      yield* Effect.yieldNow
      assert.isTrue(next !== undefined && isIn(next.fiber))
    })
  )

  it.effect("whatever the order of reads and answers, none of it is left behind", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(2 * page), fc.nat(40)), { maxLength: 25 }),
          (reads) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const shares = new AnswerShares(limits)
                yield* Effect.forEach(
                  reads,
                  ([holder, bytes, turns]) =>
                    Effect.gen(function* () {
                      const share = shares.open(holder)
                      const exit = yield* Effect.exit(share.enter)
                      assert.isTrue(Exit.isSuccess(exit), Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "")
                      const sent = share.hold(bytes)
                      share.leave()
                      for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
                      sent()
                      sent()
                      share.leave()
                    }),
                  { concurrency: "unbounded" }
                )
                assert.deepStrictEqual([shares.held(), shares.held("a")], [0, 0])
              })
            )
        )
      )
    )
  )
})
