import { defaulted, defineTable, int8, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"

/** Events. The envelope is serialized once, and sent byte for byte each time; `position` is given after the commit. */
export const outboxEventsTable = defineTable("outbox_events", {
  owner: "outbox",
  erasure: "erased",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    type: text,
    source_type: text,
    source_id: text,
    trace_id: text,
    created_at: timestamptz,
    position: nullable(int8),
    envelope: text,
    subject: nullable(text),
    written_in: defaulted(nullable(int8))
  }
})
