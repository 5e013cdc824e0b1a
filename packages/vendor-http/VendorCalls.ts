import type { IncomingHttpHeaders } from "node:http"
import { Effect, type Scope } from "effect"
import { type Dispatcher, Pool } from "undici"

/** How a vendor is reached. vendor-wires "Wires of the vendors that the documents leave open" */
export interface VendorOptions {
  readonly baseUrl: string
  /** Milliseconds for a connection, and for the whole call; 3 and 15 seconds unless given. */
  readonly connectTimeoutMs?: number
  readonly totalTimeoutMs?: number
}

/** One call. */
export interface VendorRequest {
  readonly method: "GET" | "POST" | "DELETE"
  /** Below the base URL, or a whole URL on the vendor's own host. */
  readonly at: string | URL
  /** Undefined where the URL itself is the credential. */
  readonly key: string | undefined
  readonly body?: { readonly type: string; readonly bytes: Uint8Array | string }
  /** Our id of what is made. */
  readonly idempotencyKey?: string
}

/** How a call went. A broken one may have arrived: only our id says at the vendor whether it did. */
export type VendorResult =
  | {
      readonly _tag: "Answered"
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly bytes: Uint8Array
    }
  | { readonly _tag: "Broken" }

/** Calls to one vendor over kept connections; closing the scope closes them. */
export interface VendorCalls {
  readonly call: (request: VendorRequest) => Effect.Effect<VendorResult>
  /** A URL that the vendor named; undefined where it is none on its own host. */
  readonly own: (url: unknown) => URL | undefined
}

const connectMs = 3000
const totalMs = 15_000
/** Bytes of an answer that are read: more than any audio that may be sent, so that one cut here is seen to be too long. */
const mostBytes = 32 * 1024 * 1024

/** Opens the way to a vendor. */
export const makeVendorCalls = (options: VendorOptions): Effect.Effect<VendorCalls, never, Scope.Scope> =>
  Effect.gen(function* () {
    const base = new URL(options.baseUrl)
    const prefix = base.pathname.replace(/\/+$/, "")
    const total = options.totalTimeoutMs ?? totalMs
    const pool = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Pool(base.origin, {
            connections: null,
            pipelining: 1,
            connectTimeout: options.connectTimeoutMs ?? connectMs,
            headersTimeout: total,
            bodyTimeout: total
          })
      ),
      (held) => Effect.promise(() => held.destroy())
    )
    const call = (request: VendorRequest): Effect.Effect<VendorResult> =>
      Effect.tryPromise((signal) =>
        answerOf(pool, prefix, request, AbortSignal.any([signal, AbortSignal.timeout(total)]))
      ).pipe(Effect.catch(() => Effect.succeed<VendorResult>({ _tag: "Broken" })))
    const own = (named: unknown): URL | undefined => {
      if (typeof named !== "string" || !URL.canParse(named, base.href)) return undefined
      const url = new URL(named, base)
      return url.origin === base.origin ? url : undefined
    }
    return { call, own }
  })

const answerOf = async (
  pool: Pool,
  prefix: string,
  { at, body, idempotencyKey, key, method }: VendorRequest,
  signal: AbortSignal
): Promise<VendorResult> => {
  const answer = await pool.request({
    method,
    path: at instanceof URL ? `${at.pathname}${at.search}` : `${prefix}${at}`,
    headers: {
      accept: "application/json, audio/ogg",
      ...(key === undefined ? undefined : { authorization: `Bearer ${key}` }),
      ...(idempotencyKey === undefined ? undefined : { "idempotency-key": idempotencyKey }),
      ...(body === undefined ? undefined : { "content-type": body.type })
    },
    body: body?.bytes ?? null,
    signal
  })
  return { _tag: "Answered", status: answer.statusCode, headers: answer.headers, bytes: await bytesOf(answer.body) }
}

const bytesOf = async (body: Dispatcher.ResponseData["body"]): Promise<Uint8Array> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > mostBytes) break
  }
  return Buffer.concat(chunks)
}
