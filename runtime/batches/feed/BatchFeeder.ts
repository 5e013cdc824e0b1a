import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import type { SpendStandings } from "../../access/Access.ts"
import type { NumberLimits } from "../../messages/Messages.ts"
import type { BatchRow } from "../batch/BatchRead.ts"
import type { BatchRepo } from "../batch/BatchRepo.ts"
import { isComplete } from "../batch/BatchState.ts"
import { claimRecipients, completeBatch, lookAgain } from "../batch/BatchWrites.ts"
import { recountProgress } from "../batch/ProgressWrites.ts"
import { type AcceptMessage, type Fed, feedRecipient } from "./FeedCalls.ts"
import type { FeedFacts, FeedRepo } from "./FeedRepo.ts"
import { claimSize, feedWindow, quietPauseMs, recountAfterLooks, refillPauseMs } from "./FeedRules.ts"
import { fedUnit, missedAfterMs } from "./FeedUnit.ts"

/** The memory of a batch's owner: how long nothing has moved. Everything else is rows. */
export interface BatchLooks {
  quiet: number
  /** Recipients that were gone at the last look. */
  seen: number
}

/** Services that feeding needs. */
export interface FeedDeps {
  readonly repo: BatchRepo["Service"]
  readonly feed: FeedRepo["Service"]
  readonly accept: AcceptMessage
  /** Tells whether the environment may spend. */
  readonly standings: SpendStandings["Service"]
  readonly limitsOf: (batch: BatchRow, number: NonNullable<FeedFacts["number"]>) => NumberLimits
}

const retryMs = 250

/** Writes rows of one decision; false when what it was decided on has changed. */
export const written = (owner: OwnerHandle, rows: ReadonlyArray<Row>): Effect.Effect<boolean> =>
  Effect.map(owner.commit([{ rows }]), ({ statuses }) => statuses.every((status) => status === "committed"))

/**
 * One pass over a batch that is processing: feeds the next recipients while its number has room for them, tries again whom
 * the guards could not judge, and ends it when every message has left the queue. Answers when to look again. M-BAT-01
 */
export const feedBatch = Effect.fnUntraced(function* (
  batch: BatchRow,
  looks: BatchLooks,
  owner: OwnerHandle,
  deps: FeedDeps
) {
  if (batch.claimed_to !== null && batch.claimed_at !== null) {
    return yield* feedClaim(batch, batch.claimed_to, batch.claimed_at, owner, deps)
  }
  const facts = yield* deps.feed.facts(batch, feedWindow(undefined))
  const perMillis = facts.number === undefined ? undefined : deps.limitsOf(batch, facts.number).send?.perMillis
  const room = feedWindow(perMillis, owner.stands()) - facts.ready
  const now = owner.now()
  if (room > 0 && facts.retry_at !== null && facts.retry_at <= now) {
    const recipients = yield* deps.feed.retries(batch, now, Math.min(room, claimSize))
    const fed = yield* feedAll(batch, recipients, now, owner, deps)
    return yield* settle(batch, fed, batch.position, owner)
  }
  if (batch.position < batch.recipient_count) {
    if (room <= 0) return now + refillPauseMs(perMillis)
    const claimed_to = Math.min(batch.position + Math.min(room, claimSize), batch.recipient_count)
    const { environment_id, id } = batch
    const claim = claimRecipients.row({
      environment_id,
      id,
      claimed_to,
      claimed_at: now,
      due_at: now + missedAfterMs,
      from_position: batch.position
    })
    if (!(yield* written(owner, [claim]))) return now + retryMs
    return yield* feedClaim(batch, claimed_to, now, owner, deps)
  }
  if (isComplete({ ...batch, retrying: facts.retrying })) {
    const { environment_id, id } = batch
    const done = yield* written(owner, [completeBatch.row({ environment_id, id, updated_at: now })])
    return done ? undefined : now + retryMs
  }
  return yield* wait(batch, facts, looks, owner)
})

const feedClaim = Effect.fnUntraced(function* (
  batch: BatchRow,
  claimedTo: number,
  claimedAt: number,
  owner: OwnerHandle,
  deps: FeedDeps
) {
  const recipients = yield* deps.feed.claimed(batch, batch.position, claimedTo)
  const fed = yield* feedAll(batch, recipients, claimedAt, owner, deps)
  const isJudged = fed.every(({ outcome }) => outcome._tag !== "Again")
  return yield* settle(batch, fed, isJudged ? claimedTo : batch.position, owner)
})

/**
 * A cap reached or credit gone since the batch was accepted refuses the recipients that are fed from now on, as it refuses single sends.
 * gaps-2 H "Recipient refusals inside a batch"
 */
const feedAll = Effect.fnUntraced(function* (
  batch: BatchRow,
  recipients: ReadonlyArray<Fed["recipient"]>,
  claimedAt: number,
  owner: OwnerHandle,
  { accept, standings }: FeedDeps
) {
  const standing = batch.environment === "sandbox" ? undefined : yield* standings.read(batch.environment_id)
  return yield* Effect.forEach(
    recipients,
    (recipient) => feedRecipient(batch, recipient, claimedAt, owner.now(), standing, accept),
    { concurrency: "unbounded" }
  )
})

const settle = Effect.fnUntraced(function* (
  batch: BatchRow,
  fed: ReadonlyArray<Fed>,
  position: number,
  owner: OwnerHandle
) {
  const now = owner.now()
  if (!(yield* written(owner, fedUnit(batch, fed, position, now).rows))) return now + retryMs
  const again = fed.flatMap(({ outcome }) => (outcome._tag === "Again" ? [outcome.afterMs] : []))
  return again.length === 0 ? owner.now() : owner.now() + Math.min(...again)
})

/** All are fed; messages leave the queue when their number lets them. */
const wait = Effect.fnUntraced(function* (batch: BatchRow, facts: FeedFacts, looks: BatchLooks, owner: OwnerHandle) {
  const { environment_id, id } = batch
  const now = owner.now()
  looks.quiet = batch.gone === looks.seen ? looks.quiet + 1 : 0
  looks.seen = batch.gone
  const quiet = now + quietPauseMs(looks.quiet)
  // Where the clock of a sandbox stands, as in an advance, held messages wait for a slot of their number and nothing else.
  const heldUntil = owner.stands() && facts.ready === 0 ? (facts.pacing_at ?? quiet) : quiet
  const next = Math.min(Math.max(quiet, heldUntil), facts.retry_at ?? Number.POSITIVE_INFINITY)
  const rows: Array<Row> = []
  if (next - now > missedAfterMs / 2) rows.push(lookAgain.row({ environment_id, id, due_at: next }))
  if (looks.quiet >= recountAfterLooks) rows.push(recountProgress.row({ environment_id, id }))
  if (rows.length > 0) yield* Effect.forEach(rows, (row) => owner.commit([{ rows: [row] }]), { discard: true })
  return next
})
