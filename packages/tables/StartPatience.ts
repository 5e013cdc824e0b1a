import { Context, Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { isSilence, silence, withinPatience } from "./Deadline.ts"
import { sqlErrorCode } from "./SqlFailure.ts"

/** How long a start waits for a database that is slow or starts itself, and between two lines about that, in milliseconds. */
const standardMs = 60_000
const tellEveryMs = 5000
/** The pause between two tries, in milliseconds. */
const pauseMs = 250

/**
 * The patience of a process that starts. A busy machine, or a server that starts too, answers late, and a start that
 * gives up has to begin again there. Ends once the process is ready: its callers wait no longer than `ReadPatience`.
 */
export class StartPatience {
  /** The longest wait for one answer, in milliseconds. */
  readonly millis: number
  readonly tellEveryMs: number
  private ended = false
  private toldAt = Number.NEGATIVE_INFINITY

  constructor(millis: number = standardMs, tellEvery: number = tellEveryMs) {
    this.millis = millis
    this.tellEveryMs = tellEvery
  }

  get isOver(): boolean {
    return this.ended
  }

  end(): void {
    this.ended = true
  }

  /** True for one of the waits that go on at this moment, which tells of all of them. */
  isToTell(now: number): boolean {
    if (now - this.toldAt < this.tellEveryMs) return false
    this.toldAt = now
    return true
  }
}

/** The start that a fiber is part of; undefined for everything that is no start. */
export const CurrentStart = Context.Reference<StartPatience | undefined>("@carteiro/tables/CurrentStart", {
  defaultValue: () => undefined
})

/** Returns the patience with a statement at this moment, in milliseconds: that of the start while it lasts. */
export const patienceDuring = (start: StartPatience | undefined, millis: number): number =>
  start === undefined || start.isOver ? millis : Math.max(millis, start.millis)

/**
 * True for a server that said nothing in time, or that says it is not ready yet. Nothing is wrong with the settings, and
 * a later try may be answered.
 */
export const isUnready = (error: SqlError): boolean => isSilence(error) || sqlErrorCode(error) === cannotConnectNow

/** The SQLSTATE of a server that starts, recovers or stops. */
const cannotConnectNow = "57P03"

/**
 * Opens a connection again and again while the process starts and the server is not ready; tells the log that it waits. Every
 * other failure, and everything after the start, is the caller's at once. `work` may be run several times.
 */
export const whileStarting = <A, E, R>(work: Effect.Effect<A, E | SqlError, R>): Effect.Effect<A, E | SqlError, R> =>
  Effect.withFiber((fiber) => {
    const start = fiber.getRef(CurrentStart)
    return start === undefined || start.isOver ? work : patiently(start, work)
  })

/** Runs work over connections with the patience of a start; see `whileStarting`. */
export const patiently = <A, E, R>(
  start: StartPatience,
  work: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, E | SqlError, R> => Effect.raceFirst(tries(start, work), telling(start))

const tries = <A, E, R>(start: StartPatience, work: Effect.Effect<A, E | SqlError, R>) =>
  Effect.gen(function* () {
    const until = performance.now() + start.millis
    while (true) {
      const tried = yield* Effect.result(withinPatience(work, Math.max(1, until - performance.now())))
      if (tried._tag === "Success") return tried.success
      const error = tried.failure
      if (!isSqlError(error) || !isUnready(error)) return yield* Effect.fail(error)
      if (performance.now() + pauseMs >= until) {
        return yield* Effect.fail(isSilence(error) ? silence(start.millis) : error)
      }
      yield* Effect.sleep(pauseMs)
    }
  })

const telling = (start: StartPatience) => {
  const begun = performance.now()
  const tell = Effect.suspend(() => {
    const now = performance.now()
    return start.isToTell(now)
      ? Effect.logWarning("PostgreSQL has not answered yet; the start waits", {
          waited_ms: Math.round(now - begun),
          longest_wait_ms: start.millis
        })
      : Effect.void
  })
  return Effect.forever(Effect.andThen(Effect.sleep(start.tellEveryMs), tell))
}
