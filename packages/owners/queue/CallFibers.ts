import { Clock, Effect, Exit, type Fiber } from "effect"

/**
 * The calls of one queue that are under way. One timer ends those that take longer than `callMs`: a timer and a race for
 * each call would cost as much as the call.
 */
export class CallFibers {
  /** When each call has to end, in the order of their starts, on the monotonic clock: turning a tenant's clock moves none. */
  private readonly deadlines = new Map<Fiber.Fiber<unknown>, number>()
  private readonly late = new WeakSet<Fiber.Fiber<unknown>>()
  private watch: Fiber.Fiber<unknown> | undefined
  private readonly callMs: number
  private readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<unknown>

  /** Without `callMs` calls have a limit of their own. */
  constructor(callMs: number | undefined, fork: (effect: Effect.Effect<void>) => Fiber.Fiber<unknown>) {
    this.callMs = callMs ?? Number.POSITIVE_INFINITY
    this.fork = fork
  }

  /**
   * Adds a call that begins now by this clock. `failed` runs when it has ended without a result: `isLate` when that was for
   * taking too long.
   */
  add(call: Fiber.Fiber<unknown>, clock: Clock.Clock, failed: (isLate: boolean) => void): void {
    this.deadlines.set(call, millisOf(clock.monotonicTimeNanosUnsafe()) + this.callMs)
    call.addObserver((exit) => {
      this.deadlines.delete(call)
      if (Exit.isFailure(exit)) failed(this.late.has(call))
    })
    if (this.callMs === Number.POSITIVE_INFINITY || this.deadlines.size === 0) return
    this.watch ??= this.fork(Effect.provideService(this.watching, Clock.Clock, clock))
  }

  /** Ends all calls. */
  interrupt(): void {
    this.watch?.interruptUnsafe()
    this.watch = undefined
    for (const call of [...this.deadlines.keys()]) call.interruptUnsafe()
  }

  private get watching(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      for (let wait = yield* this.endLate; wait !== undefined; wait = yield* this.endLate) yield* Effect.sleep(wait)
      this.watch = undefined
    })
  }

  /** Ends calls that are late; returns how long until the next one is, in milliseconds, and undefined without any call. */
  private get endLate(): Effect.Effect<number | undefined> {
    return Effect.map(Clock.monotonicTimeNanos, (nanos) => {
      const now = millisOf(nanos)
      for (const [call, at] of this.deadlines) {
        if (at > now) return at - now
        this.deadlines.delete(call)
        this.late.add(call)
        call.interruptUnsafe()
      }
      return undefined
    })
  }
}

const millisOf = (nanos: bigint): number => Number(nanos) / 1_000_000
