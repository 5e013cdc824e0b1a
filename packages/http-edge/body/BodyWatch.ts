/** How fast a body must arrive, and when it must be there. */
export interface BodyPace {
  /** Milliseconds from its beginning to its end. */
  readonly totalMillis: number
  /** Bytes that must come in each span of `spanMillis`. */
  readonly leastBytes: number
}

/** The pace of whatever is not told another: 300 seconds in all, some 800 bytes a second. */
export const standardPace: BodyPace = { totalMillis: 300_000, leastBytes: 16_384 }

/** Span over which the rate of a body is taken, in milliseconds: a shorter pause is nobody's fault. */
const spanMillis = 20_000

/** A body that is awaited. */
class AwaitedBody {
  /** Bytes that came so far; written by who reads. */
  received = 0
  /** While true the caller is not the one who is waited for. */
  isPaused = false
  private readonly pace: BodyPace
  private begunAt: number | undefined
  /** The last look at its rate, and what had come by then. */
  private markedAt = 0
  private marked = 0
  /** Called at most once. */
  readonly onLate: () => void

  constructor(pace: BodyPace, onLate: () => void) {
    this.pace = pace
    this.onLate = onLate
  }

  /** Whether it is late; its time begins with the first look. */
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
 * Ends bodies that stall, trickle, or take too long. It looks at all of them now and then, so that a body costs no timer
 * and no reading of a clock.
 */
export class BodyWatch {
  private readonly awaited = new Set<AwaitedBody>()

  /** Awaits a body from now on. */
  begin(pace: BodyPace, onLate: () => void): AwaitedBody {
    const body = new AwaitedBody(pace, onLate)
    this.awaited.add(body)
    return body
  }

  /** It is there, or nobody wants it any more. */
  end(body: AwaitedBody): void {
    this.awaited.delete(body)
  }

  /** Bodies that are awaited. */
  get size(): number {
    return this.awaited.size
  }

  /** Looks at all of them; milliseconds of any clock that only goes forward. */
  look(now: number): void {
    for (const body of this.awaited) {
      if (!body.isLate(now)) continue
      this.awaited.delete(body)
      body.onLate()
    }
  }
}
