/** The minimum speed of a body, and its deadline. */
export interface BodyPace {
  /** The longest time from its beginning to its end, in milliseconds. */
  readonly totalMillis: number
  /** The least bytes in each span of `spanMillis`. */
  readonly leastBytes: number
}

/** The pace of bodies without their own: 300 seconds in all, some 800 bytes a second. */
export const standardPace: BodyPace = { totalMillis: 300_000, leastBytes: 16_384 }

/** The span over which the rate of a body is measured, in milliseconds: a shorter pause may be the network's. */
const spanMillis = 20_000

/** A body that is still arriving. */
class AwaitedBody {
  /** The bytes received so far; the reader of the body updates it. */
  received = 0
  /** True while the reader, not the caller, causes the delay. */
  isPaused = false
  private readonly pace: BodyPace
  private begunAt: number | undefined
  /** The last check of its rate, and the bytes received until then. */
  private markedAt = 0
  private marked = 0
  /** Called at most once. */
  readonly onLate: () => void

  constructor(pace: BodyPace, onLate: () => void) {
    this.pace = pace
    this.onLate = onLate
  }

  /** True when it is late; its time begins with the first check. */
  isLate(now: number): boolean {
    if (this.begunAt === undefined) {
      this.begunAt = now
      this.mark(now)
    }
    if (now - this.begunAt >= this.pace.totalMillis) return true
    if (this.isPaused) this.mark(now)
    if (now - this.markedAt < spanMillis) return false
    if (this.received - this.marked < this.pace.leastBytes) return true
    this.mark(now)
    return false
  }

  private mark(now: number): void {
    this.markedAt = now
    this.marked = this.received
  }
}

/**
 * Ends bodies that stall, trickle, or take too long. It checks all of them from time to time, so that a body needs no
 * timer and no reading of a clock.
 */
export class BodyWatch {
  private readonly awaited = new Set<AwaitedBody>()

  /** Begins to watch a body. */
  begin(pace: BodyPace, onLate: () => void): AwaitedBody {
    const body = new AwaitedBody(pace, onLate)
    this.awaited.add(body)
    return body
  }

  /** Stops watching a body that has arrived or is no longer needed. */
  end(body: AwaitedBody): void {
    this.awaited.delete(body)
  }

  /** Returns the number of bodies that are still arriving. */
  get size(): number {
    return this.awaited.size
  }

  /** Checks all bodies; `now` is in milliseconds of any monotonic clock. */
  look(now: number): void {
    for (const body of this.awaited) {
      if (!body.isLate(now)) continue
      this.awaited.delete(body)
      body.onLate()
    }
  }
}
