import { Calls } from "@carteiro/outbound/Calls.ts"
import { NameResolver } from "@carteiro/outbound/NameResolver.ts"
import { Outbound } from "@carteiro/outbound/Outbound.ts"
import type { Allowlist } from "@carteiro/outbound/Targets.ts"
import { Effect, Layer, type Scope } from "effect"
import { TenantUrl } from "../../packages/outbound/Urls.ts"

/** A resolver without a name server: every name resolves to no address, which registration accepts. gaps-1 J */
export const noNames = Layer.succeed(NameResolver, { resolve: () => Effect.succeed([]) })

/** Deliveries of products without receivers. */
export const nobodyCalled = Outbound.layer({ allowlist: new Set() }).pipe(Layer.provide(noNames))

/** Calls to a test's vendors, at an operator's URL or at an origin of the allowlist. */
export const vendorCalls = (allowlist: Allowlist = new Set()) => Calls.layer({ allowlist }).pipe(Layer.provide(noNames))

/** An adapter whose calls end with the scope. */
export const overSockets = <A, E, R>(
  adapter: Effect.Effect<A, E, R | Calls>,
  allowlist?: Allowlist
): Effect.Effect<A, E, Exclude<R, Calls> | Scope.Scope> =>
  Effect.flatMap(Layer.build(vendorCalls(allowlist)), (context) => Effect.provide(adapter, context))

/** Returns any URL as one that may be dialled, for ports that open no socket. */
export const anyTenantUrl = (text: string): TenantUrl | undefined => {
  const origin = URL.parse(text)?.origin
  const url = origin === undefined ? "malformed" : TenantUrl.read(text, new Set([origin]))
  return typeof url === "string" ? undefined : url
}
