import { storableId } from "@carteiro/provider/words/VendorWords.ts"

/** A text that says something; null for anything else. */
export const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

/** A text that may be the id of something; null for anything else. */
export const idOf = storableId

/** The last second of which there is an instant with four digits for its year. */
const lastSecond = 253_402_300_799

/** Seconds since the epoch, as the platform writes instants, in milliseconds; null for anything else. */
export const instantOf = (value: unknown): number | null => {
  const seconds = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof seconds === "number" && seconds > 0 && seconds <= lastSecond ? Math.floor(seconds) * 1000 : null
}
