import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SandboxClock, SandboxClockAdvance } from "@carteiro/schema/sandbox/SandboxClock.ts"
import { type AdvanceState, type ClockState, timeOf } from "./ClockRules.ts"

/** Returns the clock as reads show it at a real instant. */
export const readClock = (
  clock: ClockState | undefined,
  advance: Pick<AdvanceState, "id"> | undefined,
  now: number
): Omit<SandboxClock, "trace_id"> => {
  const time = timeOf(clock, now)
  return {
    object: "sandbox_clock",
    now: formatTimestamp(time),
    real_now: formatTimestamp(now),
    lead_seconds: Math.floor((time - now) / 1000),
    frozen: typeof clock?.stands_at === "number",
    advance_id: advance?.id ?? null
  }
}

/** Returns an advance as reads show it. */
export const readAdvance = (advance: AdvanceState): Omit<SandboxClockAdvance, "trace_id"> => ({
  id: advance.id,
  object: "sandbox_clock_advance",
  kind: advance.kind,
  status: advance.status,
  from: formatTimestamp(advance.from_at),
  to: formatTimestamp(advance.target_at),
  reached: formatTimestamp(advance.reached_at),
  steps: advance.steps,
  next_due_at: formatTimestampOrNull(advance.next_due_at),
  error: advance.error_code === null ? null : { code: advance.error_code, message: advance.error_message ?? "" },
  created_at: formatTimestamp(advance.created_at),
  settled_at: formatTimestampOrNull(advance.settled_at)
})
