import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { ReadPatience } from "@carteiro/tables/ConnectionLimits.ts"
import { CurrentStart, patienceDuring } from "@carteiro/tables/StartPatience.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Clock, Effect, Layer, type Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { forkHere } from "../Fork.ts"
import type { Completion } from "../idempotency/Claim.ts"
import { sealResponse } from "../idempotency/SealedResponse.ts"
import { Ids } from "../ids/Ids.ts"
import type { Duplicate, Unavailable } from "../ProductTypes.ts"
import { Refusals } from "../Refusals.ts"
import { commitMetrics } from "../telemetry/EngineMetrics.ts"
import { Instruments } from "../telemetry/Instruments.ts"
import { sampledSpan, Tracing } from "../telemetry/Tracing.ts"
import { type AfterCommit, Commit, CommitFollowers } from "./Commit.ts"
import { Committer } from "./Committer.ts"
import { makeExecution } from "./Execution.ts"
import { type CommitUnit, noLease } from "./Statement.ts"
import { subjectRows } from "./SubjectRows.ts"
import { type Submitted, submissionsOf } from "./Submission.ts"

/**
 * The longest time a submission waits for the database, in milliseconds: less than callers wait for their answer. What a
 * start writes waits as long as the start.
 */
const waitMs = 8000
/** How much longer `write` waits for an answer, in milliseconds. */
const answerMs = 2000

/**
 * Runs the group commit of one node. It is apart from the service because most files of the rooms import the service.
 */
export const commitLayer = Layer.effect(
  Commit,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* Clock.Clock
    const ids = yield* Ids
    const secrets = yield* Secrets
    const { duplicate, unavailable } = yield* Refusals
    const followers = yield* CommitFollowers
    const metrics = commitMetrics(yield* Instruments)
    const tracing = yield* Tracing
    const listeners: Array<AfterCommit> = []
    const start = yield* CurrentStart
    const readPatience = yield* ReadPatience
    const patience = () => patienceDuring(start, readPatience)
    const longestWait = () => patienceDuring(start, waitMs)
    const committer = new Committer({
      attempt: makeExecution({ sql, ids, followers, metrics, patience, tracing }),
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
      committer.add(submissionsOf(owner, units, { giveUpAt: now + longestWait(), stands }, done))
    }

    const handOver = (rows: ReadonlyArray<Row>, completes: Completion | undefined, span?: Tracer.AnySpan) =>
      Effect.callback<Submitted>((resume) =>
        submit(`write/${++writes}`, [{ ...noLease, rows, completes, span }], (result) => resume(Effect.succeed(result)))
      )
    const submitAlone: typeof handOver =
      tracing === undefined
        ? handOver
        : (rows, completes) => Effect.withFiber((fiber) => handOver(rows, completes, sampledSpan(fiber)))

    const write: Commit["Service"]["write"] = (rows, completes) =>
      Effect.flatMap(
        Effect.timeoutOrElse(submitAlone(rows, completes), {
          duration: longestWait() + answerMs,
          orElse: () => Effect.fail(unavailable())
        }),
        ({ statuses, keys }): Effect.Effect<Submitted["keys"], Duplicate | Unavailable> => {
          switch (statuses[0]) {
            case "committed":
            case "refused":
              return Effect.succeed(keys)
            case "duplicate":
              return Effect.fail(duplicate())
            case "unavailable":
              return Effect.fail(unavailable())
            default:
              return Effect.die(new Error("commit failed"))
          }
        }
      )

    return Commit.of({
      submit,
      write,
      complete: (claim, response) =>
        claim === undefined ? Effect.succeed(response) : Effect.as(write([], { claim, response }), response),
      after: (listener) => {
        listeners.push(listener)
      },
      pending: () => committer.pending,
      nextGivesUpAt: () => committer.nextGivesUpAt
    })
  })
)

const always = () => true

export { commitHealth } from "./CommitHealth.ts"
