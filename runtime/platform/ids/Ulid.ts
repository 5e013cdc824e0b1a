import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import type { RandomBytes } from "./RandomBytes.ts"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const latest = 2 ** 48 - 1

/** Ten bits at a time: half the lookups, and strings the engine already holds. */
const pairs = Array.from({ length: 1024 }, (_, n) => alphabet.charAt(n >>> 5) + alphabet.charAt(n & 31))
const pair = (n: number): string => pairs[n & 1023] as string

/** The ten characters of a ULID's instant, in milliseconds; an instant out of range counts as the nearest in range. */
export const ulidTime = (millis: number): string => {
  const time = Math.min(Math.max(Math.floor(millis), 0), latest)
  const high = Math.floor(time / 2 ** 20)
  const low = time % 2 ** 20
  return pair(high >>> 20) + pair(high >>> 10) + pair(high) + pair(low >>> 10) + pair(low)
}

/** The sixteen random characters of a ULID, from ten bytes of `random`. */
export const ulidRandom = (random: RandomBytes): string => {
  const bytes = random.next(10)
  return fiveBytes(bytes, 0) + fiveBytes(bytes, 5)
}

/** Values a sequence may begin at: half of its 20 bits, so that it never runs over within a millisecond. */
const sequences = 2 ** 19

/** Where the sequence of a millisecond begins. */
export const firstSequence = (random: RandomBytes): number => {
  const bytes = random.next(3)
  return (((bytes[0] as number) << 16) | ((bytes[1] as number) << 8) | (bytes[2] as number)) % sequences
}

/** The same sixteen characters, led by a sequence: ids one process mints in one millisecond sort as they were minted. */
export const ulidSequenced = (sequence: number, random: RandomBytes): string =>
  pair(sequence >>> 10) + pair(sequence) + ulidRandom(random).slice(4)

const fiveBytes = (bytes: Uint8Array, at: number): string => {
  const [a, b, c, d, e] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3], bytes[at + 4]] as [
    number,
    number,
    number,
    number,
    number
  ]
  return pair((a << 2) | (b >>> 6)) + pair((b << 4) | (c >>> 4)) + pair((c << 6) | (d >>> 2)) + pair((d << 8) | e)
}

/** The instant inside an id of the product's form, in milliseconds: the `created_at` of what it names. */
export const ulidTimeOf = (id: string): number => {
  const start = id.length - 26
  let time = 0
  for (let i = start; i < start + 10; i++) time = time * 32 + alphabet.indexOf(id.charAt(i))
  return time
}

/** The lowest ULID of an instant in milliseconds: every ULID minted at or after it sorts at or after this one. */
export const lowestUlidAt = (millis: number): string => ulidTime(millis) + "0".repeat(16)

/**
 * The bound of a time filter over ids: `id >= lowestIdAt(prefix, t)` holds exactly for what was created at or after
 * `t` (milliseconds), `id < lowestIdAt(prefix, t)` for what was created before.
 */
export const lowestIdAt = (prefix: IdPrefix, millis: number): string => `${prefix}_${lowestUlidAt(millis)}`

const shape = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Whether the text has the shape of an id with this prefix; a path id of another shape is not found. gaps-1 A */
export const parseId = (prefix: IdPrefix, text: string): boolean =>
  text.length === prefix.length + 27 &&
  text.startsWith(prefix) &&
  text.charCodeAt(prefix.length) === 0x5f &&
  shape.test(text.slice(prefix.length + 1))
