import { type LeftStatement, leftAfter, withinPatience } from "@carteiro/tables/Deadline.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { databaseAway, heldUp, outOfRoom, rolledBack } from "@carteiro/tables/SqlFailure.ts"
import { Clock, Effect, Schedule, type Tracer } from "effect"
import type { SqlClient } from "effect/sql"
import type { Ids } from "../ids/Ids.ts"
import type { commitMetrics } from "../telemetry/EngineMetrics.ts"
import type { Tracing } from "../telemetry/Tracing.ts"
import { type CommitOutcome, readOutcome } from "./Outcome.ts"
import { type CommitUnit, type Follower, gatherRows, statementParameters } from "./Statement.ts"
import { StatementShapes } from "./StatementShapes.ts"

/** The result of one statement. */
export type Attempt =
  | { readonly _tag: "Written"; readonly outcome: CommitOutcome }
  /** No unit was written, and the units may be retried unchanged: a deadlock, no room, or an outcome proven absent. */
  | { readonly _tag: "Again" }
  /** No unit was written: another transaction holds a row lock, or the statement ran out of time. */
  | { readonly _tag: "Locked" }
  /** No unit was written: a value or row of some unit is invalid. The error was logged. */
  | { readonly _tag: "Refused" }

/** Services that statements need. */
export interface ExecutionContext {
  readonly sql: SqlClient.SqlClient
  readonly ids: Ids["Service"]
  readonly followers: Readonly<Record<string, ReadonlyArray<Follower>>>
  readonly metrics: ReturnType<typeof commitMetrics>
  /** Returns the longest time for a statement at this moment, in milliseconds; see `ReadPatience`. */
  readonly patience: () => number
  readonly tracing: Tracing | undefined
}

const soon = "200 millis"
const retrySoon = Schedule.spaced(soon)
const again: Attempt = { _tag: "Again" }
const locked: Attempt = { _tag: "Locked" }
const refused: Attempt = { _tag: "Refused" }

/**
 * Makes the function that runs units as one statement and returns its result. It never fails; an unknown outcome is
 * looked up by the commit's id until the database answers.
 */
export const makeExecution = ({ followers, ids, metrics, patience, sql, tracing }: ExecutionContext) => {
  const shapes = new StatementShapes(followers)

  const execute = Effect.fnUntraced(function* ({ at, id, left, units }: Run) {
    const gathered = gatherRows(units)
    const shape = shapes.shapeOf(units, gathered, at)
    const parameters = statementParameters(shape, id, at, units, gathered)
    // Without an answer the statement counts as lost with its connection, and its outcome is looked up.
    const statement = sql.unsafe<{ readonly outcome: string }>(shape.text, parameters)
    const [row] = yield* leftAfter(statement, patience(), (silent) => left.push(silent))
    metrics.seconds(((yield* Clock.currentTimeMillis) - at) / 1000)
    metrics.units(units.length)
    return row?.outcome ?? ""
  })

  /** Runs the statement under its own span when a sampled request waits for it. */
  const traced = (run: Run) => {
    const { id, units } = run
    const served = tracing === undefined ? none : spansOf(units)
    if (tracing === undefined || served.length === 0) return execute(run)
    const span = tracing.beneath("commit", "client", served, {
      "carteiro.commit.id": id,
      "carteiro.commit.units": units.length,
      "carteiro.commit.rows": units.reduce((sum, { rows }) => sum + rows.length, 0)
    })
    // The library's span of the statement would repeat this one, with kilobytes of SQL.
    return Effect.onExit(execute(run), (exit) => Effect.sync(() => tracing.end(span, exit)))
  }

  // The commit's own row decides. Writing a tombstone under its id waits for a statement that still runs, and stops one
  // that has not begun. A row that is there is written too: a server that lost its synchronous standby shows commits
  // that no standby has, and the commit of this statement waits for the standby.
  const resolveUnknown = Effect.fnUntraced(
    function* (id: string, at: number) {
      const tomb = sql<{ readonly outcome: string }>`
        insert into commits (id, created_at, outcome) values (${id}, ${instant(at)}, '')
        on conflict (id) do update set created_at = commits.created_at returning outcome`
      const [row] = yield* withinPatience(tomb, patience())
      return row?.outcome ?? ""
    },
    Effect.retry({ schedule: retrySoon }),
    Effect.orDie
  )

  const stopped = (at: number) =>
    Effect.sync(() => {
      shapes.stopped(at)
      return locked
    })

  return (units: ReadonlyArray<CommitUnit>): Effect.Effect<Attempt> =>
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const id = ids.mint("cmt", at)
      const told = (text: string): Attempt =>
        text === "" ? again : { _tag: "Written", outcome: readOutcome(units, JSON.parse(text)) }
      const left: Array<LeftStatement> = []
      return yield* traced({ id, at, units, left }).pipe(
        Effect.map(told),
        // A value that its column cannot hold throws before the statement is sent.
        Effect.catchDefect((defect) => logRefused(units, defect)),
        Effect.catchTag("SqlError", (error) =>
          // A tombstone would find no room either.
          outOfRoom(error)
            ? Effect.as(Effect.sleep(soon), again)
            : databaseAway(error)
              ? Effect.map(resolveUnknown(id, at), told)
              : heldUp(error)
                ? stopped(at)
                : rolledBack(error)
                  ? Effect.succeed(again)
                  : logRefused(units, error)
        ),
        // By now it has ended at the server, unless this node stops.
        Effect.ensuring(Effect.sync(() => left.forEach(({ end }) => end())))
      )
    })
}

/** One run of a commit, and its statement if that is still silent when the patience ends. */
interface Run {
  readonly id: string
  readonly at: number
  readonly units: ReadonlyArray<CommitUnit>
  readonly left: Array<LeftStatement>
}

const none: ReadonlyArray<Tracer.AnySpan> = []

/** Returns the spans that wait for these units, each once. */
const spansOf = (units: ReadonlyArray<CommitUnit>): ReadonlyArray<Tracer.AnySpan> => {
  let spans: Set<Tracer.AnySpan> | undefined
  for (const { span } of units) {
    if (span !== undefined) spans = (spans ?? new Set()).add(span)
  }
  return spans === undefined ? none : [...spans]
}

const logRefused = (units: ReadonlyArray<CommitUnit>, error: unknown) =>
  Effect.as(Effect.logError("commit refused", { units: units.length, error }), refused)
