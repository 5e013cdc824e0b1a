import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Activations } from "../Cluster.ts"
import { type AfterCommit, Commit } from "../commit/Commit.ts"
import { wakeAfterCommit } from "../DueWork.ts"

/** Tells of commits that hand ids back, and has the instants at which owners were to be woken. */
const stage = Effect.fnUntraced(function* (gatherMs?: number) {
  const listeners: Array<AfterCommit> = []
  const woken: Array<readonly [id: string, at: number]> = []
  const commit = Commit.of({
    submit: () => {},
    write: () => Effect.die("nobody writes"),
    complete: () => Effect.die("nobody writes"),
    after: (listener) => void listeners.push(listener),
    pending: () => 0,
    nextGivesUpAt: () => undefined
  })
  const waking = wakeAfterCommit("Thing", "things.wake", gatherMs).pipe(
    Layer.provide(Layer.succeed(Commit, commit)),
    Layer.provideMerge(Activations.layer)
  )
  const activations = yield* Effect.provide(Activations, waking)
  activations.wakeWith("Thing", (id, at) => void woken.push([id, at]))
  const told = (ids: ReadonlyArray<string>) => {
    for (const listener of listeners) listener({ gate: [], fence: [], "things.wake": ids })
  }
  /** One commit after the other in one turn, and what becomes of them. */
  const committed = (...commits: ReadonlyArray<ReadonlyArray<string>>) =>
    Effect.promise(async () => commits.forEach(told))
  return { committed, woken }
})

it.effect("owners are woken by every commit that hands them back", () =>
  Effect.gen(function* () {
    const { committed, woken } = yield* stage()
    yield* committed(["a", "b"])
    yield* committed(["a"], ["a"])
    assert.deepStrictEqual(woken, [
      ["a", 0],
      ["b", 0],
      // Once for what one turn brings.
      ["a", 0]
    ])
  })
)

it.effect("a quiet owner is woken at once, a busy one once for what it gathers", () =>
  Effect.gen(function* () {
    const { committed, woken } = yield* stage(200)
    yield* TestClock.setTime(1000)
    yield* committed(["a"], ["a", "b"], ["a"])
    yield* TestClock.setTime(1150)
    yield* committed(["a"])
    // The end of what it gathers belongs to the next.
    yield* TestClock.setTime(1200)
    yield* committed(["a"])
    yield* TestClock.setTime(5000)
    yield* committed(["a"])
    assert.deepStrictEqual(woken, [
      ["a", 1000],
      ["a", 1200],
      ["b", 1000],
      ["a", 1400],
      ["a", 5000]
    ])
  })
)
