import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { batchesTable, batchRecipientsTable } from "./BatchTables.ts"

const batchTarget = rowOf("batches", "id")

/**
 * Makes a batch of its stage, whose rows become its recipients: the small commit that publishes it. Without the stage,
 * which may have been swept, nothing is written. M-BAT-15, M-BAT-22
 */
export const publishBatch = insertInto(batchesTable, {
  name: "batches.publish",
  columns: [
    "environment_id",
    "id",
    "environment",
    "name",
    "status",
    "channel",
    "business_id",
    "template_name",
    "template_language",
    "template_id",
    "template_version_id",
    "template_version",
    "header_media",
    "filter",
    "recipient_count",
    "metadata",
    "scheduled_at",
    "trace_id",
    "due_at",
    "created_at"
  ],
  values: { updated_at: "r.created_at" },
  guard: (source) => `select a.unit from ${source} a join batch_stages s
    on s.environment_id = a.environment_id and s.batch_id = a.id order by s.environment_id, s.batch_id for update of s`,
  before: [
    {
      name: "batches_staged",
      sql: (source) => `delete from batch_stages s using ${source} r
        where s.environment_id = r.environment_id and s.batch_id = r.id`
    }
  ],
  returning: "id",
  target: batchTarget
})

/** Moves a batch from the status it was found in. gaps-2 H "Batch states" */
export const moveBatch = updateOf(batchesTable, {
  name: "batches.move",
  set: ["status", "due_at", "updated_at"],
  beside: { from_status: "text", resumes: "bool" },
  values: { resumed: "t.resumed or r.resumes" },
  guard: "t.status = r.from_status",
  target: batchTarget
})

/** Ends a batch that could not start. gaps-2 H "Batch states" */
export const failBatch = updateOf(batchesTable, {
  name: "batches.fail",
  set: ["failure_code", "failure_message", "updated_at"],
  values: { status: "'failed'", due_at: "null" },
  guard: "t.status = 'queued'",
  target: batchTarget
})

/** Notes how far the contacts of a batch are found; `filter` is null at the end. gaps-2 H "Audiences" */
export const findRecipients = updateOf(batchesTable, {
  name: "batches.find",
  set: ["found_through", "found_count", "filter", "recipient_count", "updated_at"],
  beside: { from_count: "int4" },
  guard: "t.status = 'queued' and t.filter is not null and t.found_count = r.from_count",
  target: batchTarget
})

/** A recipient that was found among the contacts. */
export const insertRecipient = insertInto(batchRecipientsTable, {
  columns: ["environment_id", "batch_id", "position", "phone", "customer_key"]
})

/**
 * Claims the next recipients to be fed: durable before any of them is, so that a node that takes over feeds the same ones
 * under the same ids. gaps-2 M "Job delivery"
 */
export const claimRecipients = updateOf(batchesTable, {
  name: "batches.claim",
  set: ["claimed_to", "claimed_at", "due_at"],
  beside: { from_position: "int4" },
  guard: "t.status = 'processing' and t.position = r.from_position and t.claimed_to is null",
  target: batchTarget
})

/** Counts the outcomes of recipients that were fed; ends the claim of those behind `position`. */
export const countFed = updateOf(batchesTable, {
  name: "batches.count_fed",
  set: ["position", "due_at", "updated_at"],
  beside: { from_position: "int4", enqueued: "int4", refused: "int4", skipped: "int4" },
  values: {
    due_at: "case when t.status = 'processing' then r.due_at else t.due_at end",
    claimed_to: "case when r.position = r.from_position then t.claimed_to end",
    claimed_at: "case when r.position = r.from_position then t.claimed_at end",
    enqueued_count: "t.enqueued_count + r.enqueued",
    refused_count: "t.refused_count + r.refused",
    recipient_guard_skipped_count: "t.recipient_guard_skipped_count + r.skipped"
  },
  guard: "t.position = r.from_position",
  target: batchTarget
})

/** Records the outcome of one recipient that was fed. */
export const settleRecipient = updateOf(batchRecipientsTable, {
  name: "batch_recipients.settle",
  set: [
    "state",
    "message_id",
    "error_code",
    "error_message",
    "guard_reason",
    "next_allowed_at",
    "first_refused_at",
    "retry_at",
    "failed_at"
  ],
  target: rowOf("batch_recipients", "batch_id", "position")
})

/** When the owner looks at the batch next. */
export const lookAgain = updateOf(batchesTable, {
  name: "batches.look_again",
  set: ["due_at"],
  where: "t.due_at is not null",
  target: batchTarget
})

/** Every message has left the queue. gaps-2 H "Batch states" */
export const completeBatch = updateOf(batchesTable, {
  name: "batches.complete",
  set: ["updated_at"],
  values: { status: "'completed'", due_at: "null" },
  guard: "t.status = 'processing' and t.position >= t.recipient_count",
  target: batchTarget
})

/** The end of a cancelled batch: recipients it never came to are cancelled with it, once. */
export const settleCancelled = updateOf(batchesTable, {
  name: "batches.settle_cancelled",
  set: ["updated_at"],
  values: {
    cancelled_count: "t.cancelled_count + t.recipient_count - t.enqueued_count - t.refused_count",
    due_at: "null"
  },
  where: "t.status = 'cancelled' and t.due_at is not null",
  target: batchTarget
})
