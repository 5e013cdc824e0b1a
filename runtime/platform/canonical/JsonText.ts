import { isUtf8 } from "node:buffer"
import { randomUUID } from "node:crypto"
import { Result } from "effect"
import { type Stretches, stretchLength } from "../stretches/Stretches.ts"
import { type ListText, refuseShape, type ShapeRefusal, type Span, shapeOf } from "./JsonShape.ts"

/** Why bytes are no JSON we take; every one is 400 `http_exception`. gaps-1 A "Media type, encoding, malformed JSON" */
export type JsonRefusal = "invalid_utf8" | "malformed" | ShapeRefusal

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * Parses a JSON body: UTF-8 without a byte order mark, of a shape that no parser stumbles over; of a duplicate key the last
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
    return Result.succeed(JSON.parse(text))
  } catch {
    return Result.fail("malformed")
  }
}

/**
 * The same of a large body: a long list that is a member of the outermost object is parsed a stretch of its items at a
 * time, and everything around it with a mark in their place.
 */
export function* parseInStretches(bytes: Buffer): Stretches<Result.Result<unknown, JsonRefusal>> {
  const shape = yield* shapeOf(bytes)
  if (typeof shape === "string") return Result.fail(shape)
  if (!isUtf8(bytes)) return Result.fail("invalid_utf8")
  yield undefined
  const mark = randomUUID()
  try {
    const whole: unknown = JSON.parse(around(bytes, shape, mark))
    for (const [place, { close, cuts, name, open }] of shape.entries()) {
      const list = markedList(whole, JSON.parse(bytes.toString("utf8", ...name)), mark + place)
      for (let at = 0; at <= cuts.length; at++) {
        yield undefined
        const span: Span = [(cuts[at - 1] ?? open) + 1, cuts[at] ?? close]
        const items: ReadonlyArray<unknown> = JSON.parse(`[${bytes.toString("utf8", ...span)}]`)
        // A comma too many leaves a piece without an item that belongs there.
        if (at < cuts.length ? items.length !== stretchLength : items.length === 0) return Result.fail("malformed")
        list?.push(...items)
      }
    }
    return Result.succeed(whole)
  } catch {
    return Result.fail("malformed")
  }
}

/** The text with a mark of its own in the place of each list's items. */
const around = (bytes: Buffer, lists: ReadonlyArray<ListText>, mark: string): string => {
  let text = ""
  let from = 0
  for (const [place, { close, open }] of lists.entries()) {
    text += `${bytes.toString("utf8", from, open + 1)}"${mark}${place}"`
    from = close
  }
  return text + bytes.toString("utf8", from)
}

/** The list that stands where the mark is, emptied; undefined when a later member of the same name took its place. */
const markedList = (whole: unknown, name: string, mark: string): Array<unknown> | undefined => {
  const list = (whole as Readonly<Record<string, unknown>>)[name]
  if (!Array.isArray(list) || list[0] !== mark) return undefined
  list.length = 0
  return list
}

/** A larger text is not searched: finding the place costs some twenty parses. */
const longestSearched = 65_536

/** Where a text stops being JSON, as line and column from 1; undefined where it was not searched. */
export const findMalformed = (bytes: Uint8Array): { readonly line: number; readonly column: number } | undefined => {
  if (bytes.length > longestSearched) return undefined
  const text = utf8.decode(bytes)
  // Every beginning of a text that could still become JSON fails only because it ends.
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
