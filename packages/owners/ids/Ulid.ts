import { createHash } from "node:crypto"
import type { RandomBytes } from "@carteiro/secrets/RandomBytes.ts"
import type { IdPrefix } from "../ProductTypes.ts"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const latest = 2 ** 48 - 1

/** Two characters for each ten bits: half the lookups, and strings that the engine already holds. */
const pairs = Array.from({ length: 1024 }, (_, n) => alphabet.charAt(n >>> 5) + alphabet.charAt(n & 31))
const pair = (n: number): string => pairs[n & 1023] as string

/**
 * Returns the ten characters of a ULID's instant, in milliseconds; an instant out of range counts as the nearest in
 * range.
 */
export const ulidTime = (millis: number): string => {
  const time = Math.min(Math.max(Math.floor(millis), 0), latest)
  const high = Math.floor(time / 2 ** 20)
  const low = time % 2 ** 20
  return pair(high >>> 20) + pair(high >>> 10) + pair(high) + pair(low >>> 10) + pair(low)
}

/**
 * The number of values at which a sequence may begin: half of its 20 bits, so that it never overflows within a
 * millisecond.
 */
const sequences = 2 ** 19

/** Returns the first value of a millisecond's sequence. */
export const firstSequence = (random: RandomBytes): number => random.bits20() % sequences

/**
 * Returns the sixteen characters after a ULID's instant: a sequence, so that ids that one process makes in one
 * millisecond sort in the order they were made, and sixty random bits.
 */
export const ulidTail = (sequence: number, random: RandomBytes): string =>
  four(sequence) + four(random.bits20()) + four(random.bits20()) + four(random.bits20())

/**
 * Returns the sixteen characters from a sequence and sixty given bits, in threes of twenty: equal arguments give an
 * equal tail.
 */
const ulidTailOf = (sequence: number, bits: readonly [number, number, number]): string =>
  four(sequence) + bits.map(four).join("")

const four = (bits: number): string => pair(bits >>> 10) + pair(bits)

/** Returns the instant inside an id of the product's form, in milliseconds: the `created_at` of the thing it names. */
export const ulidTimeOf = (id: string): number => {
  const start = id.length - 26
  let time = 0
  for (let i = start; i < start + 10; i++) time = time * 32 + alphabet.indexOf(id.charAt(i))
  return time
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))
const digits = new Uint8Array(128)
for (let n = 0; n < alphabet.length; n++) digits[alphabet.charCodeAt(n)] = n

/**
 * Returns the 128 bits of an id's ULID as 32 lowercase hex characters: the trace id of a request whose caller sent none.
 * gaps-1 A "Trace id"
 */
export const traceOf = (id: string): string => {
  // The first character holds three bits, every other one five.
  let bits = digits[id.charCodeAt(id.length - 26)] as number
  let count = 3
  let text = ""
  for (let at = id.length - 25; at < id.length; at++) {
    bits = ((bits << 5) | (digits[id.charCodeAt(at)] as number)) & 0xfff
    count += 5
    if (count < 8) continue
    count -= 8
    text += hex[(bits >>> count) & 255]
  }
  return text
}

/** Returns the id with this prefix whose `traceOf` the trace is; undefined for a trace of another form. */
export const idOfTrace = (prefix: IdPrefix, trace: string): string | undefined => {
  if (!/^[0-9a-f]{32}$/.test(trace)) return undefined
  const bits = BigInt(`0x${trace}`)
  const ulid = Array.from({ length: 26 }, (_, n) => alphabet.charAt(Number((bits >> BigInt(5 * (25 - n))) & 31n)))
  return `${prefix}_${ulid.join("")}`
}

/** Returns the lowest ULID of an instant in milliseconds: every ULID made at or after it sorts at or after this one. */
export const lowestUlidAt = (millis: number): string => ulidTime(millis) + "0".repeat(16)

/**
 * Returns the bound of a time filter over ids. `id >= lowestIdAt(prefix, t)` holds exactly for things created at or
 * after `t` (milliseconds), `id < lowestIdAt(prefix, t)` for things created before.
 */
export const lowestIdAt = (prefix: IdPrefix, millis: number): string => `${prefix}_${lowestUlidAt(millis)}`

const shape = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** True when the text has the shape of an id with this prefix; a path id of another shape is not found. gaps-1 A */
export const parseId = (prefix: IdPrefix, text: string): boolean =>
  text.length === prefix.length + 27 &&
  text.startsWith(prefix) &&
  text.charCodeAt(prefix.length) === 0x5f &&
  shape.test(text.slice(prefix.length + 1))

/**
 * Returns an id that is equal for equal arguments, for a thing that may be begun twice and must be made once. `seed`
 * names its maker uniquely. `sequence` numbers the things of one instant (milliseconds), and their ids sort by it.
 */
export const derivedId = (prefix: IdPrefix, atMillis: number, sequence: number, seed: string): string => {
  const hash = createHash("sha256").update(`${seed}/${sequence}`).digest()
  const bits = [hash.readUInt32BE(0) >>> 12, hash.readUInt32BE(4) >>> 12, hash.readUInt32BE(8) >>> 12] as const
  return `${prefix}_${ulidTime(atMillis)}${ulidTailOf(sequence % 2 ** 20, bits)}`
}
