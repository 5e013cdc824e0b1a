import { Effect } from "effect"
import { leadOf, OwnerClocks, type Standing } from "./OwnerClocks.ts"

/**
 * Returns the time of an owner, whose tenant's clock may have been turned, at an instant on the node's clock; epoch
 * milliseconds.
 */
export const timeIn = Effect.fnUntraced(function* (ownerId: string, nodeNow: number) {
  const clockOf = yield* OwnerClocks
  return nodeNow + (clockOf === undefined ? 0 : leadAt(yield* clockOf(ownerId), nodeNow))
})

/** Returns how far a clock in that state is ahead of the node's, in milliseconds. */
export const leadAt = (standing: Standing, nodeNow: number): number =>
  typeof standing === "string" ? 0 : leadOf(standing, nodeNow)
