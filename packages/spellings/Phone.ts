import { matchKey } from "@carteiro/schema/messages/PhoneDigits.ts"
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString
} from "libphonenumber-js/max"

/** Why a text is no phone number: a spreadsheet's decimal or exponent form, or no valid number. */
export type PhoneFault = "decimal" | "exponent" | "invalid"

/** A phone number as a person wrote it: its international form, or why there is none. */
export type PhoneReading =
  | {
      /** `+` and digits. */
      readonly phone: string
      readonly refusal?: never
    }
  | { readonly phone?: never; readonly refusal: PhoneRefusal }

export interface PhoneRefusal {
  readonly fault: PhoneFault
  /** The number that was probably meant, `+` and digits; undefined where nothing suggests one. */
  readonly likely: string | undefined
  /** The region in which it was read; undefined for a number that names its country. */
  readonly region: string | undefined
  /** Sentences for the person who wrote the number: what is wrong, and what to write. */
  readonly message: string
}

/** The region of projects that chose none. gaps-2 A "Phones outside `recipient.id`" */
export const standardRegion = "BR"

/** The regions in which numbers can be read, by their ISO 3166 alpha-2 codes in alphabetical order. */
export const phoneRegions = (): ReadonlyArray<{ readonly region: string; readonly callingCode: string }> =>
  [...getCountries()].sort().map((region) => ({ region, callingCode: getCountryCallingCode(region) }))

/** True for an ISO 3166 alpha-2 code, in upper case, of a region in which numbers can be read. */
export const isPhoneRegion = (region: string): region is CountryCode => isSupportedCountry(region)

/**
 * Reads a phone number as people write it. Only `+` or `00` begins an international number; any other number is read in
 * the region, with or without its calling code and trunk zeros (Brazil's `0xx` too), and gains a missing ninth digit.
 * Separators, dashes and invisible characters are removed. Refuses what is not valid, and names the likely number.
 * gaps-2 A "Phones outside `recipient.id`"
 */
export const readPhone = (written: string, region: string): PhoneReading => {
  const text = written.length > longest ? "" : withoutCarrier(written.replace(removed, ""), region)
  const spreadsheet = readSpreadsheetNumber(written.trim(), region)
  if (spreadsheet !== undefined) return { refusal: spreadsheet }
  const phone = internationalForm(text, region)
  return phone === undefined ? { refusal: refusalOf(text, region) } : { phone }
}

/**
 * Returns every number, as `+` and digits, that a text may mean in a region, refused or not. An erasure finds what was
 * written about a customer by the match keys of these. gaps-2 I "Erasure"
 */
export const possibleReadings = (written: string, region: string): ReadonlyArray<string> => {
  if (written.length > longest) return none
  const digits = digitsIn(written)
  if (digits.length < fewestDigits || digits.length > mostDigits) return none
  const { phone, refusal } = readPhone(written, region)
  const readings = phone === undefined ? [refusal.likely, nationalForm(digits, region), validForm(digits)] : [phone]
  return [...new Set([...readings.filter((reading) => reading !== undefined), `+${digits}`])]
}

/**
 * Returns the `+` and digits of an international number that no numbering plan lists, but that is as long as numbers of its
 * country are: the plan may be older than its range. Undefined for a number that is listed, for a text that suggests
 * another number, and for one so short that it lacks its area code. Decision 0144
 */
export const readUnlistedPhone = (written: string, region: string): string | undefined => {
  const digits = written.length > longest ? undefined : /^(?:\+|00)(\d+)$/.exec(written.replace(removed, ""))?.[1]
  if (digits === undefined || digits.length < fewestOfUnlisted || digits.length > mostOfNumber) return undefined
  const number = parsePhoneNumberFromString(`+${digits}`)
  const isWhole = number?.isPossible() === true && number.number === `+${digits}`
  return isWhole && readPhone(written, region).refusal?.likely === undefined && !isValid(number)
    ? `+${digits}`
    : undefined
}

/** A number as people read it. */
export interface ReadablePhone {
  /** With its calling code, spaces and dashes: `+55 11 98888-7777`. */
  readonly text: string
  /** The region that has it, by its ISO 3166 alpha-2 code; undefined where no numbering plan tells. */
  readonly region: string | undefined
}

/** Returns `+` and digits as people read them, with the region that has them. */
export const readablePhone = (phone: string): ReadablePhone => {
  const number = phone.startsWith("+") && phone.length <= longest ? parsePhoneNumberFromString(phone) : undefined
  // A number of another length may have lost a digit to the plan's own trunk prefix: it is shown as it is dialled.
  if (number === undefined || number.number !== phone) return { text: phone, region: undefined }
  const region = number.country ?? onlyRegion(number.countryCallingCode)
  const text = number.formatInternational()
  // Brazil writes a dash before the last four digits, where the international form has a space.
  return { text: region === standardRegion ? text.replace(/ (\d{4})$/, "-$1") : text, region }
}

/** True for a phone number that names its country by + or 00, which is read in no region. */
export const isInternational = (written: string): boolean =>
  written.length <= longest && /^(?:\+|00)/.test(written.replace(removed, ""))

/** True when digits with their calling code are a number that exists in some numbering plan. */
export const isValidPhone = (digits: string): boolean => validForm(digits) !== undefined

/** True when digits with their calling code are as long as numbers of their country are. M-SBX-13 */
export const isPossiblePhone = (digits: string): boolean =>
  parsePhoneNumberFromString(`+${digits}`)?.isPossible() === true

const none: ReadonlyArray<string> = []

/** Returns the region of a calling code that no other region shares. */
const onlyRegion = (callingCode: string): string | undefined => {
  const [region, another] = getCountries().filter((one) => getCountryCallingCode(one) === callingCode)
  return another === undefined ? region : undefined
}

const longest = 64
const fewestDigits = 8
const mostDigits = 17
/** The most digits of a number in E.164, with its calling code. */
const mostOfNumber = 15

/** The fewest digits, with its calling code, of a number whose range is not listed. */
const fewestOfUnlisted = 10

/** What stands between digits: spaces and control characters, invisible marks, dashes, brackets, dots and slashes. */
const removed = /[\p{Z}\p{Cc}\p{Cf}\p{Pd}()./]/gu

const digitsIn = (text: string): string => text.normalize("NFKC").replace(/\D/g, "")

/** Brazil's trunk zero with a stand-in for the code of a carrier, as `0xx11 98765-4321` and `+55 (0xx11) 98765-4321`. */
const carrierStandIn = /^(\+?55)?0(?:xx|\*\*)(?=\d{10,11}$)/i

const withoutCarrier = (text: string, region: string): string =>
  region === standardRegion || text.startsWith("+55") ? text.replace(carrierStandIn, "$1") : text

/** Returns the number of a text without separators; undefined for a text that is no valid number. */
const internationalForm = (text: string, region: string): string | undefined => {
  const international = /^(?:\+|00)(\d+)$/.exec(text)?.[1]
  if (international !== undefined) return validForm(international)
  return /^\d+$/.test(text) ? nationalForm(text, region) : undefined
}

/** Whether an area code of Brazil exists, learned from the numbering plan at its first number. */
const brazilianAreas = new Map<string, boolean>()

const isBrazilianArea = (area: string): boolean => {
  const known = brazilianAreas.get(area)
  if (known !== undefined) return known
  const exists = parsePhoneNumberFromString(`+55${area}999999999`)?.isValid() === true
  brazilianAreas.set(area, exists)
  return exists
}

const brazilianNational = /^0*(?:55)?((\d\d)9\d{8})$/
const brazilianMobile = /^55(\d\d)9\d{8}$/
const oldMexicanMobile = /^521(?=\d{10}$)/

/**
 * Returns `+` and the digits of a number with its calling code, trunk zeros cut; undefined when no numbering plan has it.
 * A number without its ninth digit, or with Mexico's former mobile prefix, is judged with the present spelling and stays
 * as it is.
 */
const validForm = (digits: string): string | undefined => {
  // Most numbers of most tenants: a look at the numbering plan would take twenty times as long.
  const area = brazilianMobile.exec(digits)?.[1]
  if (area !== undefined && isBrazilianArea(area)) return `+${digits}`
  if (digits.length > mostDigits) return undefined
  const number = parsePhoneNumberFromString(`+${digits}`)
  return number !== undefined && isValid(number) ? number.number : undefined
}

const isValid = (number: PhoneNumber): boolean => {
  const digits = number.number.slice(1)
  // Germany's plan has numbers that are longer than E.164 allows, which nobody can be sent to.
  if (digits.length < fewestDigits || digits.length > mostOfNumber) return false
  if (number.isValid()) return true
  const present = matchKey(digits).replace(oldMexicanMobile, "52")
  return present !== digits && parsePhoneNumberFromString(`+${present}`)?.isValid() === true
}

/** Returns the number that digits without `+` mean in a region; undefined when it is not valid there. */
const nationalForm = (digits: string, region: string): string | undefined => {
  if (!isPhoneRegion(region) || digits.length > mostDigits) return undefined
  const mobile = region === standardRegion ? brazilianNational.exec(digits) : null
  if (mobile !== null && isBrazilianArea(mobile[2] ?? "")) return `+55${mobile[1]}`
  const callingCode = getCountryCallingCode(region)
  for (const national of [digits, digits.replace(/^0+/, "")]) {
    const number = parsePhoneNumberFromString(national, region)
    if (number?.countryCallingCode !== callingCode || !isValid(number)) continue
    return `+${matchKey(number.number.slice(1))}`
  }
  return undefined
}

const refusalOf = (text: string, regionOfProject: string): PhoneRefusal => {
  const likely = likelyNumber(digitsIn(text), regionOfProject)
  const namesCountry = isInternational(text)
  const region = namesCountry ? undefined : regionOfProject
  const wrong = namesCountry
    ? "No country has this phone number"
    : `The region ${regionOfProject} has no such phone number`
  const advice = namesCountry ? "Check its digits." : "Write its area code too, or + and its calling code."
  return {
    fault: "invalid",
    likely,
    region,
    message: `${wrong}. ${likely === undefined ? advice : `Did you mean ${likely}?`}`
  }
}

/** Returns the valid number that the digits of a refused text make in the region, else abroad. */
const likelyNumber = (digits: string, region: string): string | undefined =>
  nationalForm(digits, region) ?? validForm(digits.replace(/^0+/, "")) ?? dialledForm(digits, region)

/** Returns the number that a telephone in the region calls by these digits, with the prefix that leads abroad from there. */
const dialledForm = (digits: string, region: string): string | undefined => {
  const number = isPhoneRegion(region) ? parsePhoneNumberFromString(digits, region) : undefined
  return number !== undefined && isValid(number) ? number.number : undefined
}

const decimalForm = /^([+-]?\d+)[.,]0{1,2}$/
const exponentForm = /^([+-]?\d+)(?:[.,](\d+))?e\+?(\d{1,2})$/i

/** Returns the refusal of a number that a spreadsheet wrote as a quantity; undefined for any other text. */
const readSpreadsheetNumber = (text: string, region: string): PhoneRefusal | undefined => {
  const whole = decimalForm.exec(text)?.[1]
  if (whole !== undefined && whole.length >= fewestDigits) {
    return spreadsheetRefusal("decimal", "a decimal number (it ends in .0)", likelyNumber(digitsIn(whole), region))
  }
  const [, units = "", fraction = "", exponent] = exponentForm.exec(text) ?? []
  if (exponent === undefined) return undefined
  // With a digit for each power of ten nothing was rounded away.
  const isWhole = fraction.length === Number(exponent)
  const likely = isWhole ? likelyNumber(digitsIn(units + fraction), region) : undefined
  return spreadsheetRefusal("exponent", `a rounded quantity (it ends in E+${exponent})`, likely)
}

const spreadsheetRefusal = (fault: PhoneFault, form: string, likely: string | undefined): PhoneRefusal => ({
  fault,
  likely,
  region: undefined,
  message: `A spreadsheet wrote this phone number as ${form}. Format its column as text and write it again.${
    likely === undefined ? "" : ` Did you mean ${likely}?`
  }`
})
