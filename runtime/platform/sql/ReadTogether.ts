import { type Cause, Effect } from "effect"

/** Keys that share an environment and a second part: what one look-up by primary key names. */
export interface RowKey {
  readonly environment_id: string
  readonly id: string
}

interface Waiting<A> {
  readonly key: RowKey
  readonly resume: (effect: Effect.Effect<A | undefined>) => void
}

const maxBatch = 256

/**
 * Look-ups by key that travel together: what is asked for in the same turn of the event loop, or while one statement is
 * under way, leaves as the next one. `read` answers the rows it found, in any order; each caller gets its own or
 * `undefined`, and a failing statement fails its callers only. Architecture, section 3 "Coalescing"
 */
export const readTogether = <A>(options: {
  readonly read: (keys: ReadonlyArray<RowKey>) => Effect.Effect<ReadonlyArray<A>>
  readonly keyOf: (row: A) => RowKey
}) => {
  let waiting: Array<Waiting<A>> = []
  let busy = false

  const schedule = () => {
    if (busy || waiting.length === 0) return
    busy = true
    setImmediate(() => {
      const batch = waiting.slice(0, maxBatch)
      waiting = waiting.slice(maxBatch)
      Effect.runFork(
        Effect.matchCause(options.read(batch.map(({ key }) => key)), {
          onSuccess: (rows) => settle(batch, rows),
          onFailure: (cause) => fail(batch, cause)
        })
      )
    })
  }
  const done = () => {
    busy = false
    schedule()
  }
  const settle = (batch: ReadonlyArray<Waiting<A>>, rows: ReadonlyArray<A>) => {
    const found = new Map(rows.map((row) => [textOf(options.keyOf(row)), row]))
    for (const { key, resume } of batch) resume(Effect.succeed(found.get(textOf(key))))
    done()
  }
  const fail = (batch: ReadonlyArray<Waiting<A>>, cause: Cause.Cause<never>) => {
    for (const { resume } of batch) resume(Effect.failCause(cause))
    done()
  }

  return (key: RowKey): Effect.Effect<A | undefined> =>
    Effect.callback<A | undefined>((resume) => {
      const entry = { key, resume }
      waiting.push(entry)
      schedule()
      // A caller that left is not read for.
      return Effect.sync(() => {
        waiting = waiting.filter((other) => other !== entry)
      })
    })
}

const textOf = ({ environment_id, id }: RowKey): string => `${environment_id}/${id}`
