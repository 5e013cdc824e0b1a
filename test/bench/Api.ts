import { Effect } from "effect"
import { Agent, request } from "undici"
import { BenchFailure } from "./BenchFailure.ts"

/** An answer of the server under test. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the harness reads members of answers it has not declared
  readonly body: any
}

/** One caller of the public API; fails on every answer that is not 2xx. A body that is a text already is sent as it is. */
export interface Caller {
  readonly get: (path: string) => Effect.Effect<Answer, BenchFailure>
  readonly delete: (path: string) => Effect.Effect<Answer, BenchFailure>
  readonly post: (path: string, body: unknown, idempotencyKey?: string) => Effect.Effect<Answer, BenchFailure>
}

/** Calls `url` with an API key over up to `connections` kept connections. */
export const caller = Effect.fnUntraced(function* (url: string, key: string, connections = 64) {
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ connections, pipelining: 1 })),
    (agent) => Effect.promise(() => agent.destroy())
  )
  const call = (method: "DELETE" | "GET" | "POST", path: string, body?: unknown, idempotencyKey?: string) =>
    Effect.flatMap(
      Effect.tryPromise({
        try: async (signal): Promise<Answer & { readonly text: string }> => {
          const headers: Record<string, string> = { authorization: `Bearer ${key}` }
          if (body !== undefined) headers["content-type"] = "application/json"
          if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey
          const sent = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body)
          const answer = await request(`${url}${path}`, { dispatcher: agent, method, headers, body: sent, signal })
          const text = await answer.body.text()
          return { status: answer.statusCode, body: text === "" ? {} : JSON.parse(text), text }
        },
        catch: (error) => new BenchFailure({ message: `${method} ${path}: ${String(error)}` })
      }),
      (answer) =>
        answer.status < 300
          ? Effect.succeed<Answer>(answer)
          : Effect.fail(
              new BenchFailure({ message: `${method} ${path}: ${answer.status} ${answer.text.slice(0, 400)}` })
            )
    )
  const made: Caller = {
    get: (path) => call("GET", path),
    delete: (path) => call("DELETE", path),
    post: (path, body, idempotencyKey) => call("POST", path, body, idempotencyKey)
  }
  return made
})
