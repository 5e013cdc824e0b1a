import type { UnitStatus } from "./Outcome.ts"
import { type CommitUnit, noLease } from "./Statement.ts"

/** The outcome of one submission: a status for each unit, and the keys that the batch's writes returned. */
export interface Submitted {
  readonly statuses: ReadonlyArray<UnitStatus>
  /** Returns the keys from a write or a follower of this batch, neighbours' keys included. */
  readonly keys: (name: string) => ReadonlySet<string>
}

/** Units of one owner that wait for a statement together; no two of them share a target. */
export interface Submission {
  readonly owner: string
  readonly units: ReadonlyArray<CommitUnit>
  readonly targets: ReadonlyArray<string>
  /** Targets of merging writes: other writes that merge into them may be in one statement with these. */
  readonly merged: ReadonlyArray<string>
  /** The epoch millisecond after which its caller has been told to retry: the submission is not begun after it. */
  readonly giveUpAt: number
  /** True while the state that the units were decided on still holds: they are not begun otherwise. */
  readonly stands: () => boolean
  /**
   * The environment of a large write, which runs in its own statement beside the main one; undefined for all other
   * submissions.
   */
  readonly largeOf: string | undefined
  readonly end: (submitted: Submitted) => void
}

/** The most units in one submission, so that one owner's hundreds leave room for others in a statement. */
const mostUnits = 64

/**
 * Splits the units of one owner, in order, where two of them share a target or where there are many. Calls `done` with
 * all outcomes after the last part.
 */
export const submissionsOf = (
  owner: string,
  units: ReadonlyArray<CommitUnit>,
  terms: Pick<Submission, "giveUpAt" | "stands">,
  done: (submitted: Submitted) => void
): ReadonlyArray<Submission> => {
  const parts = split(units)
  const ended: Array<Submitted> = []
  let left = parts.length
  return parts.map(
    ({ merged, targets, units }, at): Submission => ({
      owner,
      units,
      targets: [...targets],
      merged: [...merged],
      ...terms,
      largeOf: largeOf(units),
      end: (submitted) => {
        ended[at] = submitted
        if (--left === 0) done(joined(ended))
      }
    })
  )
}

/** The rows, and bytes, from which a write is large: a statement with it would delay all other callers. */
const largeRows = 128
const largeBytes = 131_072

/**
 * Returns the environment of a large write that no owner decided. Units of owners stay in the order of their decisions,
 * and their workers limit the bytes they hold.
 */
const largeOf = (units: ReadonlyArray<CommitUnit>): string | undefined => {
  const [unit] = units
  if (unit === undefined || units.length > 1 || unit.shard !== noLease.shard) return undefined
  const holder = String(unit.rows[0]?.values.environment_id ?? "")
  if (unit.rows.length > largeRows) return holder
  let bytes = unit.idempotency?.response_body.length ?? 0
  for (const { values } of unit.rows) {
    for (const name in values) bytes += sizeOf(values[name])
  }
  return bytes > largeBytes ? holder : undefined
}

const sizeOf = (value: unknown): number => (typeof value === "string" || value instanceof Uint8Array ? value.length : 0)

interface Part {
  readonly units: Array<CommitUnit>
  readonly targets: Set<string>
  readonly merged: Set<string>
}

const emptyPart = (): Part => ({ units: [], targets: new Set(), merged: new Set() })

const split = (units: ReadonlyArray<CommitUnit>): ReadonlyArray<Part> => {
  let part = emptyPart()
  const parts = [part]
  for (const unit of units) {
    const targets = targetsOf(unit, false)
    if (part.units.length === mostUnits || targets.some((target) => part.targets.has(target))) {
      part = emptyPart()
      parts.push(part)
    }
    part.units.push(unit)
    for (const target of targets) part.targets.add(target)
    for (const target of targetsOf(unit, true)) part.merged.add(target)
  }
  return parts
}

const targetsOf = (unit: CommitUnit, isMerging: boolean): ReadonlyArray<string> => {
  const targets: Array<string> = []
  for (const row of unit.rows) {
    if (row.write.isMerging !== isMerging) continue
    const target = row.write.target?.(row.values as never)
    if (typeof target === "string") targets.push(target)
    else if (target !== undefined) targets.push(...target)
  }
  return targets
}

const joined = (ended: ReadonlyArray<Submitted>): Submitted => {
  const [only, ...others] = ended
  if (only !== undefined && others.length === 0) return only
  return {
    statuses: ended.flatMap(({ statuses }) => statuses),
    keys: (name) => new Set(ended.flatMap(({ keys }) => [...keys(name)]))
  }
}
