import { storableId } from "@carteiro/provider/VendorWords.ts"

/** Returns a non-empty text; null for any other value. */
export const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

/** The most letters of a text that a customer wrote or shared. */
const mostLetters = 4096

/** Returns a non-empty text, cut to 4096 letters; undefined for any other value. */
export const shortText = (value: unknown): string | undefined => textOf(value)?.slice(0, mostLetters).toWellFormed()

/** Returns a number, also one that is written as a text; undefined for any other value. */
export const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

/** Returns a text that may be an id; null for any other value. */
export const idOf = storableId

/** The last second of the year 9999. */
const lastSecond = 253_402_300_799

/** Returns the platform's seconds since the epoch in milliseconds; null for any other value. */
export const instantOf = (value: unknown): number | null => {
  const seconds = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof seconds === "number" && seconds > 0 && seconds <= lastSecond ? Math.floor(seconds) * 1000 : null
}
