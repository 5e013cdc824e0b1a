import { type Clock, Effect, Latch, Semaphore } from "effect"
import type { commitMetrics } from "../telemetry/EngineMetrics.ts"
import type { Attempt } from "./Execution.ts"
import { type CommitOutcome, keysIn, type UnitStatus, unitStatuses } from "./Outcome.ts"
import type { CommitRecord, CommitUnit } from "./Statement.ts"
import { StatementSize } from "./StatementSize.ts"
import type { Submission } from "./Submission.ts"

/** Services that the committer needs. */
export interface CommitterContext {
  readonly attempt: (units: ReadonlyArray<CommitUnit>) => Effect.Effect<Attempt>
  readonly clock: Clock.Clock
  readonly fork: (effect: Effect.Effect<void>) => void
  readonly listeners: ReadonlyArray<(record: CommitRecord) => void>
  readonly outcomes: ReturnType<typeof commitMetrics>["outcomes"]
}

/** Statements beside the main one that may search for the unit that made a batch fail. */
const searchesAtOnce = 4
/** Large writes beside the main statement, one of an environment at a time. */
const largeAtOnce = 2
/** The pause before a unit whose row is locked is tried again, in milliseconds; each try waits for the lock itself. */
const lockedPauseMs = 50

/**
 * Writes submissions: one statement at a time, holding the units that gathered while the previous one ran. A batch that
 * one unit makes fail (its row is locked, its value does not fit) is bisected beside the main statement, so that other
 * callers do not wait for it; meanwhile no unit that changes those rows is begun. A large write runs beside the main
 * statement from the start.
 */
export class Committer {
  private waiting: Array<Submission> = []
  private inFlight: ReadonlyArray<Submission> = []
  private readonly aside = new Set<Submission>()
  /** Environments that have a large write under way. */
  private readonly large = new Set<string>()
  private readonly work = Latch.makeUnsafe(false)
  private readonly searches = Semaphore.makeUnsafe(searchesAtOnce)
  private readonly size = new StatementSize()
  private readonly context: CommitterContext
  private readonly counters: ReadonlyMap<UnitStatus, (by: number) => void>

  constructor(context: CommitterContext) {
    this.context = context
    this.counters = new Map(unitStatuses.map((status) => [status, context.outcomes(status)]))
  }

  /** Returns the number of submissions that wait or run. */
  get pending(): number {
    return this.waiting.length + this.inFlight.length + this.aside.size
  }

  /** Returns the earliest instant at which one of those gives up, in epoch milliseconds. */
  get nextGivesUpAt(): number | undefined {
    return (this.inFlight[0] ?? this.waiting[0])?.giveUpAt
  }

  add(submissions: ReadonlyArray<Submission>): void {
    this.waiting.push(...submissions)
    this.work.openUnsafe()
  }

  /** Runs for the life of the node; after a round that dies the next round begins. */
  get run(): Effect.Effect<never> {
    return Effect.forever(
      Effect.catchCause(this.round, (cause) => Effect.logError("a round of commits failed", cause)),
      { disableYield: true }
    )
  }

  private get round(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      yield* this.work.await
      yield* Effect.yieldNow
      const batch = this.take()
      // All remaining submissions wait for a running statement, whose end opens the latch again.
      this.work.closeUnsafe()
      if (batch.length === 0) return
      this.inFlight = batch
      yield* Effect.ensuring(
        this.write(batch),
        Effect.sync(() => {
          this.inFlight = []
          this.work.openUnsafe()
        })
      )
    })
  }

  private write(batch: ReadonlyArray<Submission>): Effect.Effect<void> {
    const written = Effect.gen({ self: this }, function* () {
      const units = unitsOf(batch)
      const began = this.now
      let attempt = yield* this.context.attempt(units)
      if (attempt._tag === "Written") this.size.took(units.length, this.now - began)
      while (attempt._tag === "Again" && batch.some((one) => this.now < one.giveUpAt)) {
        attempt = yield* this.context.attempt(units)
      }
      if (attempt._tag === "Written") return this.tellSubmitters(batch, attempt.outcome)
      if (attempt._tag === "Again") return this.tellSubmitters(batch, allOf(units, "unavailable"))
      if (attempt._tag === "Refused" && units.length === 1) return this.tellSubmitters(batch, allOf(units, "failed"))
      for (const submission of batch) this.aside.add(submission)
      this.context.fork(this.search(batch))
    })
    return this.failing(written, () => this.tellSubmitters(batch, allOf(unitsOf(batch), "failed")))
  }

  /** Makes sure that every caller gets an answer, whatever defect an attempt dies of. */
  private failing(effect: Effect.Effect<void>, tell: () => void): Effect.Effect<void> {
    return Effect.catchCause(effect, (cause) =>
      Effect.andThen(Effect.logError("commit failed", cause), Effect.sync(tell))
    )
  }

  /** Bisects submissions until each failing one is alone. */
  private search(batch: ReadonlyArray<Submission>): Effect.Effect<void> {
    const [only] = batch
    const found =
      only !== undefined && batch.length === 1
        ? Effect.map(this.resolve(only.units, only.giveUpAt), (outcome) => this.endAside(batch, outcome))
        : Effect.forEach(halves(batch), (half) => this.searchHalf(half), { concurrency: 2, discard: true })
    return this.failing(found, () => {
      for (const one of batch) if (this.aside.has(one)) this.endAside([one], allOf(one.units, "failed"))
    })
  }

  private searchHalf(half: ReadonlyArray<Submission>): Effect.Effect<void> {
    return Effect.flatMap(this.tryAside(unitsOf(half)), (attempt) =>
      attempt._tag === "Written"
        ? Effect.sync(() => this.endAside(half, attempt.outcome))
        : attempt._tag === "Again" && half.some((one) => this.now < one.giveUpAt)
          ? this.searchHalf(half)
          : this.search(half)
    )
  }

  /** Bisects the units of one submission. A unit that is alone is retried until its caller has given up. */
  private resolve(units: ReadonlyArray<CommitUnit>, giveUpAt: number): Effect.Effect<CommitOutcome> {
    return Effect.flatMap(this.tryAside(units), (attempt) => {
      if (attempt._tag === "Written") return Effect.succeed(attempt.outcome)
      if (attempt._tag !== "Again" && units.length > 1) {
        return Effect.map(
          Effect.forEach(halves(units), (half) => this.resolve(half, giveUpAt), { concurrency: 2 }),
          (outcomes) => ({
            statuses: outcomes.flatMap(({ statuses }) => statuses),
            outcomes: outcomes.flatMap(({ outcomes }) => outcomes)
          })
        )
      }
      if (attempt._tag === "Refused") return Effect.succeed(allOf(units, "failed"))
      if (this.now >= giveUpAt) return Effect.succeed(allOf(units, "unavailable"))
      return Effect.andThen(
        Effect.sleep(lockedPauseMs),
        Effect.suspend(() => this.resolve(units, giveUpAt))
      )
    })
  }

  private tryAside(units: ReadonlyArray<CommitUnit>): Effect.Effect<Attempt> {
    return this.searches.withPermit(Effect.suspend(() => this.context.attempt(units)))
  }

  private endAside(batch: ReadonlyArray<Submission>, outcome: CommitOutcome): void {
    for (const one of batch) this.aside.delete(one)
    this.tellSubmitters(batch, outcome)
    this.work.openUnsafe()
  }

  /** Passes the outcomes of a batch to its callers; a callback that throws does not stop the others. */
  private tellSubmitters(batch: ReadonlyArray<Submission>, { outcomes, statuses }: CommitOutcome): void {
    const keys = keysIn(outcomes)
    for (const record of outcomes) {
      for (const listener of this.context.listeners) this.guard(() => listener(record))
    }
    for (const status of statuses) this.counters.get(status)?.(1)
    let from = 0
    for (const submission of batch) {
      const own = statuses.slice(from, from + submission.units.length)
      from += submission.units.length
      this.guard(() => submission.end({ statuses: own, keys }))
    }
  }

  private guard(tell: () => void): void {
    try {
      tell()
    } catch (error) {
      this.context.fork(Effect.logError("a listener of commits failed", { error }))
    }
  }

  private take(): ReadonlyArray<Submission> {
    const batch: Array<Submission> = []
    const left: Array<Submission> = []
    const targets = new Set<string>()
    const blocked = new Set<string>()
    for (const one of this.aside) for (const target of touchedBy(one)) blocked.add(target)
    const held = new Set<string>()
    const { now } = this
    const { limit } = this.size
    let units = 0
    for (const next of this.waiting) {
      if (now >= next.giveUpAt || !next.stands()) {
        this.tellSubmitters([next], allOf(next.units, "unavailable"))
        continue
      }
      if (touchedBy(next).some((target) => blocked.has(target))) {
        // Only units that change those rows wait for them, not other units of their owner.
        for (const target of touchedBy(next)) blocked.add(target)
        left.push(next)
        continue
      }
      const clash = held.has(next.owner) || next.targets.some((target) => targets.has(target))
      if (clash || (units > 0 && units + next.units.length > limit)) {
        held.add(next.owner)
        left.push(next)
        continue
      }
      if (next.largeOf !== undefined) {
        if (this.beginLarge(next, next.largeOf)) for (const target of touchedBy(next)) blocked.add(target)
        else left.push(next)
        continue
      }
      for (const target of next.targets) targets.add(target)
      units += next.units.length
      batch.push(next)
    }
    this.waiting = left
    return batch
  }

  /** Begins a large write unless the environment has one under way; further ones of the environment wait. */
  private beginLarge(submission: Submission, holder: string): boolean {
    if (this.large.size >= largeAtOnce || this.large.has(holder)) return false
    this.large.add(holder)
    this.aside.add(submission)
    const ended = Effect.sync(() => {
      this.large.delete(holder)
      this.work.openUnsafe()
    })
    this.context.fork(Effect.ensuring(this.search([submission]), ended))
    return true
  }

  private get now(): number {
    return this.context.clock.currentTimeMillisUnsafe()
  }
}

const touchedBy = ({ merged, targets }: Submission): ReadonlyArray<string> =>
  merged.length === 0 ? targets : [...targets, ...merged]

const unitsOf = (batch: ReadonlyArray<Submission>): ReadonlyArray<CommitUnit> => batch.flatMap(({ units }) => units)

const allOf = (units: ReadonlyArray<CommitUnit>, status: UnitStatus): CommitOutcome => ({
  statuses: units.map(() => status),
  outcomes: []
})

const halves = <A>(list: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const half = list.length >> 1
  return [list.slice(0, half), list.slice(half)]
}
