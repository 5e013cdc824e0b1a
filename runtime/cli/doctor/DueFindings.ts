import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { attention, type Judgement, span, well, wrong } from "./Finding.ts"

/** Ages of due rows that are told apart, in milliseconds, the oldest first. The alerts begin at the last. */
const ages = [dayMs, hourMs, 300_000] as const
/** From this age on something stands still; below it a queue may be longer than its rate allows. */
const standsStill = hourMs

const pageSize = 1000
const pagesAKind = 20

/** One owner whose rows have been due since before an instant; undefined when the walk finds none within its bound. */
const lateOwner = Effect.fnUntraced(function* ({ due }: DueOwners, before: number) {
  let after: string | undefined = ""
  for (let page = 0; page < pagesAKind && after !== undefined; page++) {
    const found: Effect.Success<ReturnType<DueOwners["due"]>> = yield* due(before, after, pageSize)
    if (found.ids[0] !== undefined) return found.ids[0]
    after = found.next
  }
  return undefined
})

/** Looks how long rows of one kind of owner have been due, by the walk of the sweeper. */
const dueFinding = (kind: DueOwners, now: number): Effect.Effect<Judgement | undefined, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    for (const age of ages) {
      const owner = yield* lateOwner(kind, now - age)
      if (owner === undefined) continue
      const late = `Work of ${kind.type} ${owner} has been due for more than ${span(age)}.`
      return age >= standsStill
        ? wrong(late, "See that nodes with shards run and hold their shards, then the log of the node for this id.")
        : attention(
            late,
            "Look again in a minute: a long queue at a slow rate passes, one that only ages stands still."
          )
    }
    return undefined
  })

/** Looks for rows of every kind that have been due for more than five minutes. */
export const dueFindings = Effect.fnUntraced(function* (kinds: ReadonlyArray<DueOwners>, now: number) {
  const found = yield* Effect.forEach(kinds, (kind) => dueFinding(kind, now))
  const late = found.filter((one) => one !== undefined)
  return late.length > 0 ? late : [well(`No work of ${kinds.length} kinds of owner has been due for five minutes.`)]
})
