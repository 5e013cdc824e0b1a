import { defineInsert, rowOf } from "@carteiro/tables/TableWrite.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { commitHealth } from "../commit/CommitLayer.ts"
import { Committer } from "../commit/Committer.ts"
import type { Attempt } from "../commit/Execution.ts"
import { noLease } from "../commit/Statement.ts"
import { type Submitted, submissionsOf } from "../commit/Submission.ts"

it.effect("an attempt that dies answers its callers, and the next attempt runs", () =>
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

it.effect("health fails for a commit that is long past its deadline, and passes while commits move", () =>
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

const insertNote = defineInsert({
  name: "notes.insert",
  table: "notes",
  columns: { environment_id: "text", id: "text", text: "text" },
  target: rowOf("notes", "id")
})

it.effect("a large write runs beside the main statement, one of an environment at a time", () =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const large = Latch.makeUnsafe(false)
    const begun: Array<ReadonlyArray<unknown>> = []
    const written: Attempt = { _tag: "Written", outcome: { statuses: ["committed"], outcomes: [] } }
    const committer = new Committer({
      attempt: (units) =>
        Effect.suspend(() => {
          begun.push(units.flatMap(({ rows }) => rows.slice(0, 1).map(({ values }) => values.id)))
          const isLarge = units.some(({ rows }) => rows.length > 1)
          return isLarge ? Effect.as(large.await, written) : Effect.succeed(written)
        }),
      clock,
      fork: (effect) => void Effect.runFork(effect),
      listeners: [],
      outcomes: () => () => {}
    })
    yield* Effect.forkChild(committer.run)
    let writes = 0
    const submit = (environment_id: string, id: string, count: number) =>
      Effect.callback<Submitted>((resume) => {
        const rows = Array.from({ length: count }, (_, n) =>
          insertNote.row({ environment_id, id: n === 0 ? id : `${id}.${n}`, text: "" })
        )
        const terms = { giveUpAt: clock.currentTimeMillisUnsafe() + 8000, stands: () => true }
        const one = submissionsOf(`write/${++writes}`, [{ ...noLease, rows }], terms, (ended) =>
          resume(Effect.succeed(ended))
        )
        committer.add(one)
      })
    const others = yield* Effect.forkChild(
      Effect.all([submit("a", "a1", 200), submit("a", "a2", 200), submit("b", "b1", 200)], { concurrency: 3 })
    )
    assert.deepStrictEqual((yield* submit("c", "c1", 1)).statuses, ["committed"])
    assert.deepStrictEqual(begun, [["a1"], ["b1"], ["c1"]])
    large.openUnsafe()
    assert.lengthOf(yield* Fiber.join(others), 3)
    assert.deepStrictEqual(begun.at(-1), ["a2"])
    while (committer.pending > 0) yield* Effect.yieldNow
  })
)
