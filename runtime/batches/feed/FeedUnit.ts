import type { Row } from "@carteiro/tables/Write.ts"
import type { BatchRow } from "../batch/BatchRead.ts"
import { countFed, settleRecipient } from "../batch/BatchWrites.ts"
import type { Fed } from "./FeedCalls.ts"

/** After this long without a word the sweeper looks for the batch, in milliseconds. */
export const missedAfterMs = 2000

/**
 * The rows of what feeding some recipients came to: each recipient's own, and one count of the batch, which moves on to
 * `position`. Recipients without a decision stay in their claim. gaps-2 H "Recipient refusals inside a batch"
 */
export const fedUnit = (
  batch: BatchRow,
  fed: ReadonlyArray<Fed>,
  position: number,
  now: number
): { readonly rows: ReadonlyArray<Row> } => {
  const judged = fed.filter(({ outcome }) => outcome._tag !== "Again")
  const refusals = judged.filter(({ outcome }) => outcome._tag === "Refused")
  return {
    rows: [
      countFed.row({
        environment_id: batch.environment_id,
        id: batch.id,
        from_position: batch.position,
        position,
        enqueued: judged.filter(({ outcome }) => outcome._tag === "Enqueued").length,
        refused: refusals.length,
        skipped: refusals.filter(({ outcome }) => outcome._tag === "Refused" && outcome.isSkip).length,
        due_at: now + missedAfterMs,
        updated_at: now
      }),
      ...judged.map((one) => settledRow(batch, one, now))
    ]
  }
}

const settledRow = (batch: BatchRow, { message_id, outcome, recipient }: Fed, now: number): Row => {
  const key = { environment_id: batch.environment_id, batch_id: batch.id, position: recipient.position }
  const nothing = {
    error_code: null,
    error_message: null,
    guard_reason: null,
    next_allowed_at: null,
    first_refused_at: recipient.first_refused_at,
    retry_at: null,
    failed_at: null
  }
  switch (outcome._tag) {
    case "Refused":
      return settleRecipient.row({
        ...key,
        ...nothing,
        state: "refused",
        message_id: null,
        error_code: outcome.code,
        error_message: outcome.message,
        guard_reason: outcome.guard_reason,
        next_allowed_at: outcome.next_allowed_at,
        failed_at: now
      })
    case "Retry":
      return settleRecipient.row({
        ...key,
        ...nothing,
        state: "retrying",
        message_id,
        first_refused_at: outcome.since,
        retry_at: outcome.at
      })
    default:
      return settleRecipient.row({ ...key, ...nothing, state: "enqueued", message_id })
  }
}
