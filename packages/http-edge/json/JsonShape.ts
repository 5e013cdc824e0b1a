import { atOnce, type Slices, sliceBytes } from "@carteiro/owners/Slices.ts"

/** The deepest nesting of a body. gaps-1 A "Media type, encoding, malformed JSON" */
const deepest = 32

/** The most members and items of a body together: the largest body of the contract has far fewer. */
export const mostValues = 250_000

/** The most different names among its members; a parser spends a hundred times the cost of a value on each new name. */
export const mostNames = 10_000

/** The reason why a text is not parsed. */
export type ShapeRefusal = "too_deep" | "too_many"

/** Values of a smaller text are not counted, because it cannot delay other requests. */
const leastCounted = 65_536

/** The outermost long parts of a text, or the reason why the text is refused. */
export type Shape = ShapeRefusal | ReadonlyArray<LongPart>

/** A list, object or string in the text that is too long to be parsed in one part. */
export interface LongPart {
  readonly kind: "list" | "object" | "text"
  /** The positions of its first and last character: brackets, braces or quotes. */
  readonly open: number
  readonly close: number
  /** The positions of commas between its own members, some distance apart. */
  readonly cuts: ReadonlyArray<number>
  /** The long parts among its own members. */
  readonly parts: ReadonlyArray<LongPart>
}

/**
 * Checks the outline of a JSON text before any recursive or slow code sees it: its depth and, for a large text, its
 * number of values and names. Text that is not JSON may pass.
 */
export const refuseShape = (bytes: Uint8Array): ShapeRefusal | undefined => {
  if (bytes.length <= leastCounted) return isTooDeep(bytes) ? "too_deep" : undefined
  const shape = atOnce(shapeOf(bytes))
  return typeof shape === "string" ? shape : undefined
}

/** The bytes that one part scans: scanning is faster than parsing. */
const scannedAtOnce = 4 * sliceBytes

/** The bytes between two cuts, which are parsed in one part. */
const cutBytes = sliceBytes / 2

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

const isTooDeep = (bytes: Uint8Array): boolean => {
  let depth = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === quote) inString = !inString
    else if (inString) {
      if (byte === backslash) i++
    } else if (byte === openList || byte === openObject) {
      if (++depth > deepest) return true
    } else if (byte === closeList || byte === closeObject) depth--
  }
  return false
}

/** A list or object whose end is not reached yet. */
interface OpenPart {
  isObject: boolean
  open: number
  /** The position of the last cut, or of its beginning. */
  cutAt: number
  cuts: Array<number>
  parts: Array<LongPart>
}

const openPart = (): OpenPart => ({ isObject: false, open: 0, cutAt: 0, cuts: [], parts: [] })

/** Checks the outline of a large text part by part, and returns the places at which its long parts may be cut. */
export function* shapeOf(bytes: Uint8Array): Slices<Shape> {
  const names = new Set<number>()
  const stack = Array.from({ length: deepest + 2 }, openPart)
  let here = stack[0] as OpenPart
  let depth = 0
  let values = 0
  let nameIsNext = false
  let pause = scannedAtOnce
  for (let i = 0; i < bytes.length; i++) {
    if (i >= pause) {
      pause = i + scannedAtOnce
      yield undefined
    }
    const byte = bytes[i]
    if (byte === quote) {
      let end = endOfString(bytes, i + 1, pause)
      while (end >= pause && end < bytes.length && bytes[end] !== quote) {
        pause = end + scannedAtOnce
        yield undefined
        end = endOfString(bytes, end, pause)
      }
      if (nameIsNext) names.add(hashOf(bytes, i + 1, end))
      else if (end - i > sliceBytes) here.parts.push({ kind: "text", open: i, close: end, cuts: [], parts: [] })
      nameIsNext = false
      i = end
    } else if (byte === openList || byte === openObject) {
      if (++depth > deepest) return "too_deep"
      if (++values > mostValues) return "too_many"
      here = stack[depth] as OpenPart
      reset(here, byte === openObject, i)
      nameIsNext = here.isObject
    } else if (byte === closeList || byte === closeObject) {
      nameIsNext = false
      if (depth === 0) continue
      const ended = here
      here = stack[--depth] as OpenPart
      if (i - ended.open > sliceBytes) here.parts.push(longPart(ended, i))
    } else if (byte === comma) {
      if (++values > mostValues || names.size > mostNames) return "too_many"
      nameIsNext = here.isObject
      if (i - here.cutAt >= cutBytes) {
        here.cuts.push(i)
        here.cutAt = i
      }
    }
  }
  return (stack[0] as OpenPart).parts
}

const reset = (part: OpenPart, isObject: boolean, open: number): void => {
  part.isObject = isObject
  part.open = open
  part.cutAt = open
  part.cuts.length = 0
  part.parts.length = 0
}

const longPart = ({ cuts, isObject, open, parts }: OpenPart, close: number): LongPart => ({
  kind: isObject ? "object" : "list",
  open,
  close,
  cuts: [...cuts],
  parts: [...parts]
})

/** The bytes after which an unfinished string is likely to be long. */
const shortString = 128

/** Returns the position at which a string ends; from `until` on, the position of the next unescaped character. */
const endOfString = (bytes: Uint8Array, start: number, until: number): number => {
  const near = Math.min(until, start + shortString)
  const i = nextQuote(bytes, start, near)
  if (i < near || i >= until) return i
  // Most long strings are plain: the native search finds their end much sooner than a loop.
  const rest = bytes.subarray(i, until)
  const quoteAt = rest.indexOf(quote)
  const end = quoteAt < 0 ? rest.length : quoteAt
  const escapeAt = rest.subarray(0, end).indexOf(backslash)
  return escapeAt < 0 ? i + end : nextQuote(bytes, i + escapeAt, until)
}

const nextQuote = (bytes: Uint8Array, start: number, until: number): number => {
  let i = start
  while (i < until && i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1
  return i
}

// FNV-1a: names with an equal hash count once, so a few more names may pass.
const hashOf = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  return hash
}
