import { parseWords } from "@carteiro/provider/words/VendorWords.ts"
import { Effect, Redacted, type Scope } from "effect"
import { type Dispatcher, Pool } from "undici"

/** How the platform is reached. gaps-2 E "Who calls the upstream" */
export interface UpstreamOptions {
  readonly baseUrl: string
  /** Such as `v23.0`. */
  readonly version: string
  readonly messagingProduct: string
  /** Milliseconds for a connection, and for the whole call; 3 and 15 seconds unless given. */
  readonly connectTimeoutMs?: number
  readonly totalTimeoutMs?: number
}

/** One call. */
export interface UpstreamRequest {
  readonly method: "GET" | "POST" | "DELETE"
  /** Below the version; segments are encoded by whoever writes it. */
  readonly path: string
  readonly token: Redacted.Redacted | undefined
  /** Sent as JSON unless it is bytes or a stream, which come with their own type. */
  readonly json?: unknown
  readonly body?: { readonly type: string; readonly length: number; readonly bytes: AsyncIterable<Uint8Array> }
  readonly query?: Readonly<Record<string, string>>
  /** Our id of what is made, where the platform takes one. */
  readonly idempotencyKey?: string
}

/** How a call went: `began` is false only when it is certain that not one byte of it was written. */
export type UpstreamResult =
  | { readonly _tag: "Answered"; readonly status: number; readonly json: unknown }
  | { readonly _tag: "Broken"; readonly began: boolean }

/** Bytes of an answer that are read; more than any the contract knows. */
const mostBytes = 4 * 1024 * 1024
const connectMs = 3000
const totalMs = 15_000

/** Calls to the platform over kept connections; closing the scope closes them. */
export interface UpstreamCalls {
  readonly options: UpstreamOptions
  readonly call: (request: UpstreamRequest) => Effect.Effect<UpstreamResult>
  /** Where bytes are fetched that an answer names by a URL of its own. */
  readonly pool: (origin: string) => Pool
}

/** Opens the way to a platform. */
export const makeUpstreamCalls = (options: UpstreamOptions): Effect.Effect<UpstreamCalls, never, Scope.Scope> =>
  Effect.gen(function* () {
    const base = new URL(options.baseUrl)
    const prefix = `${base.pathname.replace(/\/+$/, "")}/${options.version}`
    const pools = new Map<string, Pool>()
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => Promise.all([...pools.values()].map((pool) => pool.destroy())))
    )
    const total = options.totalTimeoutMs ?? totalMs
    const pool = (origin: string): Pool => {
      let held = pools.get(origin)
      if (held === undefined) {
        held = new Pool(origin, {
          // Whoever calls counts its calls: one that waited here for a connection would count as slow.
          connections: null,
          pipelining: 1,
          connectTimeout: options.connectTimeoutMs ?? connectMs,
          headersTimeout: total,
          bodyTimeout: total
        })
        pools.set(origin, held)
      }
      return held
    }
    const call = (request: UpstreamRequest) =>
      Effect.callback<UpstreamResult>((resume) => {
        const query = new URLSearchParams(request.query).toString()
        const text = request.json === undefined ? undefined : JSON.stringify(request.json)
        const attempt = new Attempt(total, (result) => resume(Effect.succeed(result)))
        pool(base.origin).dispatch(
          {
            method: request.method,
            path: `${prefix}${request.path}${query === "" ? "" : `?${query}`}`,
            headers: headersOf(request, text),
            body: text ?? request.body?.bytes ?? null
          } as Dispatcher.DispatchOptions,
          attempt
        )
        return Effect.sync(() => attempt.abandon())
      })
    return { options, call, pool }
  })

const headersOf = (
  { body, idempotencyKey, token }: UpstreamRequest,
  text: string | undefined
): Record<string, string> => ({
  accept: "application/json",
  ...(token === undefined ? undefined : { authorization: `Bearer ${Redacted.value(token)}` }),
  ...(idempotencyKey === undefined ? undefined : { "idempotency-key": idempotencyKey }),
  ...(text === undefined ? undefined : { "content-type": "application/json" }),
  ...(body === undefined ? undefined : { "content-type": body.type, "content-length": String(body.length) })
})

/** Follows one call to its only result. */
class Attempt implements Dispatcher.DispatchHandler {
  private began = false
  private status = 0
  private size = 0
  private readonly chunks: Array<Buffer> = []
  private controller: Dispatcher.DispatchController | undefined
  private report: ((result: UpstreamResult) => void) | undefined
  private readonly timer: NodeJS.Timeout

  constructor(millis: number, report: (result: UpstreamResult) => void) {
    this.report = report
    this.timer = setTimeout(expire, millis, this)
  }

  /** Nobody waits any more, or it took too long: the connection is closed. */
  abandon(): void {
    this.finish({ _tag: "Broken", began: this.began })
    this.controller?.abort(new Error("over"))
  }

  /** The client writes from here on. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.report === undefined) controller.abort(new Error("over"))
    else this.began = true
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.status = status
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length
    if (this.size > mostBytes) this.abandon()
    else this.chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.finish({ _tag: "Answered", status: this.status, json: parsed(Buffer.concat(this.chunks)) })
  }

  onResponseError(): void {
    this.finish({ _tag: "Broken", began: this.began })
  }

  private finish(result: UpstreamResult): void {
    const { report } = this
    this.report = undefined
    clearTimeout(this.timer)
    report?.(result)
  }
}

const expire = (attempt: Attempt): void => attempt.abandon()

/** Undefined for what is no JSON. */
const parsed = (bytes: Buffer): unknown => {
  try {
    return parseWords(bytes.toString("utf8"))
  } catch {
    return undefined
  }
}
