import { type CommitRecord, type CommitUnit, noLease } from "./Statement.ts"

/**
 * The ways in which one unit ends. `refused`: a guard rejected it, and no row was written. `failed`: its own rows
 * caused an error, which was logged, and no row was written. `unavailable`: the database was unreachable until the
 * caller gave up, and no row was written.
 */
export const unitStatuses = ["committed", "fenced", "duplicate", "refused", "failed", "unavailable"] as const
export type UnitStatus = (typeof unitStatuses)[number]

/** The result of a batch; it has several outcomes when the batch was bisected. */
export interface CommitOutcome {
  readonly statuses: ReadonlyArray<UnitStatus>
  readonly outcomes: ReadonlyArray<CommitRecord>
}

/** Returns the outcome that the commit's own row records. */
export const readOutcome = (units: ReadonlyArray<CommitUnit>, outcome: CommitRecord): CommitOutcome => {
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

/** Returns the keys that a write or a follower returned, over all outcomes. */
export const keysIn = (outcomes: ReadonlyArray<CommitRecord>) => {
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
