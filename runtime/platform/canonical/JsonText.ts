import { Result } from "effect"
import { refuseShape, type ShapeRefusal } from "./JsonShape.ts"

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
