import type { TemplateHeaderMedia } from "@carteiro/schema/messages/content/TemplateContent.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { json } from "@carteiro/tables/StoredJson.ts"
import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import type { StoredFilter } from "../audience/ContactFilter.ts"

const batchTarget = rowOf("batches", "id")
const key = { environment_id: "text", id: "text" } as const

/**
 * Makes a batch of its stage, whose rows become its recipients: the small commit that publishes it. Without the stage,
 * which may have been swept, nothing is written. M-BAT-15, M-BAT-22
 */
export const publishBatch = defineInsert({
  name: "batches.publish",
  table: "batches",
  columns: {
    ...key,
    environment: "text",
    name: "text",
    status: "text",
    channel: "text",
    business_id: "text",
    template_name: "text",
    template_language: "text",
    template_id: "text",
    template_version_id: "text",
    template_version: "int4",
    header_media: json<TemplateHeaderMedia>(),
    filter: json<StoredFilter>(),
    recipient_count: "int4",
    metadata: json<Metadata>(),
    scheduled_at: "timestamptz",
    trace_id: "text",
    due_at: "timestamptz",
    created_at: "timestamptz"
  },
  values: { updated_at: "r.created_at" },
  guard: (asked) => `select a.unit from ${asked} a join batch_stages s
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
export const moveBatch = defineUpdate({
  name: "batches.move",
  table: "batches",
  key,
  set: { status: "text", due_at: "timestamptz", updated_at: "timestamptz" },
  beside: { from_status: "text", resumes: "bool" },
  values: { resumed: "t.resumed or r.resumes" },
  guard: "t.status = r.from_status",
  target: batchTarget
})

/** Ends a batch that could not start. gaps-2 H "Batch states" */
export const failBatch = defineUpdate({
  name: "batches.fail",
  table: "batches",
  key,
  set: { failure_code: "text", failure_message: "text", updated_at: "timestamptz" },
  values: { status: "'failed'", due_at: "null" },
  guard: "t.status = 'queued'",
  target: batchTarget
})

/** Notes how far the contacts of a batch are found; `filter` is null at the end. gaps-2 H "Audiences" */
export const findRecipients = defineUpdate({
  name: "batches.find",
  table: "batches",
  key,
  set: {
    found_through: "text",
    found_count: "int4",
    filter: json<StoredFilter>(),
    recipient_count: "int4",
    updated_at: "timestamptz"
  },
  beside: { from_count: "int4" },
  guard: "t.status = 'queued' and t.filter is not null and t.found_count = r.from_count",
  target: batchTarget
})

/** A recipient that was found among the contacts. */
export const insertRecipient = defineInsert({
  table: "batch_recipients",
  columns: { environment_id: "text", batch_id: "text", position: "int4", phone: "text", customer_key: "text" }
})

/**
 * Claims the next recipients to be fed: durable before any of them is, so that a node that takes over feeds the same ones
 * under the same ids. gaps-2 M "Job delivery"
 */
export const claimRecipients = defineUpdate({
  name: "batches.claim",
  table: "batches",
  key,
  set: { claimed_to: "int4", claimed_at: "timestamptz", due_at: "timestamptz" },
  beside: { from_position: "int4" },
  guard: "t.status = 'processing' and t.position = r.from_position and t.claimed_to is null",
  target: batchTarget
})

/** Counts the outcomes of recipients that were fed; ends the claim of those behind `position`. */
export const countFed = defineUpdate({
  name: "batches.count_fed",
  table: "batches",
  key,
  set: { position: "int4", due_at: "timestamptz", updated_at: "timestamptz" },
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
export const settleRecipient = defineUpdate({
  name: "batch_recipients.settle",
  table: "batch_recipients",
  key: { environment_id: "text", batch_id: "text", position: "int4" },
  set: {
    state: "text",
    message_id: "text",
    error_code: "text",
    error_message: "text",
    guard_reason: "text",
    next_allowed_at: "timestamptz",
    first_refused_at: "timestamptz",
    retry_at: "timestamptz",
    failed_at: "timestamptz"
  },
  target: rowOf("batch_recipients", "batch_id", "position")
})

/** When the owner looks at the batch next. */
export const lookAgain = defineUpdate({
  name: "batches.look_again",
  table: "batches",
  key,
  set: { due_at: "timestamptz" },
  where: "t.due_at is not null",
  target: batchTarget
})

/** Every message has left the queue. gaps-2 H "Batch states" */
export const completeBatch = defineUpdate({
  name: "batches.complete",
  table: "batches",
  key,
  set: { updated_at: "timestamptz" },
  values: { status: "'completed'", due_at: "null" },
  guard: "t.status = 'processing' and t.position >= t.recipient_count",
  target: batchTarget
})

/** The end of a cancelled batch: recipients it never came to are cancelled with it, once. */
export const settleCancelled = defineUpdate({
  name: "batches.settle_cancelled",
  table: "batches",
  key,
  set: { updated_at: "timestamptz" },
  values: {
    cancelled_count: "t.cancelled_count + t.recipient_count - t.enqueued_count - t.refused_count",
    due_at: "null"
  },
  where: "t.status = 'cancelled' and t.due_at is not null",
  target: batchTarget
})
