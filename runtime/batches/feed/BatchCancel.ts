import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import type { BatchRow } from "../batch/BatchRead.ts"
import { settleCancelled } from "../batch/BatchWrites.ts"
import { written } from "./BatchFeeder.ts"
import { messageIdOf } from "./FeedCalls.ts"
import type { FeedRepo } from "./FeedRepo.ts"
import { claimSize } from "./FeedRules.ts"
import { fedUnit } from "./FeedUnit.ts"

/** Cancels one message at its number, as its owner does for a caller. */
export type CancelMessage = (
  numberId: string,
  item: {
    readonly id: string
    readonly environment_id: string
    readonly environment: BatchRow["environment"]
    readonly claim: undefined
  }
) => Effect.Effect<unknown, ApiError>

/** Services that the end of a cancelled batch needs. */
export interface CancelDeps {
  readonly feed: FeedRepo["Service"]
  readonly cancel: CancelMessage
}

const retryMs = 250

/**
 * One step behind a cancelled batch: what of a broken claim became a message is noted, queued messages are cancelled some
 * at a time, and last the recipients that were never fed are counted. Returns when to look again. gaps-2 H "Pause, resume, cancel"
 */
export const endCancelled = Effect.fnUntraced(function* (batch: BatchRow, owner: OwnerHandle, deps: CancelDeps) {
  if (batch.claimed_to !== null && batch.claimed_at !== null) {
    return yield* noteClaimed(batch, batch.claimed_to, batch.claimed_at, owner, deps)
  }
  const queued = yield* deps.feed.queued(batch, claimSize)
  if (queued.length > 0) {
    const { business_id, environment, environment_id } = batch
    // One that is on its way by now finishes: it is not found among the queued ones again.
    const ended = yield* Effect.forEach(
      queued,
      (id) => Effect.exit(deps.cancel(business_id, { id, environment_id, environment, claim: undefined })),
      { concurrency: "unbounded" }
    )
    return ended.every(({ _tag }) => _tag === "Success") ? owner.now() : owner.now() + retryMs
  }
  const { environment_id, id } = batch
  const done = yield* written(owner, [settleCancelled.row({ environment_id, id, updated_at: owner.now() })])
  return done ? undefined : owner.now() + retryMs
})

const noteClaimed = Effect.fnUntraced(function* (
  batch: BatchRow,
  claimedTo: number,
  claimedAt: number,
  owner: OwnerHandle,
  { feed }: CancelDeps
) {
  const recipients = yield* feed.claimed(batch, batch.position, claimedTo)
  const claimed = recipients.map((recipient) => ({
    recipient,
    message_id: messageIdOf(batch, recipient, claimedAt),
    outcome: { _tag: "Enqueued" as const }
  }))
  const stored = yield* feed.stored(
    batch,
    claimed.map(({ message_id }) => message_id)
  )
  const made = claimed.filter(({ message_id }) => stored.has(message_id))
  const noted = yield* written(owner, fedUnit(batch, made, claimedTo, owner.now()).rows)
  return noted ? owner.now() : owner.now() + retryMs
})
