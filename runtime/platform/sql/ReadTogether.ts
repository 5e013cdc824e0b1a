import { Effect } from "effect"

interface Waiting<Ask, A> {
  readonly ask: Ask
  readonly resume: (effect: Effect.Effect<A>) => void
}

const maxBatch = 256

/**
 * Reads that travel together: what is asked for in the same turn of the event loop, or while one statement is under way,
 * leaves as the next one. `read` answers what was asked, in that order; a failing statement fails its callers only.
 * Architecture, section 3 "Coalescing"
 */
export const readTogether = <Ask, A>(read: (asks: ReadonlyArray<Ask>) => Effect.Effect<ReadonlyArray<A>>) =>
  Effect.map(Effect.context<never>(), (context) => gather(read, Effect.runForkWith(context)))

const gather = <Ask, A>(
  read: (asks: ReadonlyArray<Ask>) => Effect.Effect<ReadonlyArray<A>>,
  fork: (effect: Effect.Effect<void>) => unknown
) => {
  let waiting: Array<Waiting<Ask, A>> = []
  let busy = false

  const schedule = () => {
    if (busy || waiting.length === 0) return
    busy = true
    setImmediate(() => {
      const batch = waiting.slice(0, maxBatch)
      waiting = waiting.slice(maxBatch)
      fork(
        Effect.matchCause(read(batch.map(({ ask }) => ask)), {
          onSuccess: (answers) => answerBatch(batch, (n) => Effect.succeed(answers[n] as A)),
          onFailure: (cause) => answerBatch(batch, () => Effect.failCause(cause))
        })
      )
    })
  }
  const answerBatch = (batch: ReadonlyArray<Waiting<Ask, A>>, answer: (n: number) => Effect.Effect<A>) => {
    for (let n = 0; n < batch.length; n++) batch[n]?.resume(answer(n))
    busy = false
    schedule()
  }

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
