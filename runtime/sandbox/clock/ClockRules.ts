import type { sandboxClockStops } from "@carteiro/schema/sandbox/SandboxErrors.ts"
import type { DueThing } from "../../tenancy/SandboxDue.ts"

/** The stored clock of one sandbox; all values in milliseconds. */
export interface ClockState {
  readonly lead_ms: number
  readonly stands_at: number | null
  /** The real instant at which its owner handles it next. */
  readonly due_at: number
}

/** One advance as it is stored. */
export interface AdvanceState {
  readonly id: string
  readonly status: "running" | "settled" | "stopped"
  readonly from_at: number
  readonly target_at: number
  readonly reached_at: number
  readonly next_due_at: number | null
  readonly settled_at: number | null
  readonly steps: number
  readonly step_began_at: number
  readonly stood: boolean
  readonly error_code: (typeof sandboxClockStops)[number] | null
  readonly error_message: string | null
  readonly created_at: number
}

/** The delay of a first turn, in milliseconds: as long as an owner may cache that its clock was never turned. */
export const firstTurnWaitsMs = 500
/** The most due instants at which one advance stops. */
export const mostSteps = 20_000
/** The time after which an unsettled step ends the advance, in milliseconds of real time. */
export const settlesWithinMs = 60_000
/** The longest interval between two checks of a turned clock, in milliseconds of real time. */
export const looksEveryMs = 60_000

/** The shortest and longest pause before the check of owners that were woken, in milliseconds of real time. */
export const shortestWaitMs = 5
const longestWaitMs = 250

/** Returns the sandbox's time at a real instant; both epoch milliseconds. */
export const timeOf = (clock: ClockState | undefined, now: number): number =>
  clock === undefined ? now : (clock.stands_at ?? now + clock.lead_ms)

/**
 * Stops a clock. A clock that was never turned stops slightly ahead: until then every owner that still uses real time
 * reads the clock again, so no owner decides on an earlier time than another.
 */
export const frozen = (clock: ClockState | undefined, now: number): ClockState & { readonly stands_at: number } =>
  clock === undefined
    ? { lead_ms: 0, stands_at: now + firstTurnWaitsMs, due_at: now + firstTurnWaitsMs }
    : { ...clock, stands_at: timeOf(clock, now), due_at: now }

/** Restarts a clock at `at`. */
export const running = (clock: ClockState, at: number, now: number): ClockState => ({
  lead_ms: at - now,
  stands_at: null,
  due_at: Math.max(now, clock.due_at)
})

/** The next step of an advance. */
export type Step =
  /** Owners are due at the instant at which the clock stands: they are woken, and looked at again. */
  | { readonly _tag: "Wake"; readonly due: ReadonlyArray<DueThing>; readonly waitMs: number }
  | { readonly _tag: "Move"; readonly to: number }
  | { readonly _tag: "Settle"; readonly next: number | null }
  | { readonly _tag: "Stop"; readonly code: (typeof sandboxClockStops)[number]; readonly message: string }

/** Returns what comes next in an advance whose clock stands at `at`; `due` is what waits in the sandbox. */
export const nextStep = (advance: AdvanceState, at: number, due: ReadonlyArray<DueThing>, now: number): Step => {
  const ready = due.filter(({ due_at }) => due_at <= at)
  const underWayMs = now - advance.step_began_at
  if (ready.length > 0) {
    if (underWayMs >= settlesWithinMs) return unsettled(ready)
    return { _tag: "Wake", due: ready, waitMs: Math.min(longestWaitMs, Math.max(shortestWaitMs, underWayMs / 4)) }
  }
  const next = due.reduce((least, { due_at }) => Math.min(least, due_at), Number.POSITIVE_INFINITY)
  if (next > advance.target_at) return { _tag: "Settle", next: Number.isFinite(next) ? next : null }
  if (advance.steps < mostSteps) return { _tag: "Move", to: next }
  return {
    _tag: "Stop",
    code: "too_many_steps",
    message: `One advance stops at ${mostSteps} due instants. Advance again to go on from here.`
  }
}

const unsettled = (ready: ReadonlyArray<DueThing>): Step => ({
  _tag: "Stop",
  code: "step_not_settled",
  message: `Work due at this instant did not end within a minute: ${[...new Set(ready.map(({ id }) => id))]
    .slice(0, 5)
    .join(", ")}. Look at these, then advance again to go on from here.`
})
