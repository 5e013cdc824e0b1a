import { Context } from "effect"

/** A position of the primary's log that the replica has not reached yet. */
interface Awaited {
  readonly round: number
  readonly position: number
  /** When the primary was asked, in milliseconds. */
  readonly at: number
}

/** Where a list was read, or why the replica did not answer it. */
export type ReadSource = "replica" | "lag" | "written" | "failed"

/** Looks that are remembered while a replica stands still; the newest ones decide. */
const mostAwaited = 600
/** Writers that are remembered; beyond them all count as having written just now. */
const mostWriters = 50_000

/**
 * Holds how far the replica of a node is behind. A round asks the primary for the end of its log, and the replica how far
 * it has replayed; a replica past that end holds everything that was committed before the round began. No instants of two
 * machines are compared, so clocks that differ do no harm, and a primary without writes does not look like a lag.
 */
export class ReplicaReads {
  readonly counts: Record<ReadSource, number> = { replica: 0, lag: 0, written: 0, failed: 0 }
  /** The state that the log was told last; undefined before the first round. */
  toldServing: boolean | undefined
  private readonly now: () => number
  private readonly maxLagMs: number
  private awaited: Array<Awaited> = []
  private round = 0
  /** The newest round whose position was replayed, and when it began. */
  private replayedRound = 0
  private replayedAt = Number.NEGATIVE_INFINITY
  private isOut = true
  /** The round before which each writer's last write was answered. */
  private readonly written = new Map<string, number>()
  /** That round for the writers that `written` no longer holds. */
  private writtenByAll = -1

  constructor(maxLagMs: number, now: () => number) {
    this.maxLagMs = maxLagMs
    this.now = now
  }

  /** Begins a round; call it before the primary is asked. */
  begin(): Omit<Awaited, "position"> {
    return { round: ++this.round, at: this.now() }
  }

  /** Takes what both servers said in a round. */
  reached(begun: Omit<Awaited, "position">, position: number, replayed: number): void {
    this.awaited.push({ ...begun, position })
    this.awaited = this.awaited.slice(-mostAwaited).filter((one) => {
      if (one.position > replayed) return true
      this.replayedRound = one.round
      this.replayedAt = one.at
      return false
    })
    this.isOut = false
    for (const [writer, round] of this.written) if (round < this.replayedRound) this.written.delete(writer)
  }

  /** The replica failed a read or a round: it answers none until a round succeeds. */
  failed(): void {
    this.isOut = true
  }

  /** Notes that a write of this caller was answered: its next lists come from a server that has it. */
  wrote(writer: string): void {
    if (this.written.size >= mostWriters && !this.written.has(writer)) {
      this.written.clear()
      this.writtenByAll = this.round
    }
    this.written.set(writer, this.round)
  }

  /** Returns where a list of this caller is read now. */
  sourceFor(reader: string): ReadSource {
    if (this.isOut) return "failed"
    if (this.lagMs() > this.maxLagMs) return "lag"
    const written = Math.max(this.written.get(reader) ?? -1, this.writtenByAll)
    return written >= this.replayedRound ? "written" : "replica"
  }

  /** Whether the replica answers lists of callers who have written nothing. */
  get isServing(): boolean {
    return !this.isOut && this.lagMs() <= this.maxLagMs
  }

  /** By how much the replica is behind at most, in milliseconds; infinite before the first round. */
  lagMs(): number {
    return this.now() - this.replayedAt
  }
}

/** The replica of this node; undefined without one. */
export const CurrentReplica = Context.Reference<ReplicaReads | undefined>("@carteiro/tables/CurrentReplica", {
  defaultValue: () => undefined
})

/** The caller whose list a fiber reads, which may come from the replica; undefined for everything that must not. */
export const ListReader = Context.Reference<string | undefined>("@carteiro/tables/ListReader", {
  defaultValue: () => undefined
})
