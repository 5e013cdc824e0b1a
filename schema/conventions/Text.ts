import { Schema } from "effect"

/** Control characters other than newline and tab are refused everywhere. gaps-1 A "String rules" */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about control characters
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** Unicode code points of the NFC form. gaps-1 A "String rules" */
export const codePoints = (text: string): number => {
  const normal = text.normalize("NFC")
  let count = 0
  for (const _ of normal) count++
  return count
}

const wellFormed = (text: string): boolean => text.isWellFormed() && !control.test(text)

/** Free text kept as sent: length in code points, no control characters, no unpaired surrogates. */
export const text = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.makeFilter(
      (value: string) => {
        if (!wellFormed(value)) return false
        const length = codePoints(value)
        return length >= minimum && length <= maximum
      },
      {
        expected: `text of ${minimum} to ${maximum} characters without control characters`,
        toJsonSchema: () => ({ minLength: minimum, maxLength: maximum })
      }
    )
  ).annotate({ description: `${minimum} to ${maximum} characters.` })

/** Names and labels: trimmed before counting and never blank; what is stored of one is `clean`. */
export const label = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.makeFilter(
      (value: string) => {
        if (!wellFormed(value)) return false
        const length = codePoints(value.trim())
        return length >= Math.max(1, minimum) && length <= maximum
      },
      {
        expected: `text of ${minimum} to ${maximum} characters, not blank, without control characters`,
        toJsonSchema: () => [{ minLength: Math.max(1, minimum) }, true]
      }
    )
  ).annotate({ description: `${minimum} to ${maximum} characters after trimming.` })

/** The stored form of a label. */
export const clean = (value: string): string => value.trim().normalize("NFC")
