import { Effect } from "effect"
import { isPublicAddress } from "./Addresses.ts"
import type { ClientCertificate } from "./ClientCertificates.ts"
import type { NameResolver } from "./NameResolver.ts"
import { dialable, type OriginPool, type Pools } from "./Pools.ts"
import type { Allowlist, Target } from "./Targets.ts"

/** An installation's settings about destinations. */
export interface OutboundOptions {
  readonly allowlist: Allowlist
  /** Decides which addresses a name may have; only tests replace the rule that they are public. */
  readonly mayDial?: (address: string) => boolean
  /** PEM texts of the authorities of calls, instead of the system's. */
  readonly authorities?: ReadonlyArray<string>
  /** Receives each ended call to an operator's URL; `status` is null without a response. */
  readonly watch?: (call: WatchedCall) => void
}

/** One ended call to a vendor. */
export interface WatchedCall {
  readonly origin: string
  readonly status: number | null
  readonly milliseconds: number
}

/** Services that dial a target. */
export interface DialContext {
  readonly mayDial: (address: string) => boolean
  readonly resolver: NameResolver["Service"]
  readonly pools: Pools
}

/** The reason why a target is not dialled: an address of its name is not public, or there is none. */
export type NotDialled = "blocked" | "unresolved"

/** Returns the rule of `OutboundOptions`, or the standard one. */
export const mayDialOf = ({ mayDial = isPublicAddress }: OutboundOptions) => mayDial

/** Returns the connections to a target that needs no look-up. */
export const poolOf = (
  { pools }: DialContext,
  target: Target,
  connectTimeoutMs?: number,
  certificate?: ClientCertificate
): OriginPool => pools.of(target.origin, target.kind === "name", connectTimeoutMs, certificate)

/**
 * Returns the connections to a target. The name is looked up again, every address is checked, and a new connection
 * dials a checked address: a later change of the name has no effect. gaps-1 J "Unsafe destinations"
 */
export const checkedPool = (
  context: DialContext,
  target: Target,
  lookupMs: number,
  connectTimeoutMs?: number,
  certificate?: ClientCertificate
): Effect.Effect<OriginPool, NotDialled> =>
  target.kind !== "name"
    ? Effect.sync(() => poolOf(context, target, connectTimeoutMs, certificate))
    : Effect.flatMap(context.resolver.resolve(target.hostname, lookupMs), (addresses) => {
        if (addresses.length === 0) return Effect.fail("unresolved")
        if (!addresses.every(context.mayDial)) return Effect.fail("blocked")
        const held = poolOf(context, target, connectTimeoutMs, certificate)
        held.addresses = dialable(addresses)
        return Effect.succeed(held)
      })
