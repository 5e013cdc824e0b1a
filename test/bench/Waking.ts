import { Effect } from "effect"
import { Agent, request } from "undici"
import { BenchFailure } from "./BenchFailure.ts"
import * as Population from "./Population.ts"
import type { Product } from "./Product.ts"

/** A request that wakes one owner. */
export interface Waking {
  readonly method: "GET" | "POST" | "PATCH"
  readonly path: string
  readonly key: string
  readonly body?: string
  /** The answer of an owner that was woken. */
  readonly status: number
}

/** As many environments more, each woken by a request that is admitted and then refused for the shape of its id. */
export const environmentWakings = (product: Product, count: number) =>
  Effect.map(Population.environments(product, count), (keys) =>
    keys.map((key): Waking => ({ method: "GET", path: "/v1/messages/none", key, status: 404 }))
  )

/** Wakes them over 64 connections. */
export const wake = Effect.fnUntraced(function* (url: string, wakings: ReadonlyArray<Waking>) {
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ connections: 64, pipelining: 1 })),
    (agent) => Effect.promise(() => agent.destroy())
  )
  yield* Effect.forEach(wakings, (waking) => ask(agent, url, waking), { concurrency: 64, discard: true })
}, Effect.scoped)

const ask = (dispatcher: Agent, url: string, waking: Waking): Effect.Effect<void, BenchFailure> => {
  const { body, key, method, path, status } = waking
  return Effect.flatMap(
    Effect.tryPromise({
      try: async () => {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
        const answer = await request(`${url}${path}`, { dispatcher, method, headers, body: body ?? null })
        return { status: answer.statusCode, text: await answer.body.text() }
      },
      catch: (error) => new BenchFailure({ message: `${method} ${path}: ${String(error)}` })
    }),
    (answer) => {
      if (answer.status === status) return Effect.void
      // A shard with so much memory may pause; its callers ask again, as the answer says.
      if (answer.status === 503) return Effect.andThen(Effect.sleep("1 second"), ask(dispatcher, url, waking))
      return new BenchFailure({ message: `${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}` })
    }
  )
}
