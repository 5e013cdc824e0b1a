import { type Clock, type Duration, Effect } from "effect"

/**
 * Backward steps of up to this many milliseconds are waited out, so that instants of one process do not go backwards.
 */
const heldMillis = 250

/**
 * A clock that is set from outside and advances by a monotonic counter: a step of the machine's own clock does not move
 * it.
 */
export class OffsetClock implements Clock.Clock {
  private readonly monotonic: () => number
  private readonly base: Clock.Clock
  private setTo: number
  private setAt: number
  private last = Number.NEGATIVE_INFINITY

  /** Makes a clock that showed `setTo`, in epoch milliseconds, when the monotonic counter showed `setAt`. */
  constructor(options: {
    readonly base: Clock.Clock
    readonly monotonic: () => number
    readonly setTo: number
    readonly setAt: number
  }) {
    this.base = options.base
    this.monotonic = options.monotonic
    this.setTo = options.setTo
    this.setAt = options.setAt
  }

  /**
   * Returns how many milliseconds the true time is ahead of this clock, given that it was `millis` at the counter value
   * `at`.
   */
  behind(millis: number, at: number): number {
    return millis - (this.setTo + at - this.setAt)
  }

  /** Sets the clock to `millis` at the counter value `at`. */
  set(millis: number, at: number): void {
    this.setTo = millis
    this.setAt = at
  }

  private read(): number {
    const reading = this.setTo + this.monotonic() - this.setAt
    if (reading < this.last && this.last - reading <= heldMillis) return this.last
    this.last = reading
    return reading
  }

  currentTimeMillisUnsafe(): number {
    return Math.floor(this.read())
  }

  currentTimeNanosUnsafe(): bigint {
    const reading = this.read()
    const millis = Math.floor(reading)
    return BigInt(millis) * 1_000_000n + BigInt(Math.floor((reading - millis) * 1_000_000))
  }

  monotonicTimeNanosUnsafe(): bigint {
    return this.base.monotonicTimeNanosUnsafe()
  }

  readonly currentTimeMillis: Effect.Effect<number> = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos: Effect.Effect<bigint> = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos: Effect.Effect<bigint> = Effect.sync(() => this.monotonicTimeNanosUnsafe())

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return this.base.sleep(duration)
  }
}
