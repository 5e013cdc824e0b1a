import { Effect, Fiber, Latch } from "effect"

/** Work due later than this is left to the sweeper, so that the owner may leave memory meanwhile. In milliseconds. */
const horizonMs = 60_000
/**
 * The time a running pass has to finish when its owner leaves this node, so that a call to a provider is not cut short.
 */
const finishWithin = "4 seconds"
const never = Number.POSITIVE_INFINITY

/** The part of an owner that the loop over due work uses. */
export interface DueWorkOwner {
  /** Epoch milliseconds on the runtime's clock. */
  readonly now: () => number
  /** True when the owner's clock stands still: then no timer fires before the clock moves. */
  readonly time: { readonly stands: () => boolean }
  /** Runs one pass over due rows. Returns the instant at which it wants to run again, if any. Never fails. */
  readonly pass: Effect.Effect<number | undefined>
  /**
   * Asks for a request that runs `untilIdle`. The loop holds it open, so that the cluster keeps the owner in memory.
   */
  readonly wake: (instant: number) => void
}

/** The loop over an owner's due rows: it sleeps until the earliest instant named, and ends when none is near. */
export class DueWork {
  private due = never
  private working = false
  private readonly signal = Latch.makeUnsafe(false)
  private readonly owner: DueWorkOwner

  constructor(owner: DueWorkOwner) {
    this.owner = owner
  }

  /** Records that a row is due at that instant. */
  at(instant: number): void {
    this.sooner(instant)
    if (!this.working && instant - this.owner.now() <= horizonMs) this.owner.wake(instant)
  }

  /** Runs passes while rows are due soon; returns at once when another call already runs them. */
  untilIdle(from: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.sooner(from)
      if (this.working) return Effect.void
      this.working = true
      return Effect.ensuring(
        this.passes,
        Effect.sync(() => {
          this.working = false
        })
      )
    })
  }

  private sooner(instant: number) {
    if (instant >= this.due) return
    this.due = instant
    this.signal.openUnsafe()
  }

  private get passes(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      while (true) {
        this.signal.closeUnsafe()
        const wait = this.due - this.owner.now()
        if (wait > horizonMs || (wait > 0 && this.owner.time.stands())) return
        if (wait > 0) {
          yield* Effect.raceFirst(Effect.sleep(wait), this.signal.await)
          continue
        }
        this.due = never
        const next = yield* finishing(this.owner.pass)
        this.due = Math.min(this.due, next ?? never)
      }
    })
  }
}

const finishing = <A>(pass: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.flatMap(Effect.forkChild(pass, { startImmediately: true }), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () =>
      Effect.andThen(
        Effect.timeoutOption(Effect.interruptible(Fiber.await(fiber)), finishWithin),
        Fiber.interrupt(fiber)
      )
    )
  )
