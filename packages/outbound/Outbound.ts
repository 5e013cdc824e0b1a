import { Context, Effect, Layer } from "effect"
import type { Client } from "undici"
import { isPublicAddress } from "./Addresses.ts"
import { Attempt, cancelled, failed, type OutboundResult } from "./Attempt.ts"
import { NameResolver } from "./NameResolver.ts"
import { dialable, Pools } from "./Pools.ts"
import {
  type Allowlist,
  checkTarget,
  readTarget,
  type Target,
  type TargetVerdict,
  vetAtRegistration
} from "./Targets.ts"

export type { OutboundResult } from "./Attempt.ts"

/** One POST to a destination a tenant chose. */
export interface OutboundRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
  /** Milliseconds until a connection, TLS included, must stand; 5000 unless given. */
  readonly connectTimeoutMs?: number
  /** Milliseconds for the whole attempt, DNS and the body's last byte included; 15000 unless given. */
  readonly totalTimeoutMs?: number
  /** Bytes of the answer that are read; the status stands when it is longer. 65536 unless given. */
  readonly maxResponseBytes?: number
}

/** What an installation decides about destinations. */
export interface OutboundOptions {
  readonly allowlist: Allowlist
  /** Which addresses a name may have; tests alone give another rule than public ones. */
  readonly mayDial?: (address: string) => boolean
}

const connectTimeoutMs = 5000
const totalTimeoutMs = 15_000
const maxResponseBytes = 65_536
const maxPlans = 4096

/**
 * Sends to destinations tenants chose: an attempt never fails as an effect, resolves names anew, dials checked
 * addresses only, follows no redirect, and costs its own time at most. gaps-1 K "Success, timeouts, redirects"
 */
export class Outbound extends Context.Service<
  Outbound,
  {
    post(request: OutboundRequest): Effect.Effect<OutboundResult>
    /** Judges a URL by itself, without DNS. A-WHE-18..21 */
    check(url: string): TargetVerdict
    /** Where requests to a URL go, so that those who share a receiver can be told; empty for one that is not allowed. */
    originOf(url: string): string
    /** Judges a URL as registration must, DNS included. A-WHE-20 */
    vet(url: string): Effect.Effect<TargetVerdict>
  }
>()("@carteiro/outbound/Outbound") {
  static readonly layer = (options: OutboundOptions): Layer.Layer<Outbound, never, NameResolver> =>
    Layer.effect(Outbound, make(options))
}

const make = Effect.fnUntraced(function* (options: OutboundOptions) {
  const resolver = yield* NameResolver
  const mayDial = options.mayDial ?? isPublicAddress
  const pools = yield* Effect.acquireRelease(
    Effect.sync(() => new Pools(connectTimeoutMs, totalTimeoutMs)),
    (held) => Effect.promise(() => held.close())
  )

  const plans = new Map<string, Target | undefined>()
  const planOf = (url: string): Target | undefined => {
    if (plans.has(url)) return plans.get(url)
    if (plans.size >= maxPlans) plans.clear()
    const target = readTarget(url, options.allowlist)
    const plan = typeof target === "string" ? undefined : target
    plans.set(url, plan)
    return plan
  }

  const send = (target: Target, request: OutboundRequest, withinMs: number, addresses: ReadonlyArray<string>) =>
    Effect.callback<OutboundResult>((resume) => {
      const held = pools.of(target.origin, target.kind === "name", request.connectTimeoutMs)
      if (target.kind === "name") held.addresses = dialable(addresses)
      held.inFlight++
      const { body, headers } = request
      const options = { path: target.path, method: "POST", headers, body } as const
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

  const post = (request: OutboundRequest): Effect.Effect<OutboundResult> =>
    Effect.suspend(() => {
      const target = planOf(request.url)
      if (target === undefined) return Effect.succeed(blocked)
      const total = request.totalTimeoutMs ?? totalTimeoutMs
      if (target.kind !== "name") return send(target, request, total, [])
      const started = performance.now()
      const lookupMs = Math.min(total, request.connectTimeoutMs ?? connectTimeoutMs)
      return Effect.flatMap(resolver.resolve(target.hostname, lookupMs), (addresses) => {
        if (addresses.length === 0) return Effect.succeed(unresolved)
        if (!addresses.every(mayDial)) return Effect.succeed(blocked)
        return send(target, request, total - (performance.now() - started), addresses)
      })
    })

  return Outbound.of({
    post,
    check: (url) => checkTarget(url, options.allowlist),
    originOf: (url) => planOf(url)?.origin ?? "",
    vet: (url) => Effect.provideService(vetAtRegistration(url, options.allowlist), NameResolver, resolver)
  })
})

const blocked = failed("unreachable", "The destination is not allowed.")
const unresolved = failed("unreachable", "The host name did not resolve.")
