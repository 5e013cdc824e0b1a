/** A text that says something; null for anything else. */
export const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

/** Seconds since the epoch, as the platform writes instants, in milliseconds; null for anything else. */
export const instantOf = (value: unknown): number | null => {
  const seconds = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0 ? Math.floor(seconds) * 1000 : null
}
