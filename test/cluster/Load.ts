import { randomBytes } from "node:crypto"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import type { clientOf } from "./CounterNode.ts"

type Client = Effect.Success<ReturnType<typeof clientOf>>
/** Calls counters, or relays that call counters. */
interface Caller {
  readonly Add: (id: string, item: { readonly id: string }) => Effect.Effect<string, ApiError>
}

/** Ids enough for every node to own some. */
export const counters = Array.from({ length: 24 }, (_, i) => `counter-${i}`)

/** One addition with an id of its own; answers the node that made it. */
export const addTo = (client: Caller, counter: string) =>
  Effect.suspend(() => client.Add(counter, { id: `${counter}/${randomBytes(9).toString("hex")}` }))

/** The nodes that answer for the counters, by counter. On a busy machine a call may have to be made again. */
export const owners = (client: Client) =>
  Effect.map(
    Effect.forEach(
      counters,
      (counter) => Effect.map(Effect.retry(addTo(client, counter), isUnavailable), (node) => [counter, node] as const),
      { concurrency: "unbounded" }
    ),
    (entries) => new Map(entries)
  )

const isUnavailable = { while: ({ status }: ApiError) => status === 503 }

/** Calls until the counters are spread over exactly these nodes. */
export const spreadOver = (client: Client, nodes: ReadonlyArray<string>) =>
  Effect.map(owners(client), (found) => [...new Set(found.values())].sort().join() === [...nodes].sort().join()).pipe(
    Effect.repeat({ until: (settled) => settled })
  )

/** Adds to every counter, over and over, until `stop`; answers what went through and what failed. */
export const underLoad = Effect.fnUntraced(function* (client: Caller) {
  let answered = 0
  const failures: Array<unknown> = []
  const worker = (counter: string) =>
    Effect.forever(
      Effect.matchCause(addTo(client, counter), {
        onFailure: (cause) => void failures.push(cause),
        onSuccess: () => void answered++
      })
    )
  const fibers = yield* Effect.forEach(counters, (counter) => Effect.forkChild(worker(counter)))
  return {
    /** Waits for so many more answers. */
    answers: (more: number) =>
      Effect.suspend(() => {
        const goal = answered + more
        return Effect.repeat(Effect.yieldNow, { until: () => answered >= goal || failures.length > 0 })
      }),
    stop: Effect.map(Fiber.interruptAll(fibers), () => ({ answered, failures }))
  }
})

/** Ends a load: no call failed, everything answered is recorded, and nothing took effect twice. */
export const nothingLost = Effect.fnUntraced(function* (load: Effect.Success<ReturnType<typeof underLoad>>) {
  const { answered, failures } = yield* load.stop
  assert.deepStrictEqual(failures, [])
  const { additions, total } = yield* recorded
  assert.strictEqual(additions, total)
  assert.isAtLeast(additions, answered)
})

/** Additions recorded and the sum of the counters: equal when nothing took effect twice. */
export const recorded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ additions: number; total: number }>`select
    (select count(*)::int4 from additions) as additions, (select coalesce(sum(value), 0)::int4 from counters) as total`
  return row as { readonly additions: number; readonly total: number }
}).pipe(Effect.orDie)
