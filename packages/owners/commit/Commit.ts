import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { ReadPatience } from "@carteiro/tables/ConnectionLimits.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Clock, Context, Effect, Layer, type Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { forkHere } from "../Fork.ts"
import { type Completion, IdempotencyDuplicate } from "../idempotency/Claim.ts"
import { sealResponse } from "../idempotency/SealedResponse.ts"
import { Ids } from "../ids/Ids.ts"
import { commitMetrics } from "../metrics/EngineMetrics.ts"
import { Instruments } from "../metrics/Instruments.ts"
import { sampledSpan, Tracing } from "../tracing/Tracing.ts"
import { Committer } from "./Committer.ts"
import { makeExecution } from "./Execution.ts"
import { type CommitRecord, type CommitUnit, type Follower, noLease } from "./Statement.ts"
import { subjectRows } from "./SubjectRows.ts"
import { type Submitted, submissionsOf } from "./Submission.ts"

/** A unit as it is handed over: its response still open, sealed here for the statement. */
export interface SubmittedUnit extends Omit<CommitUnit, "idempotency"> {
  readonly completes?: Completion | undefined
}

/** SQL other rooms hang behind a write (the webhooks fan-out behind the outbox). */
export const CommitFollowers = Context.Reference<Readonly<Record<string, ReadonlyArray<Follower>>>>(
  "@carteiro/owners/commit/CommitFollowers",
  { defaultValue: () => ({}) }
)

/** Called after each statement with the keys it handed back: wake-ups, best effort. */
export type AfterCommit = (outcome: CommitRecord) => void

export type { UnitStatus } from "./Outcome.ts"
export type { Submitted } from "./Submission.ts"

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
    /**
     * Hands units over and tells `done` what became of them once that is durable. `owner` orders submissions; they are
     * begun only while `stands` says that what they were decided on still holds.
     */
    readonly submit: (
      owner: string,
      units: ReadonlyArray<SubmittedUnit>,
      done: (submitted: Submitted) => void,
      stands?: () => boolean
    ) => void
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
    /** When the first of those gives up, in epoch milliseconds: long past, the committer does not move. */
    readonly nextGivesUpAt: () => number | undefined
  }
>()("@carteiro/owners/commit/Commit") {
  static readonly layer = Layer.effect(
    Commit,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const clock = yield* Clock.Clock
      const ids = yield* Ids
      const secrets = yield* Secrets
      const followers = yield* CommitFollowers
      const metrics = commitMetrics(yield* Instruments)
      const tracing = yield* Tracing
      const listeners: Array<AfterCommit> = []
      const committer = new Committer({
        attempt: makeExecution({ sql, ids, followers, metrics, patience: yield* ReadPatience, tracing }),
        clock,
        fork: yield* forkHere,
        listeners,
        outcomes: metrics.outcomes
      })
      yield* Effect.forkScoped(committer.run)
      let writes = 0

      const submit: Commit["Service"]["submit"] = (owner, submitted, done, stands = always) => {
        const now = clock.currentTimeMillisUnsafe()
        const units = submitted.map(({ completes, epoch, rows, shard, span }): CommitUnit => {
          const beside = subjectRows(secrets, completes)
          return {
            shard,
            epoch,
            rows: beside.length === 0 ? rows : [...rows, ...beside],
            idempotency: sealResponse(secrets, completes, now),
            span
          }
        })
        committer.add(submissionsOf(owner, units, { giveUpAt: now + waitMs, stands }, done))
      }

      const handOver = (rows: ReadonlyArray<Row>, completes: Completion | undefined, span?: Tracer.AnySpan) =>
        Effect.callback<Submitted>((resume) =>
          submit(`write/${++writes}`, [{ ...noLease, rows, completes, span }], (result) =>
            resume(Effect.succeed(result))
          )
        )
      const submitAlone: typeof handOver =
        tracing === undefined
          ? handOver
          : (rows, completes) => Effect.withFiber((fiber) => handOver(rows, completes, sampledSpan(fiber)))

      return Commit.of({
        submit,
        write: (rows, completes) =>
          Effect.flatMap(
            Effect.timeoutOrElse(submitAlone(rows, completes), {
              duration: writeDeadlineMs,
              orElse: () => Effect.fail(unavailable())
            }),
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
        pending: () => committer.pending,
        nextGivesUpAt: () => committer.nextGivesUpAt
      })
    })
  )
}

const always = () => true

const unavailable = () => new ServiceUnavailable({ retry_after_ms: 1000 })

export { commitHealth } from "./CommitHealth.ts"
export type { Follower } from "./Statement.ts"
