import type { Rate } from "@carteiro/runtime/ratelimit/TokenBucket.ts"
import { assert } from "vitest"

/** Every draw from one bucket: over any stretch of time they come to the burst and what flowed back at most. */
export class BucketOracle {
  private excess = 0
  /** The least excess before any draw so far: the stretch that begins there is the tightest. */
  private least = Number.POSITIVE_INFINITY
  private at: number | undefined
  private readonly rate: Rate

  constructor(rate: Rate) {
    this.rate = rate
  }

  /** Tokens drawn at an instant (epoch milliseconds). */
  add(at: number, tokens: number): void {
    this.excess -= (at - (this.at ?? at)) * this.rate.perMillis
    this.at = at
    this.least = Math.min(this.least, this.excess)
    this.excess += tokens
    assert.isAtMost(this.excess - this.least, this.rate.burst + 1e-3, "tokens over a stretch of time")
  }
}
