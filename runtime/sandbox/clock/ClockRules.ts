import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { longestAdvanceDays, longestLeadDays } from "@carteiro/schema/sandbox/SandboxClock.ts"
import { InvalidSandboxRequest, type sandboxClockStops } from "@carteiro/schema/sandbox/SandboxErrors.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { DueThing } from "../../tenancy/SandboxDue.ts"
import type { advanceColumns, clockColumns } from "./ClockTables.ts"

/** The stored clock of one sandbox; all values in milliseconds. */
export type ClockState = SelectedRow<typeof clockColumns>

/** One advance as it is stored. */
export type AdvanceState = SelectedRow<typeof advanceColumns>

/** The delay of a first turn, in milliseconds: as long as an owner may cache that its clock was never turned. */
export const firstTurnWaitsMs = 500
/** The most due instants at which one advance stops. */
export const mostSteps = 20_000
/** The time after which an unsettled step ends the advance, in milliseconds of real time. */
export const settlesWithinMs = 60_000
/** The longest interval between two checks of a turned clock, in milliseconds of real time. */
const looksEveryMs = 60_000

/** The shortest and longest pause before the check of owners that were woken, in milliseconds of real time. */
export const shortestWaitMs = 5
const longestWaitMs = 250

/** Returns the sandbox's time at a real instant; both epoch milliseconds. */
export const timeOf = (clock: ClockState | undefined, now: number): number =>
  clock === undefined ? now : (clock.stands_at ?? now + clock.lead_ms)

const untouched = { lead_ms: 0, resets: 0, resetting: false }

/**
 * Stops a clock. A clock that was never turned stops slightly ahead: until then every owner that still uses real time
 * reads the clock again, so no owner decides on an earlier time than another.
 */
export const frozen = (clock: ClockState | undefined, now: number): ClockState & { readonly stands_at: number } =>
  clock === undefined
    ? { ...untouched, stands_at: now + firstTurnWaitsMs, due_at: now + firstTurnWaitsMs }
    : { ...clock, stands_at: timeOf(clock, now), due_at: now }

/** Restarts a clock at `at`. */
const running = (clock: ClockState, at: number, now: number): ClockState => ({
  ...clock,
  lead_ms: at - now,
  stands_at: null,
  due_at: Math.max(now, clock.due_at)
})

/** Returns the clock after a freeze. One that stands stays as it is. */
export const freeze = (clock: ClockState | undefined, now: number): ClockState =>
  typeof clock?.stands_at === "number" ? clock : frozen(clock, now)

/** Returns the clock after a resume. One that runs stays as it is. */
export const resume = (clock: ClockState | undefined, now: number): ClockState | undefined =>
  typeof clock?.stands_at === "number" ? running(clock, clock.stands_at, now) : clock

/**
 * Returns the clock and the advance that begin at `now`. Refuses a target that lies too far ahead, or within the second
 * for which a clock stands at its first turn.
 */
export const beginAdvance = (
  before: ClockState | undefined,
  request: { readonly id: string; readonly by_seconds: number | undefined; readonly to: number | undefined },
  now: number
): { readonly clock: ClockState; readonly advance: AdvanceState } | InvalidSandboxRequest => {
  const from_at = timeOf(before, now)
  const target_at = request.to ?? from_at + (request.by_seconds ?? 0) * 1000
  const clock = frozen(before, now)
  const problem = isPastBound(before, now)
    ? pastBound
    : target_at - from_at > longestMs
      ? tooFar
      : target_at > now + longestLeadMs
        ? beyondBound
        : target_at <= clock.stands_at
          ? behind
          : undefined
  if (problem !== undefined) {
    return new InvalidSandboxRequest({ param: request.to === undefined ? "by_seconds" : "to", message: problem })
  }
  return {
    clock,
    advance: {
      id: request.id,
      kind: "advance",
      request_key: null,
      status: "running",
      from_at,
      target_at,
      reached_at: from_at,
      next_due_at: null,
      settled_at: null,
      steps: 0,
      step_began_at: clock.due_at,
      stood: typeof before?.stands_at === "number",
      error_code: null,
      error_message: null,
      created_at: from_at
    }
  }
}

const longestMs = longestAdvanceDays * dayMs
const longestLeadMs = longestLeadDays * dayMs

/** True when a clock is farther ahead of real time than any may go; it is turned no more. gaps-1 "Sandbox clock" */
export const isPastBound = (clock: ClockState | undefined, now: number): boolean =>
  timeOf(clock, now) - now > longestLeadMs

/** The reason why a clock past the bound is neither advanced nor stopped nor resumed. */
export const pastBound =
  "This sandbox's clock is more than ten years ahead of real time and goes no farther: empty the sandbox with POST /v1/sandbox/clock/reset, which takes it back to real time."
const beyondBound = "The clock goes at most ten years (3653 days) ahead of real time: ask for an earlier instant."
const behind = "The clock goes ahead only: ask for an instant behind the sandbox's time by a second or more."
const tooFar = `One advance goes ${longestAdvanceDays} days at most; ask for the rest when it is settled.`

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

/** Returns the advance and its clock after a step from `at`: moved on, settled or stopped. */
export const afterStep = (
  { advance, clock }: { readonly advance: AdvanceState; readonly clock: ClockState },
  step: Exclude<Step, { readonly _tag: "Wake" }>,
  at: number,
  now: number
): { readonly advance: AdvanceState; readonly clock: ClockState } => {
  const { target_at } = advance
  // A clock that stood before the advance stands again.
  const endAt = (reached: number): ClockState =>
    advance.stood ? { ...clock, stands_at: reached, due_at: now } : running(clock, reached, now)
  switch (step._tag) {
    case "Move":
      return {
        advance: {
          ...advance,
          reached_at: at,
          next_due_at: step.to,
          steps: advance.steps + 1,
          step_began_at: now
        },
        clock: { ...clock, stands_at: step.to }
      }
    case "Settle":
      return {
        advance: {
          ...advance,
          status: "settled",
          reached_at: target_at,
          next_due_at: step.next,
          settled_at: target_at
        },
        clock: endAt(target_at)
      }
    case "Stop":
      return {
        advance: { ...advance, status: "stopped", reached_at: at, error_code: step.code, error_message: step.message },
        clock: endAt(at)
      }
  }
}

/** Returns the real instant at which a turned clock is looked at again, given the due instants of its sandbox. */
export const nextLook = (clock: ClockState, due: ReadonlyArray<Pick<DueThing, "due_at">>, now: number): number => {
  if (clock.stands_at !== null) return now + looksEveryMs
  const time = timeOf(clock, now)
  return now + Math.min(looksEveryMs, ...due.flatMap(({ due_at }) => (due_at > time ? [due_at - time] : [])))
}

const unsettled = (ready: ReadonlyArray<DueThing>): Step => ({
  _tag: "Stop",
  code: "step_not_settled",
  message: `Work due at this instant did not end within a minute: ${[...new Set(ready.map(({ id }) => id))]
    .slice(0, 5)
    .join(", ")}. Look at these, then advance again to go on from here.`
})
