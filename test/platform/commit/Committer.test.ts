import { commitHealth } from "@carteiro/runtime/platform/commit/CommitHealth.ts"
import { Committer } from "@carteiro/runtime/platform/commit/Committer.ts"
import type { Attempt } from "@carteiro/runtime/platform/commit/Execution.ts"
import { noLease } from "@carteiro/runtime/platform/commit/Statement.ts"
import { type Submitted, submissionsOf } from "@carteiro/runtime/platform/commit/Submission.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"

it.effect("an attempt that dies answers those it was made for, and the next one is made", () =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const written: Attempt = { _tag: "Written", outcome: { statuses: ["committed"], outcomes: [] } }
    let attempts = 0
    const committer = new Committer({
      attempt: () => (++attempts === 1 ? Effect.die(new Error("broken")) : Effect.succeed(written)),
      clock,
      fork: (effect) => void Effect.runFork(effect),
      listeners: [],
      outcomes: () => () => {}
    })
    yield* Effect.forkChild(committer.run)
    const submit = Effect.callback<Submitted>((resume) => {
      const terms = { giveUpAt: clock.currentTimeMillisUnsafe() + 8000, stands: () => true }
      committer.add(submissionsOf("one", [{ ...noLease, rows: [] }], terms, (ended) => resume(Effect.succeed(ended))))
    })
    assert.deepStrictEqual((yield* submit).statuses, ["failed"])
    assert.deepStrictEqual((yield* submit).statuses, ["committed"])
  })
)

it.effect("health tells of a commit that nobody has given up, and of commits that move (Architecture, section 9)", () =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const answer = Latch.makeUnsafe(false)
    const written: Attempt = { _tag: "Written", outcome: { statuses: ["committed"], outcomes: [] } }
    const committer = new Committer({
      attempt: () => Effect.as(answer.await, written),
      clock,
      fork: (effect) => void Effect.runFork(effect),
      listeners: [],
      outcomes: () => () => {}
    })
    yield* Effect.forkChild(committer.run)
    const now = () => clock.currentTimeMillisUnsafe()
    const health = () => commitHealth(committer.nextGivesUpAt, now()).status
    assert.strictEqual(health(), "ok")
    const ended = yield* Effect.forkChild(
      Effect.callback<Submitted>((resume) => {
        const terms = { giveUpAt: now() + 8000, stands: () => true }
        committer.add(submissionsOf("one", [{ ...noLease, rows: [] }], terms, (end) => resume(Effect.succeed(end))))
      })
    )
    yield* TestClock.adjust("17 seconds")
    assert.strictEqual(health(), "ok")
    yield* TestClock.adjust("1 second")
    assert.strictEqual(health(), "failed")
    answer.openUnsafe()
    yield* Fiber.join(ended)
    assert.strictEqual(health(), "ok")
  })
)
