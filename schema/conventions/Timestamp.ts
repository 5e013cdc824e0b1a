import { Schema } from "effect"

/** Output form `YYYY-MM-DDTHH:MM:SS.mmmZ`, always UTC. A-CONV-10, gaps-1 A "Timestamp format" */
export const Timestamp = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u, { expected: "an instant in UTC with milliseconds" })
).annotate({
  format: "date-time",
  description: "ISO 8601 in UTC with milliseconds.",
  examples: ["2026-01-01T12:00:00.000Z"]
})

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * Returns the epoch milliseconds of an RFC 3339 string with a zone, truncated; `undefined` for any other text.
 * A-CONV-11
 */
export const parseTimestamp = (text: string): number | undefined => {
  const match = rfc3339.exec(text)
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const offsetHours = Number(match[9] ?? 0)
  const offsetMinutes = Number(match[10] ?? 0)
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return undefined
  if (offsetHours > 23 || offsetMinutes > 59 || year < 1) return undefined
  if (day < 1 || day > daysIn(year, month)) return undefined
  const milliseconds = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, milliseconds)
  const sign = match[8] === "-" ? -1 : 1
  const millis = date.getTime() - sign * (offsetHours * 60 + offsetMinutes) * 60_000
  // An offset may lead out of the years that the output form can write.
  return millis < firstInstant || millis >= firstUnwritten ? undefined : millis
}

/** A pattern instead of the format `date-time`, for which many validators of generators refuse every offset but Z. */
const describedInstant =
  "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"

/** Input form: RFC 3339 with `Z` or an offset and 0..9 fraction digits. A-CONV-11 */
export const TimestampInput = Schema.String.check(
  Schema.makeFilter((text: string) => parseTimestamp(text) !== undefined, {
    expected: "an RFC 3339 timestamp with a timezone",
    toJsonSchema: () => [{ pattern: describedInstant }, true]
  })
).annotate({ description: "RFC 3339 with a timezone.", examples: ["2026-01-01T09:00:00-03:00"] })

/** Returns an instant in the output form; one before the year 1 or after 9999 counts as the nearest within. */
export const formatTimestamp = (millis: number): string =>
  millis >= firstWritten && millis < firstUnwritten
    ? written(millis)
    : new Date(Math.min(Math.max(millis, firstInstant), firstUnwritten - 1)).toISOString()

const firstWritten = 0
/** The first instant of the year 1. */
const firstInstant = -62_135_596_800_000
/** The first instant whose year has five digits. */
const firstUnwritten = 253_402_300_800_000
/** An hour, in milliseconds. */
export const hourMs = 3_600_000
/** A day of 24 hours, in milliseconds. */
export const dayMs = 24 * hourMs

/**
 * Returns the text of an instant; `toISOString` takes three times as long for the instants of a whole response. Days
 * count from 1970, years from March.
 */
const written = (millis: number): string => {
  const days = Math.floor(millis / dayMs)
  const ms = Math.trunc(millis) - days * dayMs
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  const seconds = Math.floor(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  const date = `${year}-${digits[month]}-${digits[day]}`
  const time = `${digits[Math.floor(minutes / 60)]}:${digits[minutes % 60]}:${digits[seconds % 60]}`
  const rest = ms % 1000
  return `${date}T${time}.${rest < 100 ? "0" : ""}${rest < 10 ? "0" : ""}${rest}Z`
}

const digits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"))

/** Returns an instant in the output form; null stays null. */
export const formatTimestampOrNull = (millis: number | null): string | null =>
  millis === null ? null : formatTimestamp(millis)

const daysIn = (year: number, month: number): number =>
  month === 2
    ? (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
      ? 29
      : 28
    : month === 4 || month === 6 || month === 9 || month === 11
      ? 30
      : 31
