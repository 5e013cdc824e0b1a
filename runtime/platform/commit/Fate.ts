import type { SqlError } from "effect/sql/SqlError"
import { type CommitOutcome, type CommitUnit, noLease } from "./Statement.ts"

/** How one unit ended. `refused`: a guard did not let it pass, nothing was written. `failed` means a real error of its own rows; it was logged and nothing was written. */
export type UnitStatus = "committed" | "fenced" | "duplicate" | "refused" | "failed"

/** What became of a batch; more than one outcome when it was bisected. */
export interface Fate {
  readonly statuses: ReadonlyArray<UnitStatus>
  readonly outcomes: ReadonlyArray<CommitOutcome>
}

/** Reads the commit's own row. */
export const fateOf = (units: ReadonlyArray<CommitUnit>, outcome: CommitOutcome): Fate => {
  const passed = new Set(outcome.gate)
  const held = new Set(outcome.fence.map(([shard, epoch]) => `${shard}:${epoch}`))
  const refused = new Set(outcome.refused)
  const statuses = units.map(
    (unit, index): UnitStatus =>
      passed.has(index)
        ? "committed"
        : refused.has(index)
          ? "refused"
          : unit.shard === noLease.shard || held.has(`${unit.shard}:${unit.epoch}`)
            ? "duplicate"
            : "fenced"
  )
  return { statuses, outcomes: [outcome] }
}

/** The keys handed back by a write or a follower, over all outcomes. */
export const keysIn = (outcomes: ReadonlyArray<CommitOutcome>) => {
  const sets = new Map<string, ReadonlySet<string>>()
  return (name: string): ReadonlySet<string> => {
    const known = sets.get(name)
    if (known !== undefined) return known
    const set = new Set(
      outcomes.flatMap((outcome) => (Array.isArray(outcome[name]) ? (outcome[name] as Array<string>) : []))
    )
    sets.set(name, set)
    return set
  }
}

const sqlState = (error: SqlError): string | undefined => {
  const cause = error.reason.cause
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined
}

/** The connection went away with the statement in flight, or the server was told to stop: it may have been written. */
export const isUnknown = (error: SqlError): boolean => {
  const state = sqlState(error)
  if (state !== undefined && /^[0-9A-Z]{5}$/.test(state)) return state.startsWith("08") || state.startsWith("57P")
  return error.reason._tag === "ConnectionError" || error.reason._tag === "UnknownError"
}

/** The server rolled the whole statement back and asks for another try. */
export const isTransient = (error: SqlError): boolean =>
  error.reason._tag === "DeadlockError" ||
  error.reason._tag === "SerializationError" ||
  error.reason._tag === "LockTimeoutError"
