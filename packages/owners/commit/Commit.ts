import type { Row } from "@carteiro/tables/Write.ts"
import { Context, type Effect } from "effect"
import type { Claim, Completion, StoredResponse } from "../idempotency/Claim.ts"
import type { Duplicate, Unavailable } from "../ProductTypes.ts"
import type { CommitRecord, CommitUnit, Follower } from "./Statement.ts"
import type { Submitted } from "./Submission.ts"

/** A unit as it is submitted: its response is plain here and sealed for the statement. */
export interface SubmittedUnit extends Omit<CommitUnit, "idempotency"> {
  readonly completes?: Completion | undefined
}

/** SQL that other rooms attach to a write, such as the webhooks' fan-out to the outbox. */
export const CommitFollowers = Context.Reference<Readonly<Record<string, ReadonlyArray<Follower>>>>(
  "@carteiro/owners/commit/CommitFollowers",
  { defaultValue: () => ({}) }
)

/** Runs after each statement with the keys it returned, for wake-ups; a failure has no effect on the commit. */
export type AfterCommit = (outcome: CommitRecord) => void

export type { UnitStatus } from "./Outcome.ts"
export type { Follower } from "./Statement.ts"
export type { Submitted } from "./Submission.ts"

/**
 * Commits in groups: each node runs one statement at a time, which holds the units that gathered while the previous one
 * ran. It is one autocommitted statement behind the fence, so a batch costs one round trip and one WAL flush whatever
 * its size.
 */
export class Commit extends Context.Service<
  Commit,
  {
    /**
     * Submits units and passes their outcome to `done` once it is durable. Submissions with an equal `owner` are
     * written in order. Units are begun only while `stands` returns true, which says that the state they were decided
     * on still holds.
     */
    readonly submit: (
      owner: string,
      units: ReadonlyArray<SubmittedUnit>,
      done: (submitted: Submitted) => void,
      stands?: () => boolean
    ) => void
    /**
     * Writes rows that no owner's memory decided (keys, projects, reports): conditions in the statement decide, and the
     * returned keys tell which rows were written. Behind a guard either all rows are written or none. Fails only when
     * another request took the idempotency key meanwhile, or when the database is unreachable for ten seconds.
     */
    readonly write: (
      rows: ReadonlyArray<Row>,
      completes?: Completion | undefined
    ) => Effect.Effect<Submitted["keys"], Duplicate | Unavailable>
    /**
     * Completes the idempotency key of a call that changes nothing, and returns its response. Without a key it writes
     * nothing. Fails as `write` does.
     */
    readonly complete: <Response extends StoredResponse>(
      claim: Claim | undefined,
      response: Response
    ) => Effect.Effect<Response, Duplicate | Unavailable>
    /** Registers an observer of written keys; its failures have no effect on the commit. */
    readonly after: (listener: AfterCommit) => void
    /** Returns the number of submissions that wait or run; tests wait for zero before they turn the clock. */
    readonly pending: () => number
    /**
     * Returns the earliest instant at which one of those gives up, in epoch milliseconds. An instant long past means
     * that the committer hangs.
     */
    readonly nextGivesUpAt: () => number | undefined
  }
>()("@carteiro/owners/commit/Commit") {}
