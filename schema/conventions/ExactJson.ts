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

const manyDigits = /\d{16}/
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
