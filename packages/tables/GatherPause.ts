/** The most asks that a read waits for: a larger gathering saves little more. */
const most = 8
/** One read in so many waits for its whole pause, to learn whether asks come meanwhile. */
const lookEvery = 256
/** The weight of one ask in the usual gap between asks. */
const gapWeight = 1 / 32
/** The longest gap that counts, in milliseconds, so that asks after a quiet minute are noticed soon. */
const longestGapMs = 100
/** The weight of a read that gathered fewer asks than the ones before. */
const fewerWeight = 1 / 16

/**
 * Decides how many asks a read waits for: as many as the pause usually brings, by the gaps between asks, but never more
 * than were lately there together. A caller that asks again only when it was answered brings no second ask in a pause, so
 * that a lone one never waits, and a few end the pause as soon as all of them are there.
 */
export class GatherPause {
  private gapMs = longestGapMs
  private lastAt = Number.NEGATIVE_INFINITY
  private together = 1
  private reads = 0
  private readonly pauseMs: number

  constructor(pauseMs: number) {
    this.pauseMs = pauseMs
  }

  /** Counts an ask that comes at this instant of a monotonic clock, in milliseconds. */
  asked(at: number): void {
    this.gapMs += (Math.min(longestGapMs, at - this.lastAt) - this.gapMs) * gapWeight
    this.lastAt = at
  }

  /** Returns the number of asks at which the next read starts without waiting longer. */
  next(): number {
    this.reads += 1
    const usual = 1 + this.pauseMs / this.gapMs
    return Math.round(Math.min(most, usual, this.reads % lookEvery === 0 ? most : this.together))
  }

  /** Learns from the number of asks that a read gathered. */
  gathered(asks: number): void {
    this.together = asks >= this.together ? asks : this.together + (asks - this.together) * fewerWeight
  }
}
