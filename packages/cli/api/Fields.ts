import { parseExact } from "@carteiro/sdk/transport/ExactJson.ts"
import { usage } from "../shell/Failure.ts"
import { type Writing, writtenValue } from "./Written.ts"

/** Members of a JSON object by name. */
export type Members = Readonly<Record<string, unknown>>

/**
 * Returns an object with the members given by words, on top of those of `base`: `text.body=Oi` sets text, `limit:=5`
 * sets JSON. Phone numbers and tax ids may be written as people write them.
 */
export const withFields = (base: Members, words: ReadonlyArray<string>, writing: Writing): Members =>
  words.reduce((object, word) => {
    const [, path, json, text] = /^([\w-]+(?:\.[\w-]+)*)(:?)=([\s\S]*)$/.exec(word) ?? []
    if (path === undefined || text === undefined) throw usage(`${word} is not a field=value`)
    return replaced(object, path.split("."), json === ":" ? parsed(word, text) : writtenValue(path, text, writing))
  }, base)

const replaced = (object: Members, [name = "", ...rest]: ReadonlyArray<string>, value: unknown): Members => ({
  ...object,
  [name]: rest.length === 0 ? value : replaced(membersOf(object[name]), rest, value)
})

/** Returns the members of an object; none of other values, such as the object that holds the digits of a long integer. */
const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
    ? (value as Members)
    : {}

const parsed = (word: string, text: string): unknown => {
  try {
    return parseExact(text)
  } catch {
    throw usage(`behind := stands JSON, and ${word} has none`)
  }
}
