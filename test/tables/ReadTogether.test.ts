import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"

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
