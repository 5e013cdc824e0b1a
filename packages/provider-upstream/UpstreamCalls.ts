import { createHmac, createSecretKey } from "node:crypto"
import { type CallRequest, type CallResult, Calls, type OperatorUrl } from "@carteiro/outbound/Calls.ts"
import { parseWords } from "@carteiro/provider/VendorWords.ts"
import { Effect, Redacted, type Scope } from "effect"
import { memberOf } from "./UpstreamJson.ts"

/** The address and settings of the platform. gaps-2 E "Who calls the upstream" */
export interface UpstreamOptions {
  readonly url: OperatorUrl
  /** Such as `v23.0`. */
  readonly version: string
  readonly messagingProduct: string
  /**
   * The longest time for a connection, and for the whole call, in milliseconds; 3 and 15 seconds by default. A file has
   * more time by its length, while its bytes move.
   */
  readonly connectTimeoutMs?: number
  readonly totalTimeoutMs?: number
}

/** A body of its own type: bytes, or a source that is opened once for each attempt. */
type UpstreamBody = {
  readonly type: string
  readonly length: number
} & ({ readonly bytes: Uint8Array } | { readonly open: Effect.Effect<AsyncIterable<Uint8Array>, never, Scope.Scope> })

/** One call. */
export interface UpstreamRequest {
  readonly method: "GET" | "POST" | "DELETE"
  /** The path below the version; the caller encodes its segments. */
  readonly path: string
  readonly token: Redacted.Redacted | undefined
  /** Sent as JSON unless it is a body of its own type. */
  readonly json?: unknown
  readonly body?: UpstreamBody
  readonly query?: Readonly<Record<string, string>>
  /** The word before the token; `Bearer` by default. */
  readonly scheme?: "OAuth"
  readonly headers?: Readonly<Record<string, string>>
  /** The product's id of the thing to make, where the platform takes one. */
  readonly idempotencyKey?: string
  /** The app secret that proves the token of this call; the present one by default. */
  readonly secret?: Redacted.Redacted
}

/** The result of a call: `began` is false only when it is certain that no byte of it was written. */
export type UpstreamResult =
  | { readonly _tag: "Answered"; readonly status: number; readonly json: unknown }
  | { readonly _tag: "Broken"; readonly began: boolean }

/** The most bytes of a response that are read; more than any of the contract. */
const mostBytes = 4 * 1024 * 1024
/** The most bytes of a file that are read: more than a person may send. */
const mostFileBytes = 128 * 1024 * 1024
/** The longest silence while a file moves, in milliseconds. U-SND-08 */
const idleMs = 20_000
/** The slowest pace of a file, in bytes a millisecond: its bytes have this much more time. U-SND-08 */
const slowestPace = 64
const connectMs = 3000
const totalMs = 15_000

/** Calls to the platform. */
export interface UpstreamCalls {
  readonly options: UpstreamOptions
  readonly call: (request: UpstreamRequest) => Effect.Effect<UpstreamResult>
  /**
   * Fetches bytes from a URL in a response: on the platform's own host, or on another host that may be dialled for a
   * tenant, since a response is not an operator's setting. Undefined when the host does not answer or must not be
   * dialled.
   */
  readonly open: (
    named: string,
    token: Redacted.Redacted,
    byteLength: number
  ) => Effect.Effect<Effect.Success<ReturnType<Calls["Service"]["open"]>>, never, Scope.Scope>
}

/**
 * Makes the calls to a platform. With app secrets each call proves its token; while the app's secret is rotated, a call
 * whose proof the platform refuses is made with the next secret, and later calls begin with that one. U-CON-05
 */
export const makeUpstreamCalls = (
  options: UpstreamOptions,
  secrets: ReadonlyArray<Redacted.Redacted> = []
): Effect.Effect<UpstreamCalls, never, Calls> =>
  Effect.map(Calls, (calls) => {
    const { connectTimeoutMs = connectMs, totalTimeoutMs = totalMs, url, version } = options
    const limits = { connectTimeoutMs, totalTimeoutMs, maxBytes: mostBytes }
    const withFile = (length: number) => totalTimeoutMs + idleMs + Math.ceil(length / slowestPace)
    /** The index of the secret that the platform took last. */
    let present = 0

    const once = (request: UpstreamRequest, secret: Redacted.Redacted | undefined) => {
      const query = new URLSearchParams({ ...request.query, ...proofOf(request.token, secret) }).toString()
      const text = request.json === undefined ? undefined : JSON.stringify(request.json)
      const { body, method, path } = request
      // The ids of uploads have a query of their own.
      const separator = path.includes("?") ? "&" : "?"
      const callWith = (sent: CallRequest["body"]) =>
        Effect.map(
          calls.call({
            method,
            url: url.below(`/${version}${path}${query === "" ? "" : `${separator}${query}`}`),
            headers: headersOf(request, text),
            body: sent ?? null,
            limits:
              body === undefined ? limits : { ...limits, totalTimeoutMs: withFile(body.length), idleTimeoutMs: idleMs }
          }),
          resultOf
        )
      if (body === undefined || "bytes" in body) return callWith(text ?? body?.bytes)
      return Effect.scoped(Effect.flatMap(body.open, callWith))
    }

    return {
      options,
      call: (request) =>
        Effect.suspend(() => {
          const tried = present
          const first = once(request, request.secret ?? secrets[tried])
          if (secrets.length < 2 || request.secret !== undefined) return first
          return Effect.flatMap(first, (result) => {
            if (!isProofRefused(result)) return Effect.succeed(result)
            const next = (tried + 1) % secrets.length
            return Effect.tap(once(request, secrets[next]), (second) =>
              Effect.sync(() => {
                if (!isProofRefused(second)) present = next
              })
            )
          })
        }),
      open: (named, token, byteLength) => {
        const at = url.named(named) ?? calls.tenantUrl(named)
        if (at === undefined) return Effect.succeed(undefined)
        const headers = { authorization: `Bearer ${Redacted.value(token)}`, "user-agent": userAgent }
        return calls.open({
          method: "GET",
          url: at,
          headers,
          limits: { ...limits, maxBytes: mostFileBytes, idleTimeoutMs: idleMs, transferTimeoutMs: withFile(byteLength) }
        })
      }
    }
  })

/** The name that every call carries; the platform's file host answers calls without one with an error page. U-CON-06 */
const userAgent = "carteiro"

/** Returns the proof that the caller of a token knows the app's secret: hex HMAC-SHA256 of the token. U-CON-05 */
const proofOf = (token: Redacted.Redacted | undefined, secret: Redacted.Redacted | undefined) =>
  token === undefined || secret === undefined
    ? undefined
    : { appsecret_proof: createHmac("sha256", keyOf(secret)).update(Redacted.value(token)).digest("hex") }

// A text as key makes Node.js throw and catch two errors, which costs more than the proof.
const keyOf = (secret: Redacted.Redacted) => createSecretKey(Redacted.value(secret), "utf8")

/** True for the platform's refusal of a proof, which it gives before it looks at the call. */
const isProofRefused = (result: UpstreamResult): boolean => {
  if (result._tag !== "Answered" || result.status < 400 || result.status >= 500) return false
  const error = memberOf(result.json, "error")
  const reasons = [memberOf(error, "message"), memberOf(memberOf(error, "error_data"), "details")]
  return reasons.some((reason) => String(reason).includes("appsecret_proof"))
}

const resultOf = (result: CallResult): UpstreamResult => {
  if (result._tag === "Broken") return result
  if (result.isCut) return { _tag: "Broken", began: true }
  return { _tag: "Answered", status: result.status, json: parsed(Buffer.from(result.bytes)) }
}

const headersOf = (
  { body, headers, idempotencyKey, scheme, token }: UpstreamRequest,
  text: string | undefined
): Record<string, string> => ({
  accept: "application/json",
  ...headers,
  "user-agent": userAgent,
  ...(token === undefined ? undefined : { authorization: `${scheme ?? "Bearer"} ${Redacted.value(token)}` }),
  ...(idempotencyKey === undefined ? undefined : { "idempotency-key": idempotencyKey }),
  ...(text === undefined ? undefined : { "content-type": "application/json" }),
  ...(body === undefined ? undefined : { "content-type": body.type, "content-length": String(body.length) })
})

/** Returns the parsed JSON; undefined for other bodies. */
const parsed = (bytes: Buffer): unknown => {
  try {
    return parseWords(bytes.toString("utf8"))
  } catch {
    return undefined
  }
}
