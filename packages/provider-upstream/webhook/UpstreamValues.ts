import { storableId } from "@carteiro/provider/VendorWords.ts"

/** Returns a non-empty text; null for any other value. */
export const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

/** Returns a text that may be an id; null for any other value. */
export const idOf = storableId

/** The last second of the year 9999. */
const lastSecond = 253_402_300_799

/** Returns the platform's seconds since the epoch in milliseconds; null for any other value. */
export const instantOf = (value: unknown): number | null => {
  const seconds = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof seconds === "number" && seconds > 0 && seconds <= lastSecond ? Math.floor(seconds) * 1000 : null
}
