import { dueOwners, gauges, jobs } from "@carteiro/runtime/app/Fold.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { mostRows, Shown } from "../contract/FilledTables.ts"
import { mostRead } from "../contract/Filters.ts"
import { ranBy, rolledBack, Statements } from "../contract/Planned.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

/** Runs upkeep and takes it back. Returns the statements of it that read more rows than a page of a list may. */
const unboundedIn = Effect.fnUntraced(function* <A, E, R>(upkeep: Effect.Effect<A, E, R>) {
  const [, asked] = yield* (yield* Statements).during(rolledBack(upkeep))
  const unbounded: Array<string> = []
  for (const [text, statement] of new Map(asked.filter(touchesRows).map((one) => [one.text, one] as const))) {
    const rows = mostRead(yield* ranBy(statement))
    if (rows > mostRows) unbounded.push(`${rows} rows: ${text}`)
  }
  return unbounded
})

const touchesRows = ({ text }: { readonly text: string }) => /^\s*(?:select|insert|update|delete|with)\b/i.test(text)

/** Jobs that read rows. Counting is bounded by transactions instead: 50,000 a statement (`activity.count`). */
const jobsOfRows = jobs.filter(({ name }) => name !== "activity.count")

/** Instants of upkeep: of today nothing has aged, and of ten years later everything has. */
const instants = ["today", "ten years later"] as const

const at = (instant: (typeof instants)[number]) =>
  Effect.map(Clock.currentTimeMillis, (now) => now + (instant === "today" ? 0 : 3650 * 86_400_000))

const withClockAt = <A, E, R>(now: number, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.Clock, (clock) =>
    Effect.provideService(effect, Clock.Clock, {
      ...clock,
      currentTimeMillis: Effect.succeed(now),
      currentTimeMillisUnsafe: () => now
    })
  )

it.layer(Shown.layer.pipe(Layer.provideMerge(WholeProduct()), Layer.provideMerge(Statements.layer)), {
  excludeTestServices: true,
  timeout: 240_000
})("Upkeep", (it) => {
  it.effect.each(jobsOfRows.flatMap((job) => instants.map((instant) => ({ ...job, instant }))))(
    "the job for $name reads a bounded number of rows a statement, $instant (architecture, 7)",
    ({ instant, run }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* unboundedIn(withClockAt(yield* at(instant), run)), [])
      })
  )

  it.effect.each(gauges)("the gauge $name reads a bounded number of rows (architecture, 7)", ({ read }) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* unboundedIn(Effect.flatMap(Clock.currentTimeMillis, read)), [])
    })
  )

  it.effect.each(instants)("a sweep reads a bounded number of rows for each kind of owner, %s", (instant) =>
    Effect.gen(function* () {
      const now = yield* at(instant)
      const unbounded = yield* Effect.forEach(yield* dueOwners, ({ due, type }) =>
        Effect.map(unboundedIn(due(now, "", 1000)), (found) => found.map((one) => `${type}: ${one}`))
      )
      assert.deepStrictEqual(unbounded.flat(), [])
    })
  )
})
