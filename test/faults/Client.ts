import { Effect } from "effect"
import { Agent, request } from "undici"
import type { Ended, Log, Operation } from "./Log.ts"

/** What is sent for an operation. */
export interface Asked {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly body?: unknown
  /** Sent as `Idempotency-Key`. */
  readonly key?: string | null
}

/** Where a request goes: the node's name and address. */
export interface Target {
  readonly node: string
  readonly url: string
}

/** A caller of the public API that writes down everything it asks and hears. */
export interface Client {
  call(client: string, operation: Operation, asked: Asked): Effect.Effect<Ended>
}

// Longer than the longest freeze, so that most frozen requests end with their answer and only some are given up.
const patienceMillis = 12_000

/** A client over kept-alive connections; `target` is asked anew for every request. */
export const makeClient = Effect.fnUntraced(function* (log: Log, target: () => Target, apiKey: string) {
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ connections: 32, headersTimeout: patienceMillis, bodyTimeout: patienceMillis })),
    (agent) => Effect.promise(() => agent.destroy())
  )
  const exchange = async ({ node, url }: Target, asked: Asked): Promise<Omit<Ended, "call" | "at">> => {
    try {
      const answer = await request(`${url}${asked.path}`, {
        dispatcher: agent,
        method: asked.method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(asked.body === undefined ? {} : { "content-type": "application/json" }),
          ...(asked.key === undefined || asked.key === null ? {} : { "idempotency-key": asked.key })
        },
        body: asked.body === undefined ? null : JSON.stringify(asked.body)
      })
      const text = await answer.body.text()
      const replayed = answer.headers["svc-idempotent-replayed"] === "true"
      return { phase: phaseOf(answer.statusCode), status: answer.statusCode, text, replayed, node }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const phase = code !== undefined && neverSent.has(code) ? "fail" : "unknown"
      return { phase, status: null, text: code ?? message, replayed: false, node }
    }
  }
  return {
    call: Effect.fnUntraced(function* (client, operation, asked) {
      const call = log.invoke(client, operation)
      const end = yield* Effect.promise(() => exchange(target(), asked))
      // Long lists are kept as evidence once, not in the log as well.
      const kept = log.end(call, operation.kind === "harness" && end.phase === "ok" ? { ...end, text: "" } : end)
      return { ...kept, text: end.text }
    })
  } satisfies Client
})

const neverSent = new Set(["ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"])

const phaseOf = (status: number): Ended["phase"] =>
  status >= 200 && status < 300 ? "ok" : status >= 500 ? "unknown" : "fail"

/** Asks again under the same keys until each intent has its final answer, or so many times. */
export const askUntilFinal = <Key, Intent>(
  unanswered: ReadonlyMap<Key, Intent> & { readonly delete: (key: Key) => unknown },
  tries: number,
  ask: (intent: Intent) => Effect.Effect<Ended>
) =>
  Effect.gen(function* () {
    for (let attempt = 0; attempt < tries && unanswered.size > 0; attempt++) {
      yield* Effect.forEach(
        [...unanswered],
        ([key, intent]) => Effect.map(ask(intent), (end) => isFinal(end) && unanswered.delete(key)),
        { concurrency: 8 }
      )
      if (unanswered.size > 0) yield* Effect.sleep("250 millis")
    }
  })

/** True when the answer ends a keyed intent; a lost, refused or crowded-out call may be made again. */
export const isFinal = (end: Ended): boolean =>
  end.phase === "ok" ||
  (end.phase === "fail" &&
    end.status !== null &&
    end.status !== 429 &&
    !end.text.includes('"idempotency_key_in_progress"'))
