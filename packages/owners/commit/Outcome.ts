import { type CommitRecord, type CommitUnit, noLease } from "./Statement.ts"

/**
 * How one unit ended. `refused`: a guard did not let it pass, nothing was written. `failed`: a real error of its own
 * rows, which was logged; nothing was written. `unavailable`: the database stayed away until nobody waited any more;
 * nothing was written.
 */
export const unitStatuses = ["committed", "fenced", "duplicate", "refused", "failed", "unavailable"] as const
export type UnitStatus = (typeof unitStatuses)[number]

/** The result of a batch: several outcomes when it was bisected. */
export interface CommitOutcome {
  readonly statuses: ReadonlyArray<UnitStatus>
  readonly outcomes: ReadonlyArray<CommitRecord>
}

/** Reads the commit's own row. */
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

/** The keys handed back by a write or a follower, over all outcomes. */
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
