import { type CallResult, Calls, type OperatorUrl } from "@carteiro/outbound/Calls.ts"
import { parseWords } from "@carteiro/provider/words/VendorWords.ts"
import { Effect, Redacted, type Scope } from "effect"

/** How the platform is reached. gaps-2 E "Who calls the upstream" */
export interface UpstreamOptions {
  readonly url: OperatorUrl
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
/** Bytes of a file that are read: more than any that a person may send. */
const mostFileBytes = 128 * 1024 * 1024
const connectMs = 3000
const totalMs = 15_000

/** Calls to the platform. */
export interface UpstreamCalls {
  readonly options: UpstreamOptions
  readonly call: (request: UpstreamRequest) => Effect.Effect<UpstreamResult>
  /**
   * Fetches bytes from a URL that an answer names: on the platform's own host, or at any other that may be dialled for a
   * tenant, since what an answer says is no setting of the operator's. Undefined when nothing answers, or none may be asked.
   */
  readonly open: (
    named: string,
    token: Redacted.Redacted
  ) => Effect.Effect<Effect.Success<ReturnType<Calls["Service"]["open"]>>, never, Scope.Scope>
}

/** Opens the way to a platform. */
export const makeUpstreamCalls = (options: UpstreamOptions): Effect.Effect<UpstreamCalls, never, Calls> =>
  Effect.map(Calls, (calls) => {
    const { connectTimeoutMs = connectMs, totalTimeoutMs = totalMs, url, version } = options
    const limits = { connectTimeoutMs, totalTimeoutMs, maxBytes: mostBytes }
    return {
      options,
      call: (request) => {
        const query = new URLSearchParams(request.query).toString()
        const text = request.json === undefined ? undefined : JSON.stringify(request.json)
        const { body, method, path } = request
        return Effect.map(
          calls.call({
            method,
            url: url.below(`/${version}${path}${query === "" ? "" : `?${query}`}`),
            headers: headersOf(request, text),
            body: text ?? body?.bytes ?? null,
            limits
          }),
          resultOf
        )
      },
      open: (named, token) => {
        const at = url.named(named) ?? calls.tenantUrl(named)
        if (at === undefined) return Effect.succeed(undefined)
        const headers = { authorization: `Bearer ${Redacted.value(token)}` }
        return calls.open({ method: "GET", url: at, headers, limits: { ...limits, maxBytes: mostFileBytes } })
      }
    }
  })

const resultOf = (result: CallResult): UpstreamResult => {
  if (result._tag === "Broken") return result
  if (result.isCut) return { _tag: "Broken", began: true }
  return { _tag: "Answered", status: result.status, json: parsed(Buffer.from(result.bytes)) }
}

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

/** Undefined for what is no JSON. */
const parsed = (bytes: Buffer): unknown => {
  try {
    return parseWords(bytes.toString("utf8"))
  } catch {
    return undefined
  }
}
