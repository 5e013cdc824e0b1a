import { dueOwners, gauges, jobs } from "@carteiro/runtime/app/Fold.ts"
import { Clock, Effect } from "effect"
import { mostRows } from "../contract/FilledTables.ts"
import { mostRead } from "../contract/Filters.ts"
import { ranBy, rolledBack, Statements } from "../contract/Planned.ts"

// Upkeep over tables with many rows: the statements of it that read more than they may. `test/contract/Indexes.test.ts`
// runs it beside the lists, because filling these tables costs more than the tests over them.

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

/** Jobs that read rows, at both instants. Counting is bounded by transactions instead: 50,000 a statement. */
export const jobsOfRows = jobs
  .filter(({ name }) => name !== "activity.count")
  .flatMap(({ name, run }) =>
    instants.map((instant) => ({
      name,
      instant,
      unbounded: Effect.flatMap(at(instant), (now) => unboundedIn(withClockAt(now, run)))
    }))
  )

/** All gauges that read the database. */
export const gaugesOfRows = gauges.map(({ name, read }) => ({
  name,
  unbounded: unboundedIn(Effect.flatMap(Clock.currentTimeMillis, read))
}))

/** A look of the sweeper at each kind of owner, at both instants. */
export const sweeps = instants.map((instant) => ({
  instant,
  unbounded: Effect.gen(function* () {
    const now = yield* at(instant)
    const found = yield* Effect.forEach(yield* dueOwners, ({ due, type }) =>
      Effect.map(unboundedIn(due(now, "", 1000)), (statements) => statements.map((one) => `${type}: ${one}`))
    )
    return found.flat()
  })
}))
