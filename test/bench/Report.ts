import type { Sample, SideResult } from "./Rounds.ts"

/** A promise about the numbers, and whether they keep it. */
export interface Bar {
  readonly promise: string
  readonly measured: string
  readonly passed: boolean
}

/** What one workload found. */
export interface Finding {
  readonly name: string
  /** One sentence: what was asked of whom. */
  readonly about: string
  readonly sides: ReadonlyArray<SideResult>
  /** What the first column counts, by the second. */
  readonly unit: string
  readonly bars: ReadonlyArray<Bar>
  /** Further facts, one line each. */
  readonly facts: ReadonlyArray<string>
}

type Metric = keyof Sample

/** The median of what was measured; undefined when nothing was. */
export const median = (values: ReadonlyArray<number | undefined>): number | undefined => {
  const sorted = values.filter((value) => value !== undefined).toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  if (sorted.length === 0) return undefined
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

/** The median of one metric over a side's rounds. */
export const medianOf = (side: SideResult | undefined, metric: Metric): number | undefined =>
  side === undefined ? undefined : median(side.samples.map((sample) => sample[metric]))

/** The side of this name. */
export const sideOf = (sides: ReadonlyArray<SideResult>, name: string): SideResult | undefined =>
  sides.find((side) => side.name === name)

/** `carteiro` is at least `factor` times as fast as `peer`. */
export const atLeast = (sides: ReadonlyArray<SideResult>, peer: string, factor: number): Bar =>
  compare(
    `at least ${factor}x ${peer}`,
    medianOf(sideOf(sides, "carteiro"), "perSecond"),
    medianOf(sideOf(sides, peer), "perSecond"),
    (ratio) => ratio >= factor
  )

/** The 99th percentile of `carteiro` is not above the peer's. */
export const notSlower = (sides: ReadonlyArray<SideResult>, peer: string): Bar =>
  compare(
    `p99 not above ${peer}`,
    medianOf(sideOf(sides, "carteiro"), "p99Ms"),
    medianOf(sideOf(sides, peer), "p99Ms"),
    (ratio) => ratio <= 1
  )

/** A request of `carteiro` costs at most so many milliseconds of processor time, PostgreSQL's included. */
export const costsAtMost = (sides: ReadonlyArray<SideResult>, ms: number): Bar =>
  limit(
    `at most ${ms} ms of processor time each`,
    medianOf(sideOf(sides, "carteiro"), "cpuMs"),
    (value) => value <= ms,
    3
  )

/** The name of a side that is the product without its request log. */
export const withoutLog = "without request log"

/** The request log adds at most a tenth of a request's processor time, and so many bytes of write-ahead log. */
export const logAddsAtMost = (sides: ReadonlyArray<SideResult>, bytes: number): ReadonlyArray<Bar> => {
  const plain = sideOf(sides, withoutLog)
  const ours = sideOf(sides, "carteiro")
  const [withIt, withoutIt] = [medianOf(ours, "walBytes"), medianOf(plain, "walBytes")]
  const added = withIt === undefined || withoutIt === undefined ? undefined : withIt - withoutIt
  return [
    compare(
      `processor time at most 1.1x that ${withoutLog}`,
      medianOf(ours, "cpuMs"),
      medianOf(plain, "cpuMs"),
      (ratio) => ratio <= 1.1
    ),
    limit(`the request log adds at most ${bytes} log bytes`, added, (value) => value <= bytes)
  ]
}

/** Returns the bars that were missed, each behind the name of its workload. */
export const missesOf = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> =>
  findings.flatMap(({ bars, name }) =>
    bars.flatMap(({ measured, passed, promise }) => (passed ? [] : [`${name}: ${promise} (${measured})`]))
  )

const compare = (
  promise: string,
  ours: number | undefined,
  theirs: number | undefined,
  keeps: (ratio: number) => boolean
): Bar => {
  if (ours === undefined || theirs === undefined) return { promise, measured: "not measured", passed: false }
  const ratio = ours / theirs
  return { promise, measured: `${ratio.toFixed(2)}x`, passed: keeps(ratio) }
}

/** A number of ours stays at or below, or above, a limit. */
export const limit = (
  promise: string,
  value: number | undefined,
  keeps: (value: number) => boolean,
  digits = 0
): Bar =>
  value === undefined
    ? { promise, measured: "not measured", passed: false }
    : { promise, measured: grouped(value, digits), passed: keeps(value) }

/** The table of a finding, header first; the ratio is against the first side. */
export const tableOf = ({ sides, unit }: Finding): ReadonlyArray<ReadonlyArray<string>> => {
  if (sides.length === 0) return []
  const costs = ["CPU ms", "PostgreSQL", "SQL", "generator", "log bytes", "HOT"]
  const head = ["side", `${unit}/s`, "min..max", "carteiro is", "p50 ms", "p99 ms", ...costs]
  const ours = medianOf(sides[0], "perSecond") ?? 0
  const rows = sides.map((side, at) => {
    const rate = medianOf(side, "perSecond") ?? 0
    const all = side.samples.map(({ perSecond }) => perSecond)
    return [
      side.name,
      grouped(rate, rate < 100 ? 1 : 0),
      `${grouped(Math.min(...all))}..${grouped(Math.max(...all))}`,
      at === 0 || rate === 0 ? "" : `${(ours / rate).toFixed(2)}x`,
      shown(medianOf(side, "p50Ms"), 1),
      shown(medianOf(side, "p99Ms"), 1),
      shown(medianOf(side, "cpuMs"), 3),
      shown(medianOf(side, "databaseCpuMs"), 3),
      shown(medianOf(side, "statements"), 2),
      shown(medianOf(side, "generatorCpuMs"), 3),
      shown(medianOf(side, "walBytes"), 0),
      percent(medianOf(side, "inPlace"))
    ]
  })
  return [head, ...rows]
}

const percent = (share: number | undefined) => (share === undefined ? "-" : `${Math.round(share * 100)}%`)

const shown = (value: number | undefined, digits: number) => (value === undefined ? "-" : value.toFixed(digits))

/** `12,345.6` */
export const grouped = (value: number, digits = 0): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** A finding for the terminal; `before` is the committed rate of a side. */
export const printed = (finding: Finding, before: (side: string) => string | undefined): string => {
  const table = tableOf(finding).map((row, at) => {
    const committed = at === 0 ? "committed" : (before(row[0] ?? "") ?? "-")
    return [...row.slice(0, 2), committed, ...row.slice(2)]
  })
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
  )
  const bars = finding.bars.map(
    ({ measured, passed, promise }) => `${passed ? "PASS" : "MISS"} ${promise}: ${measured}`
  )
  return [
    `${finding.name}: ${finding.about}`,
    ...[...lines, ...finding.facts, ...bars].map((line) => `  ${line}`)
  ].join("\n")
}
