import { createHash } from "node:crypto"
import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import { ulidTailOf, ulidTime } from "./Ulid.ts"

/**
 * An id that is the same however often it is made of the same things: for what may be begun twice and must be made once.
 * `seed` names its maker uniquely and `sequence` the thing among those of one instant (milliseconds), whose ids sort by it.
 */
export const derivedId = (prefix: IdPrefix, atMillis: number, sequence: number, seed: string): string => {
  const hash = createHash("sha256").update(`${seed}/${sequence}`).digest()
  const bits = [hash.readUInt32BE(0) >>> 12, hash.readUInt32BE(4) >>> 12, hash.readUInt32BE(8) >>> 12] as const
  return `${prefix}_${ulidTime(atMillis)}${ulidTailOf(sequence % 2 ** 20, bits)}`
}
