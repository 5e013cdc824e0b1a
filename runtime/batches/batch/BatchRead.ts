import { csvLines, csvText } from "@carteiro/lists/CsvText.ts"
import type { Batch, BatchFailure, BatchPacing, BatchRecipient } from "@carteiro/schema/batches/Batch.ts"
import { dayMs, formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { deliveryCodes } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { isUserId } from "@carteiro/schema/messages/Vocabulary.ts"
import { type JsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow, TableRow } from "@carteiro/tables/Table.ts"
import type { batchColumns, batchesTable, failureColumns, recipientColumns } from "./BatchTables.ts"

/** A row of `batches` with what its messages have come to; instants are epoch milliseconds. */
export interface BatchRow
  extends SelectedRow<typeof batchColumns>,
    TableRow<
      typeof batchesTable,
      "sent_count" | "delivered_count" | "read_count" | "failed_count" | "skipped_count" | "cancelled_count"
    > {
  readonly gone: number
}

/** The batch as reads show it; only the answer to its creation has an estimate. M-BAT-08, M-BAT-09, gaps-2 H "Batch resource" */
export const readBatch = (row: BatchRow, pacing: BatchPacing | null = null): Batch => ({
  id: row.id,
  object: "batch",
  name: row.name,
  status: row.status,
  environment: row.environment,
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: row.business_id },
  template: {
    name: row.template_name,
    language: row.template_language,
    template_id: row.template_id,
    template_version_id: row.template_version_id,
    template_version: row.template_version
  },
  recipient_count: row.recipient_count,
  enqueued_count: row.enqueued_count,
  sent_count: row.sent_count,
  delivered_count: row.delivered_count,
  read_count: row.read_count,
  failed_count: row.failed_count + row.refused_count,
  recipient_guard_skipped_count: row.recipient_guard_skipped_count + row.skipped_count,
  cancelled_count: row.cancelled_count,
  pacing,
  metadata: readJsonOrNull(row.metadata),
  scheduled_at: formatTimestampOrNull(row.scheduled_at),
  failure:
    row.failure_code === null
      ? null
      : { code: row.failure_code, message: row.failure_message ?? "The batch could not start." },
  trace_id: row.trace_id,
  created_at: formatTimestamp(row.created_at),
  updated_at: formatTimestamp(row.updated_at)
})

/** A recipient beside its message; instants are epoch milliseconds. */
export interface RecipientRow extends SelectedRow<typeof recipientColumns> {
  readonly message_status: string | null
  readonly message_status_reason: string | null
  readonly message_error_code: string | null
}

/** Returns a stored address as reads show it: a customer without a phone is stored by the platform's id. U-HID-02 */
const addressOf = (phone: string | null): { readonly to: string | null; readonly user_id: string | null } =>
  phone !== null && isUserId(phone) ? { to: null, user_id: phone } : { to: phone, user_id: null }

/** A recipient as reads show it; one that a cancelled batch never came to is cancelled with it. M-BAT-11 */
export const readRecipient = (row: RecipientRow, batch: Pick<BatchRow, "status">): BatchRecipient => {
  const { message_id, state } = row
  const address = addressOf(row.phone)
  if (state === "enqueued") {
    return {
      ...address,
      message_id,
      status: row.message_status ?? "queued",
      status_reason: row.message_status_reason,
      error_code: row.message_error_code
    }
  }
  const unfed = batch.status === "cancelled" ? "cancelled" : "pending"
  return {
    ...address,
    message_id: null,
    status: state === "refused" ? "failed" : unfed,
    status_reason: null,
    error_code: state === "refused" ? row.error_code : null
  }
}

/** A failed recipient, refused before a message was made or with its failed message. */
export interface FailureRow extends SelectedRow<typeof failureColumns> {
  readonly message_error_code: string | null
  readonly message_error_message: string | null
  /** Its steps, JSON. */
  readonly message_events: JsonText<ReadonlyArray<FailedStep>> | null
}

interface FailedStep {
  readonly type?: string
  readonly status?: string
  readonly occurred_at?: string
  readonly details?: { readonly guard_reason?: string | null; readonly next_allowed_at?: string | null } | null
}

/** How long receipts keep what the guards said, in milliseconds. gaps-2 H "Recipients and failure export" */
export const receiptRetentionMs = 90 * dayMs

/** A failure as the list and the export show it. M-BAT-24, gaps-2 H "Recipients and failure export" */
export const readFailure = (row: FailureRow, now: number): BatchFailure => {
  if (row.state === "refused") {
    const kept = row.failed_at !== null && row.failed_at > now - receiptRetentionMs
    return {
      ...addressOf(row.phone),
      message_id: null,
      error_code: row.error_code,
      error_message: row.error_message,
      guard_reason: kept ? row.guard_reason : null,
      next_allowed_at: kept ? formatTimestampOrNull(row.next_allowed_at) : null,
      failed_at: formatTimestampOrNull(row.failed_at)
    }
  }
  const failed = (readJsonOrNull(row.message_events) ?? []).findLast(({ status }) => status === "failed")
  const failedAt = failed?.occurred_at ?? null
  const kept = failedAt !== null && Date.parse(failedAt) > now - receiptRetentionMs
  return {
    ...addressOf(row.phone),
    message_id: row.message_id,
    error_code: row.message_error_code,
    error_message: row.message_error_message ?? sentenceOf(row.message_error_code),
    guard_reason: kept ? (failed?.details?.guard_reason ?? null) : null,
    next_allowed_at: kept ? (failed?.details?.next_allowed_at ?? null) : null,
    failed_at: failedAt
  }
}

const sentenceOf = (code: string | null): string | null =>
  code !== null && Object.hasOwn(deliveryCodes, code) ? deliveryCodes[code as keyof typeof deliveryCodes] : null

const columns = [
  "to",
  "message_id",
  "error_code",
  "error_message",
  "guard_reason",
  "next_allowed_at",
  "failed_at"
] as const

/** The line of names of the export. */
export const csvHead = csvText(columns, [])

/**
 * One line of the export, with the id of a customer who hides the phone in its place; quoted as RFC 4180 says, and no
 * spreadsheet takes a cell for a formula.
 */
export const csvLine = (failure: BatchFailure): string =>
  csvLines([columns.map((column) => (column === "to" ? (failure.to ?? failure.user_id) : failure[column]))])
