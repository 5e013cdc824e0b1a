import { isInternational, readPhone, standardRegion } from "@carteiro/spellings/Phone.ts"
import { readTaxId } from "@carteiro/spellings/TaxId.ts"
import { regionFor } from "../rows/Region.ts"
import { usage } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"

/** How numbers of people are read that a person wrote. */
export interface Writing {
  /** The region of numbers without `+` or `00`. */
  readonly region: string
  /** Says what was made of a number. */
  readonly note: (text: string) => void
}

/** Fields that hold a phone number when their text looks like one. */
const phoneFields = /(?:^|\.)(?:phone|from|to|customer_phone)$|^recipient\.id$/
const taxIdFields = /(?:^|_|\.)tax_id$/
const phoneLike = /^[+\d\s().-]{8,}$/

/**
 * Returns how the numbers in words such as `from=(11) 98888-7777` are read. The project is asked for its region only where a
 * number has no + or 00.
 */
export const writingOf = async (
  shell: Shell,
  option: string | undefined,
  words: ReadonlyArray<string>
): Promise<Writing> => ({
  region: option !== undefined || words.some(isNational) ? await regionFor(shell, option) : standardRegion,
  note: (text) => shell.note(text)
})

/** True for a word that sets a field of phone numbers to one without + or 00. */
const isNational = (word: string): boolean => {
  const at = word.indexOf("=")
  const [field, text] = [word.slice(0, at), word.slice(at + 1)]
  return phoneFields.test(field) && phoneLike.test(text) && !isInternational(text)
}

/**
 * Returns a text of a field as the API takes it: a phone number as `+` and digits, a tax id without its mask. A number
 * that is not valid is left to the API; a tax id whose check digits do not fit is refused, unless it is sent as JSON.
 */
export const writtenValue = (path: string, text: string, { note, region }: Writing): string => {
  if (taxIdFields.test(path)) {
    const { refusal, taxId } = readTaxId(text)
    if (refusal !== undefined)
      throw usage(`${path}: ${refusal.message}`, `send it as it is: ${path}:='${JSON.stringify(text)}'`)
    return taxId
  }
  if (!phoneFields.test(path) || !phoneLike.test(text)) return text
  const { phone = text } = readPhone(text, region)
  if (phone.replaceAll(/\D/g, "") !== text.replaceAll(/\D/g, "")) note(`${text} is read as ${phone}`)
  return phone
}
