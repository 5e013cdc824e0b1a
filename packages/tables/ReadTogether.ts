import { Effect } from "effect"
import { GatherPause } from "./GatherPause.ts"
import { hasPassingSqlError } from "./SqlFailure.ts"

interface Waiting<Ask, A> {
  readonly ask: Ask
  readonly resume: (effect: Effect.Effect<A>) => void
}

/** The limits of one shared statement. */
export interface Together<Ask> {
  /** Returns the rows that an ask looks up; 1 by default. */
  readonly sizeOf?: (ask: Ask) => number
  /**
   * The longest that a read waits for asks that usually come soon after the first, in milliseconds of real time; 0 by
   * default.
   */
  readonly pauseMs?: number
}

const maxAsks = 256
/** The most look-ups in one statement, so that no caller waits long for a neighbour's; a larger ask travels alone. */
const maxSize = 2048

/**
 * Gathers reads: calls in one turn of the event loop, while one statement runs, or in the pause before it, form the next
 * statement. `read` returns the results in the order of the asks. A statement that fails because of an ask is repeated
 * for each ask alone, so that only one fails; an unavailable database fails all its callers.
 */
export const readTogether = <Ask, A>(
  read: (asks: ReadonlyArray<Ask>) => Effect.Effect<ReadonlyArray<A>>,
  together: Together<Ask> = {}
) => Effect.map(Effect.context<never>(), (context) => gather(read, together, Effect.runForkWith(context)))

const gather = <Ask, A>(
  read: (asks: ReadonlyArray<Ask>) => Effect.Effect<ReadonlyArray<A>>,
  { pauseMs, sizeOf }: Together<Ask>,
  fork: (effect: Effect.Effect<void>) => unknown
) => {
  let waiting: Array<Waiting<Ask, A>> = []
  let busy = false
  const pause = pauseMs === undefined ? undefined : new GatherPause(pauseMs)
  let awaited = 1
  let paused: NodeJS.Timeout | undefined

  const schedule = () => {
    if (busy || waiting.length === 0) return
    if (paused === undefined) awaited = pause?.next() ?? 1
    if (waiting.length >= awaited) return start()
    paused ??= setTimeout(start, pauseMs)
  }
  const start = () => {
    clearTimeout(paused)
    paused = undefined
    if (waiting.length === 0) return
    busy = true
    setImmediate(() => {
      const batch = waiting.splice(0, fitting(waiting, sizeOf))
      pause?.gathered(batch.length)
      // The next statement runs whatever the outcome of this one.
      const next = Effect.sync(() => {
        busy = false
        schedule()
      })
      fork(Effect.ensuring(answered(batch), next))
    })
  }
  const answered = (batch: ReadonlyArray<Waiting<Ask, A>>): Effect.Effect<void> =>
    Effect.matchCauseEffect(read(batch.map(({ ask }) => ask)), {
      onSuccess: (answers) =>
        Effect.sync(() => {
          for (const [n, { resume }] of batch.entries()) resume(Effect.succeed(answers[n] as A))
        }),
      onFailure: (cause) =>
        batch.length > 1 && !hasPassingSqlError(cause)
          ? Effect.forEach(batch, (each) => answered([each]), { discard: true })
          : Effect.sync(() => {
              for (const { resume } of batch) resume(Effect.failCause(cause))
            })
    })

  return (ask: Ask): Effect.Effect<A> =>
    Effect.callback<A>((resume) => {
      const entry = { ask, resume }
      waiting.push(entry)
      pause?.asked(performance.now())
      schedule()
      // An interrupted caller's ask is not read.
      return Effect.sync(() => {
        waiting = waiting.filter((other) => other !== entry)
      })
    })
}

/** Returns the number of first asks that fit one statement: one at least. */
const fitting = <Ask, A>(
  waiting: ReadonlyArray<Waiting<Ask, A>>,
  sizeOf: ((ask: Ask) => number) | undefined
): number => {
  const most = Math.min(waiting.length, maxAsks)
  if (sizeOf === undefined) return most
  let size = 0
  for (let n = 0; n < most; n++) {
    size += sizeOf((waiting[n] as Waiting<Ask, A>).ask)
    if (size > maxSize) return Math.max(1, n)
  }
  return most
}
