import { bool, defaulted, defineTable, int4, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
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
    status: text,
    cursor_id: text,
    end_id: text,
    from_at: timestamptz,
    to_at: timestamptz,
    missed: int4,
    made: defaulted(int4),
    held: defaulted(int4),
    due_at: timestamptz,
    created_at: timestamptz,
    ended_at: nullable(timestamptz),
    probe_id: nullable(text),
    awaits_probe: defaulted(bool),
    stop_reason: nullable(text)
  }
})
