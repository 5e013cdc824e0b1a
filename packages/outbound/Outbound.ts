import { Context, Effect, Layer } from "effect"
import type { Client } from "undici"
import { Attempt, cancelled, failed, notAllowed, type OutboundResult } from "./Attempt.ts"
import { withCallSpan } from "./CallSpan.ts"
import { checkedPool, type DialContext, mayDialOf, type OutboundOptions, poolOf } from "./Dialler.ts"
import { NameResolver } from "./NameResolver.ts"
import { type OriginPool, Pools } from "./Pools.ts"
import { checkTarget, type TargetVerdict, vetAtRegistration } from "./Targets.ts"
import { TenantUrl } from "./Urls.ts"

export type { OutboundResult } from "./Attempt.ts"
export type { OutboundOptions } from "./Dialler.ts"
export type { TenantUrl } from "./Urls.ts"

/** One POST to a destination of a tenant. */
export interface OutboundRequest {
  readonly url: TenantUrl
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
  /** The longest time for a connection, TLS included, in milliseconds; 5000 by default. */
  readonly connectTimeoutMs?: number
  /**
   * The longest time for the whole attempt, DNS and the body's last byte included, in milliseconds; 15000 by default.
   */
  readonly totalTimeoutMs?: number
  /** The most bytes of the response that are read; the status counts even when it is longer. 65536 by default. */
  readonly maxResponseBytes?: number
}

const connectTimeoutMs = 5000
const totalTimeoutMs = 15_000
const maxResponseBytes = 65_536
const maxUrls = 4096

/**
 * Sends requests to tenants' destinations. An attempt never fails as an effect, resolves names each time, dials only
 * checked addresses, follows no redirect, and takes at most its own time. gaps-1 K "Success, timeouts, redirects"
 */
export class Outbound extends Context.Service<
  Outbound,
  {
    post(request: OutboundRequest): Effect.Effect<OutboundResult>
    /** Judges a URL alone, without DNS. A-WHE-18..21 */
    check(url: string): TargetVerdict
    /** Returns the URL of a tenant as one that may be dialled; undefined for one that must not be. */
    tenantUrl(url: string): TenantUrl | undefined
    /** Returns the origin of a URL, which tells URLs of one receiver; empty for one that is not allowed. */
    originOf(url: string): string
    /** Judges a URL with DNS, as registration must. A-WHE-20 */
    vet(url: string): Effect.Effect<TargetVerdict>
  }
>()("@carteiro/outbound/Outbound") {
  static readonly layer = (options: OutboundOptions): Layer.Layer<Outbound, never, NameResolver> =>
    Layer.effect(Outbound, make(options))
}

const make = Effect.fnUntraced(function* (options: OutboundOptions) {
  const resolver = yield* NameResolver
  const pools = yield* Effect.acquireRelease(
    Effect.sync(() => new Pools(connectTimeoutMs, totalTimeoutMs)),
    (held) => Effect.promise(() => held.close())
  )
  const context: DialContext = { mayDial: mayDialOf(options), resolver, pools }

  const urls = new Map<string, TenantUrl | undefined>()
  const tenantUrl = (text: string): TenantUrl | undefined => {
    if (urls.has(text)) return urls.get(text)
    if (urls.size >= maxUrls) urls.clear()
    const read = TenantUrl.read(text, options.allowlist)
    const url = typeof read === "string" ? undefined : read
    urls.set(text, url)
    return url
  }

  const send = (held: OriginPool, request: OutboundRequest, withinMs: number) =>
    Effect.callback<OutboundResult>((resume) => {
      held.inFlight++
      const { body, headers } = request
      const options = { path: request.url.target.path, method: "POST", headers, body } as const
      let single: Client | undefined
      const finish = (result: OutboundResult) => {
        held.inFlight--
        if (single !== undefined) void single.destroy()
        resume(Effect.succeed(result))
      }
      const attempt = new Attempt(withinMs, request.maxResponseBytes ?? maxResponseBytes, finish, (again) => {
        single = held.single()
        single.dispatch(options, again)
      })
      held.pool.dispatch(options, attempt)
      return Effect.sync(() => attempt.end(cancelled))
    })

  const dial = (request: OutboundRequest): Effect.Effect<OutboundResult> =>
    Effect.suspend(() => {
      const { target } = request.url
      const { connectTimeoutMs: connectMs, totalTimeoutMs: total = totalTimeoutMs } = request
      if (target.kind !== "name") return send(poolOf(context, target, connectMs), request, total)
      const started = performance.now()
      const lookupMs = Math.min(total, connectMs ?? connectTimeoutMs)
      return Effect.matchEffect(checkedPool(context, target, lookupMs, connectMs), {
        onFailure: (why) => Effect.succeed(why === "blocked" ? notAllowed : unresolved),
        onSuccess: (held) => send(held, request, total - (performance.now() - started))
      })
    })

  return Outbound.of({
    post: (request) => withCallSpan({ ...request, method: "POST" }, ({ status_code }) => status_code, dial),
    check: (url) => checkTarget(url, options.allowlist),
    tenantUrl,
    originOf: (url) => tenantUrl(url)?.target.origin ?? "",
    vet: (url) => Effect.provideService(vetAtRegistration(url, options.allowlist), NameResolver, resolver)
  })
})

const unresolved = failed("unreachable", "The host name did not resolve.")
