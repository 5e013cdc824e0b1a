import type { IncomingHttpHeaders } from "node:http"
import { Context, Effect, Layer, type Scope, Stream } from "effect"
import type { Dispatcher } from "undici"
import { CallAttempt, type CallResult } from "./CallAttempt.ts"
import { withCallSpan } from "./CallSpan.ts"
import type { ClientCertificate } from "./ClientCertificates.ts"
import { checkedPool, type DialContext, mayDialOf, type OutboundOptions } from "./Dialler.ts"
import { NameResolver } from "./NameResolver.ts"
import { type OriginPool, Pools } from "./Pools.ts"
import { OperatorUrl, TenantUrl } from "./Urls.ts"

export type { CallResult } from "./CallAttempt.ts"
export type { WatchedCall } from "./Dialler.ts"
export type { OperatorUrl, TenantUrl } from "./Urls.ts"

/** Returns the base URL of a setting. Only composition makes one: the import rules refuse it elsewhere. */
export const operatorUrl = OperatorUrl.of

/** One call to a vendor. */
export interface CallRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: OperatorUrl | TenantUrl
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array> | null
  readonly limits: CallLimits
  /** Proves the caller to a host that demands a certificate; a tenant's URL stays vetted and pinned. */
  readonly certificate?: ClientCertificate | undefined
}

/** Limits of a call. */
export interface CallLimits {
  /** The longest time for a connection, TLS included, in milliseconds. */
  readonly connectTimeoutMs: number
  /** The longest time for the whole call, name look-up and last byte included, in milliseconds. */
  readonly totalTimeoutMs: number
  /** The longest time without a byte in either direction, in milliseconds; unlimited by default. */
  readonly idleTimeoutMs?: number
  /** The longest time for the bytes of an opened response, in milliseconds; unlimited by default. */
  readonly transferTimeoutMs?: number
  /** The most bytes of a response that are read. */
  readonly maxBytes: number
}

/** A response whose body is read piece by piece. */
interface OpenedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Stream.Stream<Uint8Array, unknown>
}

/** The longest silence of a connection, in milliseconds. */
const idleMs = 15_000
const connectMs = 3000

/**
 * Calls vendors over kept connections. An operator's URL is dialled unchanged; a tenant's is vetted and pinned at each
 * call. No redirect is followed. A call that is not dialled is broken before it began and gives no reason, so that it
 * reveals nothing about an address.
 */
export class Calls extends Context.Service<
  Calls,
  {
    call(request: CallRequest): Effect.Effect<CallResult>
    /**
     * Calls for a response that is read while it arrives; undefined when none begins within the total time. Its bytes
     * may take longer, as long as they keep arriving. Closing the scope ends the call.
     */
    open(request: Omit<CallRequest, "body">): Effect.Effect<OpenedAnswer | undefined, never, Scope.Scope>
    /** Returns the URL of a tenant; undefined for one that must not be dialled. */
    tenantUrl(text: string): TenantUrl | undefined
  }
>()("@carteiro/outbound/Calls") {
  static readonly layer = (options: OutboundOptions): Layer.Layer<Calls, never, NameResolver> =>
    Layer.effect(Calls, make(options))
}

const make = Effect.fnUntraced(function* (options: OutboundOptions) {
  const resolver = yield* NameResolver
  const pools = yield* Effect.acquireRelease(
    Effect.sync(() => new Pools(connectMs, idleMs, undefined, options.authorities)),
    (held) => Effect.promise(() => held.close())
  )
  const context: DialContext = { mayDial: mayDialOf(options), resolver, pools }

  const send = (held: OriginPool, request: CallRequest, withinMs: number) =>
    Effect.callback<CallResult>((resume) => {
      held.inFlight++
      const { body = null, headers, limits, method, url } = request
      const attempt = new CallAttempt({ ...limits, totalTimeoutMs: withinMs }, (result) => {
        held.inFlight--
        resume(Effect.succeed(result))
      })
      // The client takes any iterable; its types only name Node's streams.
      const options = { path: pathOf(url), method, headers, body: attempt.watched(body), ...silenceOf(limits) }
      held.pool.dispatch(options as Dispatcher.DispatchOptions, attempt)
      return Effect.sync(() => attempt.abandon())
    })

  const dialled = ({ certificate, limits, url }: Pick<CallRequest, "certificate" | "limits" | "url">) => {
    const { connectTimeoutMs, totalTimeoutMs } = limits
    return checkedPool(context, url.target, Math.min(connectTimeoutMs, totalTimeoutMs), connectTimeoutMs, certificate)
  }

  const dial = (request: CallRequest): Effect.Effect<CallResult> =>
    Effect.suspend(() => {
      const started = performance.now()
      return Effect.matchEffect(dialled(request), {
        onFailure: () => Effect.succeed(notDialled),
        onSuccess: (held) => send(held, request, request.limits.totalTimeoutMs - (performance.now() - started))
      })
    })

  const watched = (request: CallRequest): Effect.Effect<CallResult> => {
    const { watch } = options
    const { url } = request
    if (watch === undefined || !(url instanceof OperatorUrl)) return dial(request)
    return Effect.suspend(() => {
      const started = performance.now()
      return Effect.tap(dial(request), (result) =>
        Effect.sync(() =>
          watch({ origin: url.target.origin, status: statusOf(result), milliseconds: performance.now() - started })
        )
      )
    })
  }

  return Calls.of({
    call: (request) => withCallSpan(request, statusOf, watched),
    open: (request) =>
      Effect.flatMap(Effect.option(dialled(request)), (held) =>
        held._tag === "None" ? Effect.succeed(undefined) : opened(held.value, request)
      ),
    tenantUrl: (text) => {
      const url = TenantUrl.read(text, options.allowlist)
      return typeof url === "string" ? undefined : url
    }
  })
})

const statusOf = (result: CallResult): number | null => (result._tag === "Answered" ? result.status : null)

/** Returns how long the client waits for the response of a call that has a bound of its own for silence. */
const silenceOf = ({ idleTimeoutMs }: CallLimits) =>
  idleTimeoutMs === undefined ? undefined : { headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs }

const notDialled: CallResult = { _tag: "Broken", began: false }

const pathOf = ({ target }: OperatorUrl | TenantUrl): string => target.path || "/"

const opened = Effect.fnUntraced(function* (
  held: OriginPool,
  { headers, limits, method, url }: Omit<CallRequest, "body">
): Effect.fn.Return<OpenedAnswer | undefined, never, Scope.Scope> {
  const { controller, deadline, within } = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const controller = new AbortController()
      const within = (milliseconds: number) => setTimeout(() => controller.abort(), milliseconds)
      const deadline = { timer: within(limits.totalTimeoutMs) }
      held.inFlight++
      return { controller, deadline, within }
    }),
    ({ controller, deadline }) =>
      Effect.sync(() => {
        held.inFlight--
        clearTimeout(deadline.timer)
        controller.abort()
      })
  )
  const answer = yield* Effect.option(
    Effect.tryPromise(() =>
      held.pool.request({
        path: pathOf(url),
        method,
        headers,
        signal: controller.signal,
        ...silenceOf(limits)
      })
    )
  )
  if (answer._tag === "None") return undefined
  clearTimeout(deadline.timer)
  if (limits.transferTimeoutMs !== undefined) deadline.timer = within(limits.transferTimeoutMs)
  const { body, headers: answered, statusCode } = answer.value
  body.on("error", () => {})
  yield* Effect.addFinalizer(() => Effect.sync(() => void body.destroy()))
  let size = 0
  const bytes = Stream.mapEffect(
    Stream.fromAsyncIterable<Uint8Array, unknown>(body, (error) => error),
    (chunk) => {
      size += chunk.length
      return size > limits.maxBytes ? Effect.fail(new Error("more bytes than may come")) : Effect.succeed(chunk)
    }
  )
  return { status: statusCode, headers: answered, bytes }
})
