import { defineTable, int8, nullable, select, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** The next position of an environment's events. */
export const outboxCountersTable = defineTable("outbox_counters", {
  owner: "webhooks",
  erasure: ids,
  reset: { leaves: "a position of the event stream is never given twice" },
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
  reset: { leaves: "a terminal that listens goes on listening; sessions live on real time" },
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    /** The owning API key, which a rotation does not change. */
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
  reset: { leaves: "a terminal that listens goes on listening" },
  key: ["environment_id"],
  columns: {
    environment_id: text,
    until: timestamptz
  }
})

/** The columns of a session that its routes read. */
export const listenSessionColumns = select(
  webhookListenSessionsTable,
  "id",
  "api_key_id",
  "trace_id",
  "created_at",
  "expires_at",
  "disabled_at"
)
