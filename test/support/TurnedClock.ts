import { Clock, Context, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { nextTurn, turnsInARow } from "./Until.ts"

/** The start of virtual time in every test. */
export const beginning = Date.parse("2026-01-01T00:00:00.000Z")

/** The virtual time that passes in a real millisecond while a test ends. */
const stepMs = 100

/**
 * Counts the work under way outside of virtual time (mailboxes, commits, sockets): time must not move while there is
 * any.
 */
export class UnderWay extends Context.Service<
  UnderWay,
  { readonly watch: (busy: () => boolean) => void; readonly busy: () => boolean }
>()("@carteiro/test/support/UnderWay") {
  static readonly layer = Layer.sync(UnderWay, () => {
    const watched: Array<() => boolean> = []
    return UnderWay.of({
      watch: (busy) => void watched.push(busy),
      busy: () => watched.some((busy) => busy())
    })
  })
}

/**
 * The test clock with access to its pending sleeps, so that time can move from one timer to the next or past them all.
 */
export class Timers extends Context.Service<
  Timers,
  {
    readonly next: () => number | undefined
    /** Sets the time at once; every earlier timer fires then, and sleeps again from there. */
    readonly leap: (instant: number) => Effect.Effect<void>
    /** Lets the time run until the clock's scope closes. */
    readonly run: Effect.Effect<void>
  }
>()("@carteiro/test/support/Timers") {}

/** A clock that stands still at `beginning` until a test turns it. */
export const layerClock = Layer.effectContext(
  Effect.gen(function* () {
    const inner = yield* TestClock.make({ warningDelay: "10 minutes" })
    const scope = yield* Effect.scope
    yield* inner.setTime(beginning)
    const ends = new Map<object, number>()
    // While the inner clock moves from timer to timer, all readers see the end of the leap already: a woken fiber
    // sleeps again from there, instead of once a second through a month.
    let leaping = beginning
    const ahead = () => Math.max(0, leaping - inner.currentTimeMillisUnsafe())
    const nanosAhead = () => BigInt(Math.round(ahead() * 1_000_000))
    const currentTimeMillisUnsafe = () => inner.currentTimeMillisUnsafe() + ahead()
    const currentTimeNanosUnsafe = () => inner.currentTimeNanosUnsafe() + nanosAhead()
    const monotonicTimeNanosUnsafe = () => inner.monotonicTimeNanosUnsafe() + nanosAhead()
    const clock: Clock.Clock & TestClock.TestClock = {
      ...inner,
      currentTimeMillisUnsafe,
      currentTimeNanosUnsafe,
      monotonicTimeNanosUnsafe,
      currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
      currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
      monotonicTimeNanos: Effect.sync(monotonicTimeNanosUnsafe),
      sleep: (duration) =>
        Effect.suspend(() => {
          const timer = {}
          ends.set(timer, currentTimeMillisUnsafe() + Duration.toMillis(duration))
          return Effect.ensuring(
            inner.sleep(Duration.sum(duration, Duration.millis(ahead()))),
            Effect.sync(() => ends.delete(timer))
          )
        })
    }
    return Context.make(Clock.Clock, clock as Clock.Clock).pipe(
      Context.add(
        Timers,
        Timers.of({
          next: () => {
            let least: number | undefined
            for (const end of ends.values()) if (least === undefined || end < least) least = end
            return least
          },
          leap: (instant) =>
            Effect.suspend(() => {
              leaping = instant
              return inner.setTime(instant)
            }),
          run: Effect.asVoid(
            Effect.forkIn(Effect.forever(Effect.andThen(nextTurn(turnsInARow), inner.adjust(stepMs))), scope)
          )
        })
      )
    )
  })
)

/**
 * Lets virtual time run once this layer closes, which it must do before the owners. An owner that leaves waits some
 * seconds for its work, and with a standing clock would wait forever for work that the closing has cut off.
 */
export const layerRunsAtEnd = Layer.effectDiscard(Effect.flatMap(Timers, ({ run }) => Effect.addFinalizer(() => run)))

/** The machine's clock, for tests of behaviour that needs real time; it cannot be turned. */
export const layerLiveClock = Layer.effectContext(
  Effect.map(Clock.Clock, (clock) =>
    Context.make(Clock.Clock, clock).pipe(
      Context.add(
        Timers,
        Timers.of({
          next: () => undefined,
          leap: () => Effect.die(new Error("This clock cannot be turned.")),
          run: Effect.void
        })
      )
    )
  )
)

/** Waits until no work is under way for some turns of the event loop. */
export const quiesce = Effect.gen(function* () {
  const underWay = yield* UnderWay
  let quiet = 0
  let busy = 0
  while (quiet < 20) {
    yield* quiet > 0 ? nextTurn(0) : nextTurn(busy)
    if (underWay.busy()) {
      quiet = 0
      busy += 1
    } else quiet += 1
  }
})

/**
 * Moves virtual time to an instant, timer by timer: due work runs, with all its effects over real sockets, before the
 * next timer fires.
 */
export const turnTo = Effect.fnUntraced(function* (instant: string | number) {
  const target = typeof instant === "number" ? instant : Date.parse(instant)
  const timers = yield* Timers
  const clock = (yield* Clock.Clock) as TestClock.TestClock
  while (true) {
    yield* quiesce
    const next = timers.next()
    if (next === undefined || next > target) break
    yield* clock.setTime(Math.max(next, clock.currentTimeMillisUnsafe()))
  }
  yield* clock.setTime(target)
  yield* quiesce
})

/** Moves virtual time forward by so many milliseconds. */
export const turnBy = Effect.fnUntraced(function* (millis: number) {
  const now = yield* Clock.currentTimeMillis
  yield* turnTo(now + millis)
})

/**
 * Moves virtual time directly to an instant, past all earlier timers: they fire late and once, as on a machine that was
 * suspended.
 */
export const leapTo = Effect.fnUntraced(function* (instant: string | number) {
  const timers = yield* Timers
  yield* quiesce
  yield* timers.leap(typeof instant === "number" ? instant : Date.parse(instant))
  yield* quiesce
})

const aWhile = Effect.callback<void>((resume) => {
  const timer = setTimeout(() => resume(Effect.void), 500)
  return Effect.sync(() => clearTimeout(timer))
})

/**
 * Waits for an effect of which a call may have to be made again: that happens 50 ms later by the clock that stands, so time goes on
 * a little while the effect has not ended.
 */
export const whileTurning = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(effect, Effect.forever(Effect.andThen(aWhile, turnBy(50))))
