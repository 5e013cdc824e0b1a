import { Effect } from "effect"
import { hasPassingSqlError } from "./SqlFailure.ts"

interface Waiting<Ask, A> {
  readonly ask: Ask
  readonly resume: (effect: Effect.Effect<A>) => void
}

/** How much travels in one statement. */
export interface Together<Ask> {
  /** Rows that an ask looks up; 1 unless told. */
  readonly sizeOf?: (ask: Ask) => number
}

const maxAsks = 256
/** Look-ups of one statement, so that nobody waits long for a neighbour's; a larger ask travels alone. */
const maxSize = 2048

/**
 * Reads that travel together: what is asked for in the same turn of the event loop, or while one statement is under way,
 * leaves as the next one. `read` answers what was asked, in that order. A statement that fails for what it was asked is
 * asked again for each, so that one ask fails alone; one that finds no database fails all its callers. Architecture,
 * section 3 "Coalescing"
 */
export const readTogether = <Ask, A>(
  read: (asks: ReadonlyArray<Ask>) => Effect.Effect<ReadonlyArray<A>>,
  together: Together<Ask> = {}
) => Effect.map(Effect.context<never>(), (context) => gather(read, together, Effect.runForkWith(context)))

const gather = <Ask, A>(
  read: (asks: ReadonlyArray<Ask>) => Effect.Effect<ReadonlyArray<A>>,
  { sizeOf }: Together<Ask>,
  fork: (effect: Effect.Effect<void>) => unknown
) => {
  let waiting: Array<Waiting<Ask, A>> = []
  let busy = false

  const schedule = () => {
    if (busy || waiting.length === 0) return
    busy = true
    setImmediate(() => {
      const batch = waiting.splice(0, fitting(waiting, sizeOf))
      // Whatever becomes of one statement, the next is made.
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
      schedule()
      // A caller that left is not read for.
      return Effect.sync(() => {
        waiting = waiting.filter((other) => other !== entry)
      })
    })
}

/** How many of the first leave as one statement: one at least. */
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
