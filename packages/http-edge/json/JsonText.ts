import { isAscii, isUtf8 } from "node:buffer"
import { randomUUID } from "node:crypto"
import { type Slices, sliceBytes } from "@carteiro/owners/Slices.ts"
import { parseExact } from "@carteiro/tables/StoredJson.ts"
import { Result } from "effect"
import { type LongPart, refuseShape, type ShapeRefusal, shapeOf } from "./JsonShape.ts"

/**
 * The reasons why bytes are not accepted as JSON; each is 400 `http_exception`. gaps-1 A "Media type, encoding,
 * malformed JSON"
 */
export type JsonRefusal = "invalid_utf8" | "malformed" | ShapeRefusal

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * Parses a JSON body: UTF-8 without a byte order mark, and of a shape that is safe to parse. Of duplicate keys the last
 * wins, and a key `__proto__` is an ordinary own property.
 */
export const parseJson = (bytes: Uint8Array): Result.Result<unknown, JsonRefusal> => {
  const shape = refuseShape(bytes)
  if (shape !== undefined) return Result.fail(shape)
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return Result.fail("invalid_utf8")
  }
  try {
    return Result.succeed(parseExact(text))
  } catch {
    return Result.fail("malformed")
  }
}

/**
 * Parses a large body part by part: long lists, objects and strings are parsed in pieces, and the text around them with
 * a mark in their place.
 */
export function* parseInSlices(bytes: Buffer): Slices<Result.Result<unknown, JsonRefusal>> {
  const parts = yield* shapeOf(bytes)
  if (typeof parts === "string") return Result.fail(parts)
  if (!isUtf8(bytes)) return Result.fail("invalid_utf8")
  yield undefined
  const source = { bytes, mark: randomUUID() }
  try {
    const whole = parseExact(textWithMarks(source, [0, bytes.length], parts))
    const [root] = parts
    return Result.succeed(root === undefined ? whole : yield* readPart(source, root))
  } catch {
    return Result.fail("malformed")
  }
}

/** A text, and a word that does not occur in it. */
interface Source {
  readonly bytes: Buffer
  readonly mark: string
}

/** The positions at which a piece of text begins and ends. */
type Span = readonly [from: number, to: number]

const markOf = ({ mark }: Source, { open }: LongPart): string => `${mark}${open}`

/**
 * Returns the text of a span with a list of one mark in the place of each long part: no member's name can be such a
 * list.
 */
const textWithMarks = (source: Source, [start, end]: Span, parts: ReadonlyArray<LongPart>): string => {
  let text = ""
  let from = start
  for (const part of parts) {
    text += `${source.bytes.toString("utf8", from, part.open)}["${markOf(source, part)}"]`
    from = part.close + 1
  }
  return text + source.bytes.toString("utf8", from, end)
}

/** Returns the value of a long part; throws if it is not JSON. */
function* readPart(source: Source, part: LongPart): Slices<unknown> {
  switch (part.kind) {
    case "text":
      return yield* longText(source.bytes, part)
    case "list":
      return yield* listOf(source, part)
    case "object":
      return yield* objectOf(source, part)
  }
}

function* listOf(source: Source, part: LongPart): Slices<ReadonlyArray<unknown>> {
  const list: Array<unknown> = []
  for (const { inner, text } of piecesOf(source, part)) {
    yield undefined
    const items = parseExact(text) as Array<unknown>
    if (items.length === 0 && part.cuts.length > 0) return refuse()
    for (const one of inner) {
      const at = items.findIndex((item) => isMark(item, markOf(source, one)))
      items[at] = yield* readPart(source, one)
    }
    for (const item of items) list.push(item)
  }
  return list
}

function* objectOf(source: Source, part: LongPart): Slices<object> {
  const object = {}
  for (const { inner, text } of piecesOf(source, part)) {
    yield undefined
    const members = parseExact(text) as Readonly<Record<string, unknown>>
    const names = Object.keys(members)
    if (names.length === 0 && part.cuts.length > 0) return refuse()
    const long = new Map<string | undefined, unknown>()
    for (const one of inner) {
      // Undefined where a later member of equal name replaced it.
      const name = names.find((name) => isMark(members[name], markOf(source, one)))
      long.set(name, yield* readPart(source, one))
    }
    for (const name of names) setOwn(object, name, long.has(name) ? long.get(name) : members[name])
  }
  return object
}

/**
 * Returns the pieces of a part from cut to cut, each a list or object of its own, with the long parts that have a mark
 * in it.
 */
const piecesOf = (source: Source, { close, cuts, kind, open, parts }: LongPart) =>
  [...cuts, close].map((to, at) => {
    const from = (cuts[at - 1] ?? open) + 1
    const inner = parts.filter((one) => one.open >= from && one.open < to)
    const [begin, end] = kind === "list" ? "[]" : "{}"
    // The last piece ends at the end of the part, even if that is wrong.
    const last = to === close ? source.bytes.toString("latin1", close, close + 1) : end
    return {
      inner,
      get text() {
        return `${begin}${textWithMarks(source, [from, to], inner)}${last}`
      }
    }
  })

/** A surplus comma left a piece without a member. */
const refuse = () => JSON.parse("") as never

const isMark = (value: unknown, mark: string): boolean => Array.isArray(value) && value[0] === mark

const setOwn = (object: Record<string, unknown>, name: string, value: unknown): void => {
  if (name !== "__proto__") object[name] = value
  else Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true })
}

const backslash = 0x5c
const letterU = 0x75

/** Characters that stand in no JSON string as they are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones that are refused
const control = /[\0-\x1f]/

/** Reads a long string in pieces that end between two characters. */
function* longText(bytes: Buffer, { close, open }: LongPart): Slices<string> {
  let from = open + 1
  let escapeAt = bytes.indexOf(backslash, from)
  if ((escapeAt < 0 || escapeAt >= close) && isAscii(bytes.subarray(from, close))) {
    return yield* plainText(bytes, from, close)
  }
  let text = ""
  while (from < close) {
    yield undefined
    const least = Math.min(from + sliceBytes, close)
    if (escapeAt >= 0 && escapeAt < from) escapeAt = bytes.indexOf(backslash, from)
    let to = escapeAt < 0 || escapeAt >= least ? least : afterEscapes(bytes, from, least)
    while (((bytes[to] as number) & 0xc0) === 0x80) to++
    text += JSON.parse(`"${bytes.toString("utf8", from, to)}"`)
    from = to
  }
  return text
}

/**
 * Reads ASCII without escapes, which needs no decoding. Concatenated pieces would be copied again by the first access.
 */
function* plainText(bytes: Buffer, from: number, close: number): Slices<string> {
  for (let at = from; at < close; at += sliceBytes) {
    yield undefined
    if (control.test(bytes.toString("latin1", at, Math.min(at + sliceBytes, close)))) return refuse()
  }
  yield undefined
  return bytes.toString("latin1", from, close)
}

/** Returns the first position from `least` on that is not inside an escape. */
const afterEscapes = (bytes: Buffer, from: number, least: number): number => {
  let i = from
  while (i < least) i += bytes[i] !== backslash ? 1 : bytes[i + 1] === letterU ? 6 : 2
  return i
}

/** A larger text is not searched: finding the position costs some twenty parses. */
const longestSearched = 16_384

/** Returns the line and column, from 1, at which a text stops being JSON; undefined if it was not searched. */
export const findMalformed = (bytes: Uint8Array): { readonly line: number; readonly column: number } | undefined => {
  if (bytes.length > longestSearched) return undefined
  const text = utf8.decode(bytes)
  // A prefix that could still become JSON fails only because it ends.
  let sound = 0
  let broken = text.length + 1
  while (broken - sound > 1) {
    const middle = (sound + broken) >> 1
    if (mayContinue(text.slice(0, middle))) sound = middle
    else broken = middle
  }
  const before = text.slice(0, sound)
  return { line: before.split("\n").length, column: sound - before.lastIndexOf("\n") }
}

const mayContinue = (text: string): boolean => {
  if (text.trim() === "") return true
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as SyntaxError
    const position = /at position (\d+)/.exec(message)?.[1]
    return /^Unexpected end|^Unterminated string/.test(message) || Number(position ?? -1) >= text.length
  }
}
