/** Why a text is no tax id: another form than a CPF or CNPJ, or check digits that do not fit. */
export type TaxIdFault = "form" | "check_digits"

/** A tax id as a person wrote it: without its mask, or why it is none. */
export type TaxIdReading =
  | {
      /** 11 digits of a CPF; 14 digits, or twelve characters and two digits, of a CNPJ. */
      readonly taxId: string
      readonly refusal?: never
    }
  | { readonly taxId?: never; readonly refusal: TaxIdRefusal }

export interface TaxIdRefusal {
  readonly fault: TaxIdFault
  /** The tax id that was probably meant: the one whose leading zeros a spreadsheet cut off. */
  readonly likely: string | undefined
  /** Sentences for the person who wrote it: what is wrong, and what to write. */
  readonly message: string
}

/**
 * Reads a CPF or CNPJ as people write it: with or without its mask, letters in either case. Refuses another form and
 * wrong check digits. gaps-3 "Amendments of November 2026"
 */
export const readTaxId = (written: string): TaxIdReading => {
  const text = written.length > longest ? "" : written.replace(mask, "").toUpperCase()
  if (!taxIdForm.test(text)) {
    const likely = withLostZeros(text)
    const meant = likely === undefined ? "" : ` Did you mean ${likely}, with the zeros that a spreadsheet cuts off?`
    return {
      refusal: {
        fault: "form",
        likely,
        message: `A tax id has 11 digits (CPF), or 12 digits or letters and 2 digits (CNPJ).${meant}`
      }
    }
  }
  if (checkDigitsFit(text)) return { taxId: text }
  const kind = text.length === cpfLength ? "CPF" : "CNPJ"
  return {
    refusal: {
      fault: "check_digits",
      likely: undefined,
      message: `The last two digits of this ${kind} do not fit the others: a character is mistyped.`
    }
  }
}

/**
 * True when the last two digits of a tax id without a mask fit the others. No CPF or CNPJ repeats one digit, although the
 * arithmetic allows it. gaps-3 "Amendments of November 2026"
 */
export const checkDigitsFit = (taxId: string): boolean => {
  if (/^(.)\1+$/.test(taxId)) return false
  // Since July 2026 a CNPJ may have letters: each character counts by its code minus that of 0.
  const values = Array.from(taxId, (character) => character.charCodeAt(0) - 48)
  const heaviest = taxId.length === cpfLength ? cpfLength : 9
  return [2, 1].every((left) => {
    const counted = values.slice(0, -left)
    return values.at(-left) === checkDigit(counted, heaviest)
  })
}

const longest = 64
const cpfLength = 11
const cnpjLength = 14

/** What masks and copied cells put between the characters. */
const mask = /[\p{Z}\p{Cc}\p{Cf}\p{Pd}./]/gu

const taxIdForm = /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/

/** Returns the check digit of values whose weights grow from 2 at the right end, and begin again above the heaviest. */
const checkDigit = (values: ReadonlyArray<number>, heaviest: number): number => {
  const sum = values.reduce((total, value, index) => {
    const fromRight = values.length - 1 - index
    return total + value * (2 + (fromRight % (heaviest - 1)))
  }, 0)
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}

/** Returns the tax id of which a spreadsheet left only the digits behind its leading zeros. */
const withLostZeros = (text: string): string | undefined => {
  if (!/^\d{8,13}$/.test(text)) return undefined
  const filled = text.padStart(text.length < cpfLength ? cpfLength : cnpjLength, "0")
  return checkDigitsFit(filled) ? filled : undefined
}
