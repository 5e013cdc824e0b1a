import type { BatchStatus } from "@carteiro/schema/batches/Batch.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { TemplateHeaderMedia } from "@carteiro/schema/messages/content/TemplateContent.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import {
  bool,
  defaulted,
  defineTable,
  int4,
  int8,
  jsonOf,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { ids, tenant } from "../../erasure/Standings.ts"
import type { StoredFilter } from "../audience/ContactFilter.ts"

/** Changes of the counts of batches, appended by the commits of their messages, so that no commit waits for the batch of another. */
export const batchProgressTable = defineTable("batch_progress", {
  owner: "batches",
  erasure: ids,
  key: ["environment_id", "batch_id", "id"],
  columns: {
    environment_id: text,
    batch_id: text,
    id: defaulted(int8),
    sent: int4,
    delivered: int4,
    read: int4,
    failed: int4,
    skipped: int4,
    cancelled: int4,
    gone: int4
  }
})

/** The recipients of a batch, or of a stage while the batch does not exist yet. */
export const batchRecipientsTable = defineTable("batch_recipients", {
  owner: "batches",
  erasure: "erased",
  key: ["environment_id", "batch_id", "position"],
  columns: {
    environment_id: text,
    batch_id: text,
    position: int4,
    /** Null once the customer was erased. */
    phone: nullable(text),
    customer_key: nullable(text),
    variables: nullable(jsonOf<Readonly<Record<string, string>>>()),
    metadata: nullable(jsonOf<Metadata>()),
    state: defaulted(textOf<"waiting" | "retrying" | "enqueued" | "refused">()),
    /** Recorded when it was refused first, so that a later attempt is the same message. */
    message_id: nullable(text),
    error_code: nullable(text),
    error_message: nullable(text),
    guard_reason: nullable(text),
    next_allowed_at: nullable(timestamptz),
    first_refused_at: nullable(timestamptz),
    retry_at: nullable(timestamptz),
    failed_at: nullable(timestamptz)
  }
})

/** Batches of one template to many recipients. */
export const batchesTable = defineTable("batches", {
  owner: "batches",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: textOf<EnvironmentKind>(),
    name: nullable(text),
    status: textOf<BatchStatus>(),
    channel: text,
    business_id: text,
    template_name: text,
    template_language: text,
    template_id: text,
    template_version_id: text,
    template_version: int4,
    header_media: nullable(jsonOf<TemplateHeaderMedia>()),
    /** Null once its contacts are found. */
    filter: nullable(jsonOf<StoredFilter>()),
    found_through: defaulted(text),
    found_count: defaulted(int4),
    recipient_count: int4,
    position: defaulted(int4),
    claimed_to: nullable(int4),
    claimed_at: nullable(timestamptz),
    enqueued_count: defaulted(int4),
    refused_count: defaulted(int4),
    recipient_guard_skipped_count: defaulted(int4),
    /** Of those that failed, messages that a guard skipped at dispatch. */
    skipped_count: defaulted(int4),
    sent_count: defaulted(int4),
    delivered_count: defaulted(int4),
    read_count: defaulted(int4),
    /** Messages that failed. */
    failed_count: defaulted(int4),
    cancelled_count: defaulted(int4),
    left_count: defaulted(int4),
    metadata: nullable(jsonOf<Metadata>()),
    scheduled_at: nullable(timestamptz),
    resumed: defaulted(bool),
    failure_code: nullable(text),
    failure_message: nullable(text),
    trace_id: text,
    /** Null when its owner has nothing left to do. */
    due_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

/** The columns of a batch that reads take as they are; its other counts are summed up with its progress. */
export const batchColumns = select(
  batchesTable,
  "environment_id",
  "id",
  "environment",
  "name",
  "status",
  "business_id",
  "template_name",
  "template_language",
  "template_id",
  "template_version_id",
  "template_version",
  "header_media",
  "filter",
  "found_through",
  "found_count",
  "recipient_count",
  "position",
  "claimed_to",
  "claimed_at",
  "enqueued_count",
  "refused_count",
  "recipient_guard_skipped_count",
  "metadata",
  "scheduled_at",
  "resumed",
  "failure_code",
  "failure_message",
  "trace_id",
  "due_at",
  "created_at",
  "updated_at"
)

/** The columns of a recipient in the list of its batch. */
export const recipientColumns = select(batchRecipientsTable, "position", "phone", "state", "message_id", "error_code")

/** The columns of a recipient for whom a batch failed. */
export const failureColumns = select(
  batchRecipientsTable,
  "position",
  "phone",
  "state",
  "message_id",
  "error_code",
  "error_message",
  "guard_reason",
  "next_allowed_at",
  "failed_at"
)

/** The columns of a recipient that is to be fed. */
export const fedColumns = select(
  batchRecipientsTable,
  "position",
  "phone",
  "customer_key",
  "variables",
  "metadata",
  "message_id",
  "first_refused_at"
)
