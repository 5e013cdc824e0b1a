import {
  bool,
  defaulted,
  defineTable,
  int4,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** Spans of missed events that are delivered to an endpoint after an outage. */
export const webhookRecoveriesTable = defineTable("webhook_recoveries", {
  owner: "webhooks",
  erasure: ids,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    endpoint_id: text,
    status: textOf<"running" | "completed" | "stopped">(),
    /** The last outbox event that was read. */
    cursor_id: text,
    /** The id before which its events end. */
    end_id: text,
    from_at: timestamptz,
    to_at: timestamptz,
    missed: int4,
    made: defaulted(int4),
    /** The events held back because the service of their number is suspended. */
    held: defaulted(int4),
    due_at: timestamptz,
    created_at: timestamptz,
    ended_at: nullable(timestamptz),
    /** The delivery of the test with which it began; null when it began without one. */
    probe_id: nullable(text),
    /** True while the test has not ended: nothing is enabled or delivered before. */
    awaits_probe: defaulted(bool),
    stop_reason: nullable(textOf<"probe_failed" | "endpoint_disabled">())
  }
})

/** The columns of a recovery that its owner and the console read. */
export const recoveryColumns = select(
  webhookRecoveriesTable,
  "environment_id",
  "id",
  "endpoint_id",
  "status",
  "cursor_id",
  "end_id",
  "from_at",
  "to_at",
  "missed",
  "made",
  "held",
  "probe_id",
  "awaits_probe",
  "stop_reason",
  "created_at"
)
