import { Schema } from "effect"

/** Control characters other than newline and tab are refused everywhere. gaps-1 A "String rules" */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about control characters
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** The most UTF-16 units that NFC composes into one code point. */
const mostComposed = 8

/**
 * Returns the number of Unicode code points of the NFC form. For a text that certainly has more than `most`, returns
 * `most` plus one without normalizing megabytes. gaps-1 A "String rules"
 */
export const codePoints = (text: string, most: number): number => {
  if (text.length > most * mostComposed) return most + 1
  const normal = text.normalize("NFC")
  let count = 0
  for (const _ of normal) count++
  return count
}

/** True when a text has neither control characters nor unpaired surrogates. gaps-1 A "String rules" */
export const isPlain = (text: string): boolean => text.isWellFormed() && !control.test(text)

/** Free text kept as sent: length in code points, no control characters, no unpaired surrogates. */
export const text = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.makeFilter(
      (value: string) => {
        const length = codePoints(value, maximum)
        if (length > maximum || !isPlain(value)) return false
        return length >= minimum
      },
      {
        expected: `text of ${minimum} to ${maximum} characters without control characters`,
        toJsonSchema: () => ({ minLength: minimum, maxLength: maximum })
      }
    )
  ).annotate({ description: `${minimum} to ${maximum} characters.` })

/** A name or label: trimmed before counting and never blank; `clean` makes its stored form. */
export const label = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.makeFilter(
      (value: string) => {
        const length = codePoints(value.trim(), maximum)
        if (length > maximum || !isPlain(value)) return false
        return length >= Math.max(1, minimum)
      },
      {
        expected: `text of ${minimum} to ${maximum} characters, not blank, without control characters`,
        toJsonSchema: () => [{ minLength: Math.max(1, minimum) }, true]
      }
    )
  ).annotate({ description: `${minimum} to ${maximum} characters after trimming.` })

/** Returns the stored form of a label. */
export const clean = (value: string): string => value.trim().normalize("NFC")
