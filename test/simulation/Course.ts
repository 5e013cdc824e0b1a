import { Clock, Context, Effect, type Fiber } from "effect"
import type { TestClock } from "effect/testing"
import type fc from "fast-check"
import { beginning, Timers } from "../support/TurnedClock.ts"
import { hour } from "./World.ts"

/** Turns of the event loop without anything new after which nothing more comes of what happened last. */
const quietTurns = 10

/** More turns than any schedule needs, and how many of them a failure shows. */
const most = 60_000
const lastOf = 60

const oneTurn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** What happens by itself at an instant of its own (epoch milliseconds), beside timers. */
export interface Regular {
  readonly next: Effect.Effect<number | undefined>
  readonly run: Effect.Effect<void>
}

/**
 * The course of a simulated world, one thing after another: what waits for its turn goes on in an order the schedule
 * draws, each thing to its end before the next; once nothing waits, time goes to the next timer. So the same schedule
 * takes the same course, however busy the machine is.
 */
export class Course {
  private readonly clock: TestClock.TestClock
  private readonly timers: Timers["Service"]
  private readonly scheduler: fc.Scheduler
  /** Statements PostgreSQL works on, and how many there have been. */
  private running = 0
  statements = 0
  private news = 0
  private readonly happened: Array<string> = []

  constructor(time: Context.Context<never>, scheduler: fc.Scheduler) {
    this.clock = Context.get(time, Clock.Clock) as TestClock.TestClock
    this.timers = Context.get(time as Context.Context<Timers>, Timers)
    this.scheduler = scheduler
  }

  get now(): number {
    return this.clock.currentTimeMillisUnsafe()
  }

  /** What took its turn last, for the account of a failure. */
  get account(): string {
    return this.happened.slice(-lastOf).join("\n")
  }

  /** Waits for its turn among everything that waits now. */
  turn(label: string): Effect.Effect<void> {
    return Effect.promise(() => {
      this.news++
      return this.scheduler.schedule(Promise.resolve(), label).then(() => this.note(label))
    })
  }

  /** Runs what takes real time; nothing else happens and no time passes meanwhile. */
  really<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      this.running++
      this.statements++
      return Effect.ensuring(
        effect,
        Effect.sync(() => {
          this.running--
          this.news++
        })
      )
    })
  }

  private note(label: string): void {
    this.happened.push(`${this.now - beginning} ${label}`)
  }

  /** Waits until nothing more comes of what happened last. */
  get quiet(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      let seen = -1
      for (let turns = 0; turns < quietTurns; turns++) {
        yield* oneTurn
        if (this.running === 0 && seen === this.news) continue
        turns = -1
        seen = this.running === 0 ? this.news : -1
      }
    })
  }

  /** Goes on until `done`, or until nothing is left that happens up to an instant; then it is that instant. */
  until(instant: number, done: () => boolean, regular: Regular): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        yield* this.quiet
        if (done()) return
        if (this.happened.length > most) return yield* Effect.die(new Error("a course that never comes to rest"))
        if (this.scheduler.count() > 0) {
          yield* Effect.promise(() => this.scheduler.waitOne())
          continue
        }
        const due = yield* regular.next
        const timer = this.timers.next()
        const next = Math.min(due ?? instant + 1, timer ?? instant + 1)
        if (next > instant) break
        yield* this.clock.setTime(Math.max(next, this.now))
        if (due === next) yield* regular.run
      }
      yield* this.clock.setTime(Math.max(instant, this.now))
    })
  }

  /** Goes straight to an instant: what was due before it finds itself late, as on a machine that stood still. */
  leap(instant: number): Effect.Effect<void> {
    return Effect.andThen(
      this.quiet,
      Effect.suspend(() => this.clock.setTime(Math.max(instant, this.now)))
    )
  }

  /** Goes on until a fiber has ended. */
  ended(fiber: Fiber.Fiber<unknown, unknown>, regular: Regular): Effect.Effect<void> {
    return Effect.andThen(
      this.until(this.now + hour, () => fiber.pollUnsafe() !== undefined, regular),
      Effect.suspend(() =>
        fiber.pollUnsafe() === undefined ? Effect.die(new Error("a call nobody answers within an hour")) : Effect.void
      )
    )
  }
}
