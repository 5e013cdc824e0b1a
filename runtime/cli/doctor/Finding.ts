/**
 * How one thing stands: `attention` will become wrong, or costs something; `wrong` keeps the installation from its work;
 * `unknown` cannot be seen from here.
 */
export type Verdict = "ok" | "attention" | "wrong" | "unknown"

/** One sentence about one thing, and for whatever is not well a sentence that tells what to do. */
export interface Judgement {
  readonly status: Verdict
  readonly found: string
  readonly remedy: string | null
}

/** One judgement with the name of the check that made it. */
export interface Finding extends Judgement {
  readonly check: string
}

/** All is well. */
export const well = (finding: string): Judgement => ({ status: "ok", found: finding, remedy: null })

/** Something costs or will be wrong, and the remedy can wait for a day. */
export const attention = (finding: string, remedy: string): Judgement => ({
  status: "attention",
  found: finding,
  remedy
})

/** Something is wrong now. */
export const wrong = (finding: string, remedy: string): Judgement => ({ status: "wrong", found: finding, remedy })

/** It cannot be seen from here; the remedy tells where to look. */
export const unknown = (finding: string, remedy: string): Judgement => ({ status: "unknown", found: finding, remedy })

/** Returns the problems, or the sentence about a thing without any. */
export const problemsOr = (problems: ReadonlyArray<Judgement>, otherwise: string): ReadonlyArray<Judgement> =>
  problems.length === 0 ? [well(otherwise)] : problems

/** Returns a list for a sentence: at most five members, and how many more there are. */
export const listed = (names: ReadonlyArray<string>): string =>
  names.length <= 5 ? names.join(", ") : `${names.slice(0, 5).join(", ")} and ${names.length - 5} more`

/** Returns a length of time in the largest unit that fits, such as `3 hours`. */
export const span = (millis: number): string => {
  const seconds = Math.round(millis / 1000)
  if (seconds < 120) return `${seconds} seconds`
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} hours` : `${Math.round(seconds / 86_400)} days`
}

/** Returns a number of bytes in the largest unit that fits, such as `12.5 GB`. */
export const size = (bytes: number): string => {
  const units = ["bytes", "KB", "MB", "GB", "TB"]
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
