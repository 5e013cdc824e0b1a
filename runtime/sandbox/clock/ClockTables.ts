import { bool, defaulted, defineTable, int4, int8, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** Advances of a sandbox's clock, with their progress. */
export const sandboxClockAdvancesTable = defineTable("sandbox_clock_advances", {
  owner: "sandbox",
  erasure: ids,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    status: text,
    from_at: timestamptz,
    target_at: timestamptz,
    reached_at: timestamptz,
    next_due_at: nullable(timestamptz),
    settled_at: nullable(timestamptz),
    steps: defaulted(int4),
    step_began_at: timestamptz,
    stood: bool,
    error_code: nullable(text),
    error_message: nullable(text),
    created_at: timestamptz,
    kind: defaulted(text),
    request_key: nullable(text)
  }
})

/** The clock of a sandbox. */
export const sandboxClocksTable = defineTable("sandbox_clocks", {
  owner: "sandbox",
  erasure: ids,
  key: ["environment_id"],
  columns: {
    environment_id: text,
    kind: defaulted(text),
    lead_ms: defaulted(int8),
    stands_at: nullable(timestamptz),
    due_at: timestamptz,
    resets: defaulted(int4),
    resetting: defaulted(bool)
  }
})
