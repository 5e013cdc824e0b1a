import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Clock, Context, Deferred, Effect, Latch, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { type Completion, IdempotencyDuplicate } from "../idempotency/Claim.ts"
import { sealResponse } from "../idempotency/SealedResponse.ts"
import { Ids } from "../ids/Ids.ts"
import { Secrets } from "../secrets/Secrets.ts"
import { instant } from "../sql/Parameters.ts"
import { databaseAway, rolledBack } from "../sql/SqlFailure.ts"
import { Instruments } from "../telemetry/Instruments.ts"
import { commitMetrics } from "../telemetry/Metrics.ts"
import { type CommitOutcome, keysIn, readOutcome, type UnitStatus } from "./Outcome.ts"
import { buildStatement, type CommitRecord, type CommitUnit, type Follower, noLease } from "./Statement.ts"
import { type Submission, type Submitted, submissionsOf } from "./Submission.ts"
import type { Row } from "./Write.ts"

/** A unit as it is handed over: its response still open, sealed here for the statement. */
export interface SubmittedUnit extends Omit<CommitUnit, "idempotency"> {
  readonly completes?: Completion | undefined
}

/** SQL other rooms hang behind a write (the webhooks fan-out behind the outbox). */
export const CommitFollowers = Context.Reference<Readonly<Record<string, ReadonlyArray<Follower>>>>(
  "@carteiro/runtime/platform/commit/CommitFollowers",
  { defaultValue: () => ({}) }
)

/** Called after each statement with the keys it handed back: wake-ups, best effort. */
export type AfterCommit = (outcome: CommitRecord) => void

export type { UnitStatus } from "./Outcome.ts"
export type { Submitted } from "./Submission.ts"

const maxUnits = 512
const retrySoon = Schedule.spaced("200 millis")
/** A statement that takes longer is taken for lost with its connection, and its outcome looked up. */
const statementTimeout = "15 seconds"
/** How long a submission may wait for the database, in milliseconds: less than callers wait for their answer. */
const waitMs = 8000
/** How long `write` waits for an answer, in milliseconds. */
const writeDeadlineMs = 10_000

/**
 * Group commit: one statement at a time a node, holding what gathered while the last one ran. It is one autocommitted
 * statement behind the fence, so a batch costs one round trip and one WAL flush whatever its size.
 * Architecture, section 3 "Group commit"
 */
export class Commit extends Context.Service<
  Commit,
  {
    /** Hands units over; the deferred completes once it is durable how they ended. Never fails. `owner` orders submissions. */
    readonly submit: (owner: string, units: ReadonlyArray<SubmittedUnit>) => Deferred.Deferred<Submitted>
    /**
     * Writes rows that no owner's memory decided (keys, projects, reports): conditions in the statement decide, and the
     * keys handed back tell which rows were written; behind a guard it is all or nothing. Fails only when the idempotency
     * key was taken meanwhile, or when the database stays away for ten seconds.
     */
    readonly write: (
      rows: ReadonlyArray<Row>,
      completes?: Completion | undefined
    ) => Effect.Effect<Submitted["keys"], IdempotencyDuplicate | ServiceUnavailable>
    /** Registers a best-effort observer of what was written. */
    readonly after: (listener: AfterCommit) => void
    /** Submissions waiting or in flight; tests wait for zero before they turn the clock. */
    readonly pending: () => number
  }
>()("@carteiro/runtime/platform/commit/Commit") {
  static readonly layer = Layer.effect(
    Commit,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const clock = yield* Clock.Clock
      const ids = yield* Ids
      const secrets = yield* Secrets
      const followers = yield* CommitFollowers
      const metrics = commitMetrics(yield* Instruments)
      const waiting: Array<Submission> = []
      const listeners: Array<AfterCommit> = []
      const outcomes = countersOf(metrics.outcomes)
      const work = yield* Latch.make()
      let inFlight = 0
      let writes = 0

      const execute = Effect.fnUntraced(function* (id: string, at: number, units: ReadonlyArray<CommitUnit>) {
        const { text, parameters } = buildStatement(id, at, units, followers)
        const [row] = yield* Effect.timeout(
          sql.unsafe<{ readonly outcome: string }>(text, parameters),
          statementTimeout
        )
        metrics.seconds(((yield* Clock.currentTimeMillis) - at) / 1000)
        metrics.units(units.length)
        return row?.outcome ?? "{}"
      })

      // The commit's own row decides: inserting a tombstone under its id waits for a statement still running, and
      // stops one that has not begun.
      const resolveUnknown = Effect.fnUntraced(
        function* (id: string, at: number) {
          const [row] = yield* sql<{ readonly outcome: string }>`
          with tomb as (
            insert into commits (id, created_at, outcome) values (${id}, ${instant(at)}, '')
            on conflict (id) do nothing returning outcome
          )
          select outcome from tomb union all select outcome from commits where id = ${id}`
          return row?.outcome ?? (yield* rereadOutcome(id))
        },
        Effect.retry({ schedule: retrySoon })
      )

      const rereadOutcome = (id: string) =>
        Effect.map(
          sql<{ readonly outcome: string }>`select outcome from commits where id = ${id}`,
          ([row]) => row?.outcome ?? ""
        )

      const run = (units: ReadonlyArray<CommitUnit>, giveUpAt: number): Effect.Effect<CommitOutcome> =>
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          const id = ids.mint("cmt", at)
          const text = yield* execute(id, at, units).pipe(
            Effect.catchTag("TimeoutError", () => Effect.orDie(resolveUnknown(id, at))),
            Effect.catchTag("SqlError", (error) =>
              databaseAway(error)
                ? Effect.orDie(resolveUnknown(id, at))
                : rolledBack(error)
                  ? Effect.succeed("")
                  : Effect.as(
                      Effect.logError("commit refused by the database", { units: units.length, error }),
                      undefined
                    )
            )
          )
          if (text === undefined) {
            // A real error belongs to one unit: halves are tried until it stands alone.
            if (units.length === 1) return { statuses: ["failed"], outcomes: [] }
            const half = units.length >> 1
            const left = yield* run(units.slice(0, half), giveUpAt)
            const right = yield* run(units.slice(half), giveUpAt)
            return { statuses: [...left.statuses, ...right.statuses], outcomes: [...left.outcomes, ...right.outcomes] }
          }
          // Nothing was written (deadlock, or an outcome proven absent): the same units go again, if anyone waits.
          if (text === "") {
            return (yield* Clock.currentTimeMillis) < giveUpAt
              ? yield* run(units, giveUpAt)
              : { statuses: units.map((): UnitStatus => "unavailable"), outcomes: [] }
          }
          return readOutcome(units, JSON.parse(text))
        })

      const tellSubmitters = (batch: ReadonlyArray<Submission>, ended: CommitOutcome) => {
        const keys = keysIn(ended.outcomes)
        for (const outcome of ended.outcomes) for (const listener of listeners) listener(outcome)
        let from = 0
        for (const status of ended.statuses) outcomes[status](1)
        for (const submission of batch) {
          const statuses = ended.statuses.slice(from, from + submission.units.length)
          from += submission.units.length
          submission.end({ statuses, keys })
        }
      }

      const flush = (batch: ReadonlyArray<Submission>) => {
        const units = batch.flatMap((submission) => submission.units)
        return run(units, Math.min(...batch.map(({ giveUpAt }) => giveUpAt))).pipe(
          Effect.catchCause((cause) =>
            Effect.as(Effect.logError("commit failed", cause), {
              statuses: units.map((): UnitStatus => "failed"),
              outcomes: []
            })
          ),
          Effect.map((ended) => tellSubmitters(batch, ended))
        )
      }

      const take = (): Array<Submission> => {
        const batch: Array<Submission> = []
        const targets = new Set<string>()
        const held = new Set<string>()
        const now = clock.currentTimeMillisUnsafe()
        let units = 0
        for (let i = 0; i < waiting.length; ) {
          const next = waiting[i] as Submission
          if (now >= next.giveUpAt) {
            waiting.splice(i, 1)
            tellSubmitters([next], { statuses: next.units.map(() => "unavailable"), outcomes: [] })
            continue
          }
          const clash = held.has(next.owner) || next.targets.some((target) => targets.has(target))
          if (clash || (units > 0 && units + next.units.length > maxUnits)) {
            held.add(next.owner)
            i++
            continue
          }
          for (const target of next.targets) targets.add(target)
          units += next.units.length
          batch.push(next)
          waiting.splice(i, 1)
        }
        return batch
      }

      yield* Effect.gen(function* () {
        while (true) {
          yield* work.await
          yield* Effect.yieldNow
          const batch = take()
          if (waiting.length === 0) work.closeUnsafe()
          if (batch.length === 0) continue
          inFlight = batch.length
          yield* flush(batch)
          inFlight = 0
        }
      }).pipe(Effect.forkScoped)

      const submit = (owner: string, submitted: ReadonlyArray<SubmittedUnit>) => {
        const now = clock.currentTimeMillisUnsafe()
        const units = submitted.map(
          ({ completes, epoch, rows, shard }): CommitUnit => ({
            shard,
            epoch,
            rows,
            idempotency: sealResponse(secrets, completes, now)
          })
        )
        const { done, parts } = submissionsOf(owner, units, now + waitMs)
        waiting.push(...parts)
        work.openUnsafe()
        return done
      }

      return Commit.of({
        submit,
        write: (rows, completes) =>
          Effect.flatMap(
            Effect.timeoutOrElse(
              Effect.suspend(() => Deferred.await(submit(`write/${++writes}`, [{ ...noLease, rows, completes }]))),
              { duration: writeDeadlineMs, orElse: () => Effect.fail(unavailable()) }
            ),
            ({ statuses, keys }): Effect.Effect<Submitted["keys"], IdempotencyDuplicate | ServiceUnavailable> => {
              switch (statuses[0]) {
                case "committed":
                case "refused":
                  return Effect.succeed(keys)
                case "duplicate":
                  return Effect.fail(new IdempotencyDuplicate())
                case "unavailable":
                  return Effect.fail(unavailable())
                default:
                  return Effect.die(new Error("commit failed"))
              }
            }
          ),
        after: (listener) => {
          listeners.push(listener)
        },
        pending: () => waiting.length + inFlight
      })
    })
  )
}

const unavailable = () => new ServiceUnavailable({ retry_after_ms: 1000 })

const countersOf = (family: ReturnType<typeof commitMetrics>["outcomes"]) => ({
  committed: family("committed"),
  fenced: family("fenced"),
  duplicate: family("duplicate"),
  refused: family("refused"),
  failed: family("failed"),
  unavailable: family("unavailable")
})
