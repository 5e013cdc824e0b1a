import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { WebhookAttempt, WebhookEvent, WebhookEventStatus } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { EnvelopeText } from "../../outbox/EventText.ts"
import type { Attempt } from "../delivery/DeliveryState.ts"

/** The columns of an attempt that reads show; instants are epoch milliseconds. */
export type AttemptRow = Omit<Attempt, "explicit" | "due_at" | "on_wire">

/** The columns of an event that reads show; `envelope` is null once it was cleared. A-WHV-01..04 */
export interface WebhookEventRow {
  readonly id: string
  readonly endpoint_id: string | null
  readonly type: string
  readonly source_type: string
  readonly source_id: string
  readonly envelope: EnvelopeText | null
  readonly status: WebhookEventStatus
  readonly trace_id: string
  readonly created_at: number
  readonly attempts: ReadonlyArray<AttemptRow>
}

/** Returns one attempt item. A-WHV-05..10 */
export const readAttempt = (row: AttemptRow): WebhookAttempt => ({
  id: row.id,
  status: row.status,
  attempt: row.attempt,
  status_code: row.status_code,
  failure_class: row.failure_class,
  response_body_redacted: row.response_body_redacted,
  error_message: row.error_message,
  next_retry_at: formatTimestampOrNull(row.next_retry_at),
  created_at: formatTimestamp(row.created_at),
  attempted_at: formatTimestampOrNull(row.attempted_at),
  duration_ms: row.duration_ms
})

/** Returns one row of the delivery log, attempts oldest first. gaps-1 K "Do list rows carry attempts" */
export const readWebhookEvent = (row: WebhookEventRow): WebhookEvent => ({
  id: row.id,
  object: "webhook_event",
  endpoint_id: row.endpoint_id,
  type: row.type,
  source_type: row.source_type,
  source_id: row.source_id,
  payload: readJsonOrNull(row.envelope),
  status: row.status,
  trace_id: row.trace_id,
  created_at: formatTimestamp(row.created_at),
  attempts: row.attempts.toSorted((a, b) => a.attempt - b.attempt).map(readAttempt)
})
