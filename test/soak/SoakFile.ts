import { readFileSync, statSync } from "node:fs"
import type { End } from "./End.ts"
import type { Sample } from "./Sample.ts"
import type { plan } from "./Traffic.ts"

/** The first line of a soak. */
export interface About {
  readonly commit: string
  readonly node: string
  readonly postgres: string
  readonly plan: typeof plan
}

/** A soak that has ended. */
export interface Soak {
  readonly about: About
  readonly samples: ReadonlyArray<Sample>
  readonly end: End & { readonly seconds: number }
  /** The day on which it ended. */
  readonly day: string
}

type Line = { readonly about: About } | { readonly end: Soak["end"] } | Sample

/** Reads the file of a soak; throws when it has not ended, or has too few lines to compare. */
export const readSoak = (path: string): Soak => {
  const lines = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)
  const samples = lines.filter((line): line is Sample => "at" in line)
  const about = lines.find((line): line is { readonly about: About } => "about" in line)?.about
  const end = lines.find((line): line is { readonly end: Soak["end"] } => "end" in line)?.end
  if (about === undefined || end === undefined) throw new Error(`${path}: the soak has not ended`)
  if (samples.length < 8) throw new Error(`${path}: ${samples.length} lines are too few to compare`)
  return { about, samples, end, day: statSync(path).mtime.toISOString().slice(0, 10) }
}
