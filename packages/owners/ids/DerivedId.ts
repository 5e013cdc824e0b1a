import { createHash } from "node:crypto"
import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import { ulidTailOf, ulidTime } from "./Ulid.ts"

/**
 * Returns an id that is equal for equal arguments, for a thing that may be begun twice and must be made once. `seed`
 * names its maker uniquely. `sequence` numbers the things of one instant (milliseconds), and their ids sort by it.
 */
export const derivedId = (prefix: IdPrefix, atMillis: number, sequence: number, seed: string): string => {
  const hash = createHash("sha256").update(`${seed}/${sequence}`).digest()
  const bits = [hash.readUInt32BE(0) >>> 12, hash.readUInt32BE(4) >>> 12, hash.readUInt32BE(8) >>> 12] as const
  return `${prefix}_${ulidTime(atMillis)}${ulidTailOf(sequence % 2 ** 20, bits)}`
}
