import { type AdvanceState, type ClockState, timeOf } from "./ClockRules.ts"

/**
 * The time between the start of a reset and its first deletion, in milliseconds of real time: owners that read their
 * clock before the start read it again within 500 ms, and what they had decided by then is written.
 */
const closingMs = 1_500
/** The time after which the owner of a clock at real time looks again, in milliseconds. */
const looksAgainMs = 60_000

/** Returns the clock and the record of a reset that begins at `now`. */
export const beginReset = (
  before: ClockState | undefined,
  request: { readonly id: string; readonly request_key: string | null },
  now: number
): { readonly clock: ClockState; readonly advance: AdvanceState } => ({
  clock: { lead_ms: 0, stands_at: null, due_at: now, resets: (before?.resets ?? 0) + 1, resetting: true },
  advance: {
    ...request,
    kind: "reset",
    status: "running",
    from_at: timeOf(before, now),
    target_at: now,
    reached_at: timeOf(before, now),
    next_due_at: null,
    settled_at: null,
    steps: 0,
    step_began_at: now,
    stood: false,
    error_code: null,
    error_message: null,
    created_at: now
  }
})

/** Returns the instant before which a reset deletes nothing. */
export const closedAt = (reset: AdvanceState | undefined): number => (reset?.step_began_at ?? 0) + closingMs

/** Returns the clock once no row is left. */
export const afterReset = (clock: ClockState, now: number): ClockState => ({
  ...clock,
  resetting: false,
  due_at: now + looksAgainMs
})

/** Returns the record of a reset once no row is left. */
export const settledReset = (reset: AdvanceState, now: number): AdvanceState => ({
  ...reset,
  status: "settled",
  reached_at: reset.target_at,
  settled_at: now
})
