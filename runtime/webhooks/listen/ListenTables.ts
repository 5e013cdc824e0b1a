import { defineTable, int8, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** The next position of an environment's events. */
export const outboxCountersTable = defineTable("outbox_counters", {
  owner: "webhooks",
  erasure: ids,
  key: ["environment_id"],
  columns: {
    environment_id: text,
    position: int8
  }
})

/** Sessions of the command line that listen to events. */
export const webhookListenSessionsTable = defineTable("webhook_listen_sessions", {
  owner: "webhooks",
  erasure: ids,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    api_key_id: text,
    status: text,
    reason: nullable(text),
    trace_id: text,
    start_position: int8,
    created_at: timestamptz,
    expires_at: timestamptz,
    disabled_at: nullable(timestamptz)
  }
})

/** Environments with an open long poll, so that commits on other nodes wake their owner. */
export const webhookListenWaitsTable = defineTable("webhook_listen_waits", {
  owner: "webhooks",
  erasure: ids,
  key: ["environment_id"],
  columns: {
    environment_id: text,
    until: timestamptz
  }
})
