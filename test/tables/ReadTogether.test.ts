import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { nextTurn } from "../support/Until.ts"

const store = Effect.fnUntraced(function* (fails: () => boolean = () => false) {
  const statements: Array<ReadonlyArray<string>> = []
  const get = yield* readTogether((ids: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      statements.push(ids)
      return fails() ? Effect.die("gone") : Effect.succeed(ids.map((id) => (id === "absent" ? undefined : { id })))
    })
  )
  return { statements, get }
})

it.effect("look-ups of one turn travel as one statement, and each caller gets its own answer", () =>
  Effect.gen(function* () {
    const { get, statements } = yield* store()
    const found = yield* Effect.all([get("a"), get("absent"), get("b"), get("a")], { concurrency: "unbounded" })
    assert.deepStrictEqual(
      found.map((row) => row?.id),
      ["a", undefined, "b", "a"]
    )
    assert.deepStrictEqual(statements, [["a", "absent", "b", "a"]])
  })
)

it.effect("a failing statement fails its callers, and the next one is read", () =>
  Effect.gen(function* () {
    let failing = true
    const { get } = yield* store(() => failing)
    const exits = yield* Effect.all([Effect.exit(get("a")), Effect.exit(get("b"))], { concurrency: "unbounded" })
    assert.isTrue(exits.every(Exit.isFailure))
    failing = false
    assert.strictEqual((yield* get("a"))?.id, "a")
  })
)

it.effect("a read that spoils its statement fails alone, and its neighbours are answered", () =>
  Effect.gen(function* () {
    const get = yield* readTogether((ids: ReadonlyArray<string>) =>
      ids.includes("bad") ? Effect.die("spoiled") : Effect.succeed(ids)
    )
    const exits = yield* Effect.all(["a", "bad", "b"].map(get).map(Effect.exit), { concurrency: "unbounded" })
    assert.deepStrictEqual(
      exits.map((exit) => (Exit.isSuccess(exit) ? exit.value : undefined)),
      ["a", undefined, "b"]
    )
  })
)

it.effect("while there is no database, reads are not repeated one by one", () =>
  Effect.gen(function* () {
    let asked = 0
    const away = new SqlError({ reason: new ConnectionError({ cause: undefined, message: "away" }) })
    const get = yield* readTogether((_: ReadonlyArray<string>) =>
      Effect.suspend(() => {
        asked++
        return Effect.die(away)
      })
    )
    yield* Effect.all(["a", "b", "c"].map(get).map(Effect.exit), { concurrency: "unbounded" })
    assert.strictEqual(asked, 1)
  })
)

it.effect("large reads travel in statements of bounded size, at least one read in each", () =>
  Effect.gen(function* () {
    const sizes: Array<ReadonlyArray<number>> = []
    const get = yield* readTogether(
      (asks: ReadonlyArray<number>) =>
        Effect.as(
          Effect.sync(() => sizes.push(asks)),
          asks
        ),
      {
        sizeOf: (ask) => ask
      }
    )
    yield* Effect.all([1000, 1000, 1000, 5000, 1].map(get), { concurrency: "unbounded" })
    assert.deepStrictEqual(sizes, [[1000, 1000], [1000], [5000], [1]])
  })
)

/** Reads with a pause, after a first statement of eight asks. */
const paused = Effect.fnUntraced(function* (pauseMs: number) {
  const statements: Array<ReadonlyArray<string>> = []
  const get = yield* readTogether(
    (asks: ReadonlyArray<string>) =>
      Effect.sync(() => {
        statements.push(asks)
        return asks
      }),
    { pauseMs }
  )
  yield* Effect.all(eight.map(get), { concurrency: "unbounded" })
  return { statements, get }
})
const eight = ["a", "b", "c", "d", "e", "f", "g", "h"]

it.effect("a read pauses until as many asks wait as usually do", () =>
  Effect.gen(function* () {
    // No test lasts as long as this pause.
    const { get, statements } = yield* paused(3_600_000)
    const fibers = []
    for (const ask of eight) {
      assert.lengthOf(statements, 1)
      fibers.push(yield* Effect.forkChild(get(ask), { startImmediately: true }))
      yield* nextTurn(0)
    }
    assert.deepStrictEqual(yield* Fiber.joinAll(fibers), eight)
    assert.deepStrictEqual(statements, [eight, eight])
  })
)

it.effect("a pause ends by itself when no more asks come", () =>
  Effect.gen(function* () {
    const { get, statements } = yield* paused(1)
    assert.strictEqual(yield* get("a"), "a")
    assert.deepStrictEqual(statements, [eight, ["a"]])
  })
)

it.effect("an ask whose caller left during the pause is not read", () =>
  Effect.gen(function* () {
    const { get, statements } = yield* paused(20)
    yield* Fiber.interrupt(yield* Effect.forkChild(get("a"), { startImmediately: true }))
    yield* get("b")
    assert.deepStrictEqual(statements, [eight, ["b"]])
  })
)
