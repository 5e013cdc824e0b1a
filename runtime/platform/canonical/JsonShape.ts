import { atOnce, type Stretches, stretchLength } from "../stretches/Stretches.ts"

/** Levels of nesting a body may have. gaps-1 A "Media type, encoding, malformed JSON" */
const deepest = 32

/** Members and items a body may hold together: the largest that the contract takes has fewer by far. */
export const mostValues = 250_000

/** Different names its members may have; each that is met for the first time costs a parser a hundred times a value. */
export const mostNames = 10_000

/** Why a text is not given to a parser. */
export type ShapeRefusal = "too_deep" | "too_many"

/** A smaller text cannot hold anybody up, so its values are not counted. */
const leastCounted = 65_536

/** What the outline of a text shows, or why it is refused. */
export type Shape = ShapeRefusal | ReadonlyArray<ListText>

/** A long list that is a member of the outermost object, as it stands in the text. */
export interface ListText {
  /** Where its name stands in quotes. */
  readonly name: Span
  /** Its brackets. */
  readonly open: number
  readonly close: number
  /** The commas behind every so many items. */
  readonly cuts: ReadonlyArray<number>
}

/** Where something begins in a text, and where it has ended. */
export type Span = readonly [from: number, to: number]

/**
 * Looks at the outline of a JSON text before anything recursive or slow sees it: how deep it nests and, of a large one, how
 * many values and names it holds. What is not JSON may pass.
 */
export const refuseShape = (bytes: Uint8Array): ShapeRefusal | undefined => {
  if (bytes.length <= leastCounted) return isTooDeep(bytes) ? "too_deep" : undefined
  const shape = atOnce(shapeOf(bytes))
  return typeof shape === "string" ? shape : undefined
}

/** Bytes that one stretch looks at. */
const bytesAtOnce = 1_048_576

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

/** The same of a large text a stretch at a time, and where its long lists may be cut. */
export function* shapeOf(bytes: Uint8Array): Stretches<Shape> {
  const names = new Set<number>()
  // Whether the container at each depth is an object, whose strings behind a brace or comma are names.
  const objects = new Uint8Array(deepest + 2)
  const lists: Array<ListText> = []
  let depth = 0
  let values = 0
  let nameIsNext = false
  let name: Span = [0, 0]
  let open = 0
  let items = 0
  let cuts: Array<number> = []
  let pause = bytesAtOnce
  for (let i = 0; i < bytes.length; i++) {
    if (i >= pause) {
      pause = i + bytesAtOnce
      yield undefined
    }
    const byte = bytes[i]
    if (byte === quote) {
      const end = endOfString(bytes, i + 1)
      if (nameIsNext) {
        names.add(hashOf(bytes, i + 1, end))
        if (depth === 1) name = [i, end + 1]
      }
      nameIsNext = false
      i = end
    } else if (byte === openList || byte === openObject) {
      if (++depth > deepest) return "too_deep"
      objects[depth] = byte === openObject ? 1 : 0
      nameIsNext = byte === openObject
      if (++values > mostValues) return "too_many"
      if (depth === 2) {
        open = i
        items = 0
        cuts = []
      }
    } else if (byte === closeList || byte === closeObject) {
      const isMember = depth === 2 && objects[1] === 1 && objects[2] === 0
      if (isMember && byte === closeList && cuts.length > 0) lists.push({ name, open, close: i, cuts })
      if (depth > 0) depth--
      nameIsNext = false
    } else if (byte === comma) {
      if (++values > mostValues || names.size > mostNames) return "too_many"
      nameIsNext = objects[depth] === 1
      if (depth === 2 && ++items % stretchLength === 0) cuts.push(i)
    }
  }
  return lists
}

const endOfString = (bytes: Uint8Array, start: number): number => {
  let i = start
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1
  return i
}

// FNV-1a: names that share a hash count once, which lets some more through.
const hashOf = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  return hash
}
