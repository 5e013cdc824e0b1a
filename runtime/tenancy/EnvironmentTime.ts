import { OwnerClocks } from "@carteiro/owners/OwnerClocks.ts"
import { realNow } from "@carteiro/owners/RealTime.ts"
import { leadAt } from "@carteiro/owners/TenantTime.ts"
import { type Brand, Effect } from "effect"

/**
 * An instant on the clock of another environment than the owner's own, in epoch milliseconds: rows that go to that
 * environment take no other. gaps-1 "Sandbox clock"
 */
export type ForeignInstant = number & Brand.Brand<"ForeignInstant">

/** Another environment's time, as an owner sees it that writes there. */
export interface ForeignTime {
  /** How far it is ahead of the owner's time, in milliseconds; negative when it is behind. */
  readonly aheadMs: number
  /** True when it stands still. */
  readonly stands: boolean
}

/** Returns an owner's instant on another environment's clock. */
export const inForeignTime = (instant: number, { aheadMs }: ForeignTime): ForeignInstant =>
  (instant + aheadMs) as ForeignInstant

/** Returns how the time of another environment differs from an owner's: not at all where both have real time. */
export type ForeignTimes = (
  environmentId: string,
  owner: { readonly lead: () => number | undefined }
) => Effect.Effect<ForeignTime>

/** Makes `ForeignTimes` for the owners of a layer. */
export const foreignTimes: Effect.Effect<ForeignTimes> = Effect.map(
  OwnerClocks,
  (clockOf): ForeignTimes =>
    Effect.fnUntraced(function* (environmentId, owner) {
      const standing = clockOf === undefined ? "real" : yield* clockOf(environmentId)
      return {
        aheadMs: leadAt(standing, yield* realNow) - (owner.lead() ?? 0),
        stands: typeof standing !== "string" && standing.standsAt !== undefined
      }
    })
)
