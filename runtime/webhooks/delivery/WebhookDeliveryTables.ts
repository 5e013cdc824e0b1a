import {
  bool,
  defaulted,
  defineTable,
  int4,
  int8,
  nullable,
  select,
  text,
  timestamptz
} from "@carteiro/tables/Table.ts"

/** Attempts to deliver an event to an endpoint. */
export const webhookAttemptsTable = defineTable("webhook_attempts", {
  owner: "webhooks",
  erasure: "erased",
  key: ["environment_id", "webhook_event_id", "attempt"],
  columns: {
    environment_id: text,
    webhook_event_id: text,
    attempt: int4,
    id: text,
    endpoint_id: text,
    status: text,
    explicit: bool,
    due_at: timestamptz,
    status_code: nullable(int4),
    failure_class: nullable(text),
    response_body_redacted: nullable(text),
    error_message: nullable(text),
    next_retry_at: nullable(timestamptz),
    created_at: timestamptz,
    completed_at: nullable(timestamptz),
    attempted_at: nullable(timestamptz),
    duration_ms: nullable(int4),
    ended_in: nullable(int8)
  }
})

/** One row an event and endpoint, without a status: that follows from its attempts. */
export const webhookEventsTable = defineTable("webhook_events", {
  owner: "webhooks",
  erasure: "erased",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    endpoint_id: text,
    event_id: text,
    type: text,
    source_type: text,
    source_id: text,
    trace_id: text,
    created_at: timestamptz,
    payload: nullable(text),
    payload_cleared: defaulted(bool),
    resends: defaulted(int4),
    subject: nullable(text)
  }
})

/** The columns of a row of the log that a line of a file shows, beside its endpoint and its status. */
export const deliveryLineColumns = select(
  webhookEventsTable,
  "id",
  "type",
  "source_type",
  "source_id",
  "trace_id",
  "created_at"
)
