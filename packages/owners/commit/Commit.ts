import type { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, type Effect } from "effect"
import type { Completion, IdempotencyDuplicate } from "../idempotency/Claim.ts"
import type { CommitRecord, CommitUnit, Follower } from "./Statement.ts"
import type { Submitted } from "./Submission.ts"

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
export type { Follower } from "./Statement.ts"
export type { Submitted } from "./Submission.ts"

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
>()("@carteiro/owners/commit/Commit") {}
