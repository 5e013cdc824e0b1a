import { Schema } from "effect"

declare const value: unique symbol

/** The JSON text of an `A`, as a column holds it. */
export type JsonText<A> = string & { readonly [value]: A }

/** The type of a column that holds the JSON text of an `A`: it takes no other text. */
export type JsonColumn<A = unknown> = "text" & { readonly [value]: A }

/**
 * Returns the schema of a member that carries the JSON text of an `A` between owners; it does not check the content.
 */
export const JsonTextOf = <A>() => Schema.String as unknown as Schema.Codec<JsonText<A>, string>

/** Declares a column of a write that holds the JSON text of an `A`. */
export const json = <A>(): JsonColumn<A> => "text" as JsonColumn<A>

/** Returns a JSON text that was written from such a value piece by piece. */
export const madeJson = <A>(text: string): JsonText<A> => text as JsonText<A>

/** Returns the JSON text to store. */
export const jsonText = <const A>(of: A): JsonText<A> => JSON.stringify(of) as JsonText<A>

/** Returns the JSON text to store, or null for a missing value. */
export const jsonTextOrNull = <A>(of: A | null | undefined): JsonText<A> | null =>
  of === null || of === undefined ? null : jsonText(of)

/** Returns the stored value without a check: only the product writes the column, and its type names the value. */
export const readJson = <A>(text: JsonText<A>): A => parseExact(text) as A

/**
 * Returns both directions of JSON that is kept as plain text, such as an owner's snapshot or a sealed column. It does
 * not check the content: only the product writes the text.
 */
export const jsonCodec = <A>() => ({
  read: (text: string): A => readJson(text as JsonText<A>),
  write: (value: A): JsonText<A> => jsonText<A>(value)
})

/** Returns the stored value, or null where there is none. */
export const readJsonOrNull = <A>(text: JsonText<A> | null): A | null => (text === null ? null : readJson(text))

/** The part of JSON that TypeScript's library does not declare yet: numbers by their digits. */
interface DigitJson {
  readonly rawJSON: (digits: string) => DigitNumber
  readonly isRawJSON: (value: unknown) => boolean
  readonly parse: (
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown
  ) => unknown
}

/** An integer beyond 2^53 with its digits, which `JSON.stringify` writes as a number again. */
export interface DigitNumber {
  readonly rawJSON: string
}

const digitJson = JSON as unknown as DigitJson

/** True for an integer that is kept by its digits. */
export const isDigitNumber = (value: unknown): value is DigitNumber => digitJson.isRawJSON(value)

/** Matches a number of many digits where JSON begins one; digits in a text stand behind a quote or another character. */
const manyDigits = /(?:^|[:,[\s-])\d{16}/
const integer = /^-?\d+$/

/**
 * Returns the value of a JSON text; throws when it is none. An integer that a double would round stays what was written, as a
 * `DigitNumber`. gaps-1 "Amendments of November 2026"
 */
export const parseExact = (text: string): unknown =>
  manyDigits.test(text) ? digitJson.parse(text, keepDigits) : JSON.parse(text)

const keepDigits = (_name: string, value: unknown, { source }: { readonly source?: string }): unknown =>
  typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && integer.test(source)
    ? digitJson.rawJSON(source)
    : value
