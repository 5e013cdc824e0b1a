import { readTogether } from "@carteiro/runtime/platform/sql/ReadTogether.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Exit } from "effect"

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

it.effect("look-ups of one turn travel as one statement, each caller gets its own answer", () =>
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
