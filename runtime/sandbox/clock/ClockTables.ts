import type { sandboxClockStops } from "@carteiro/schema/sandbox/SandboxErrors.ts"
import {
  bool,
  defaulted,
  defineTable,
  int4,
  int8,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** Advances of a sandbox's clock, with their progress. */
export const sandboxClockAdvancesTable = defineTable("sandbox_clock_advances", {
  owner: "sandbox",
  erasure: ids,
  reset: "changed",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    status: textOf<"running" | "settled" | "stopped">(),
    from_at: timestamptz,
    target_at: timestamptz,
    reached_at: timestamptz,
    next_due_at: nullable(timestamptz),
    settled_at: nullable(timestamptz),
    steps: defaulted(int4),
    step_began_at: timestamptz,
    stood: bool,
    error_code: nullable(textOf<(typeof sandboxClockStops)[number]>()),
    error_message: nullable(text),
    created_at: timestamptz,
    kind: defaulted(textOf<"advance" | "reset">()),
    /** The hash of a reset's idempotency key, whose stored response stays. */
    request_key: nullable(text)
  }
})

/** The clock of a sandbox. */
export const sandboxClocksTable = defineTable("sandbox_clocks", {
  owner: "sandbox",
  erasure: ids,
  reset: { leaves: "the clock itself" },
  key: ["environment_id"],
  columns: {
    environment_id: text,
    kind: defaulted(text),
    lead_ms: defaulted(int8),
    stands_at: nullable(timestamptz),
    /** The real instant at which its owner handles it next. */
    due_at: timestamptz,
    /** How often the sandbox was reset. */
    resets: defaulted(int4),
    /** True while a reset is under way. */
    resetting: defaulted(bool)
  }
})

/** The columns of an advance that its owner and reads use. */
export const advanceColumns = select(
  sandboxClockAdvancesTable,
  "id",
  "kind",
  "request_key",
  "status",
  "from_at",
  "target_at",
  "reached_at",
  "next_due_at",
  "settled_at",
  "steps",
  "step_began_at",
  "stood",
  "error_code",
  "error_message",
  "created_at"
)

/** The columns of a clock that its owner uses. */
export const clockColumns = select(sandboxClocksTable, "lead_ms", "stands_at", "due_at", "resets", "resetting")
