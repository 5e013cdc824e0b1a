import { placeOf, wiringOf } from "./Places.ts"
import type { Violation } from "./WordingRules.ts"

/** An import that is there when the program runs: from a file to the file that it names. */
export type ValueImport = readonly [from: string, to: string, line: number]

/**
 * Files that one value import may load at most, with those that the imported file imports, declarations of tables too.
 * docs/architecture.md, section 1
 */
export const widestReach = 170

/** Folders of `runtime` that put rooms together. */
const composing: ReadonlyArray<string> = ["", "app", "boot", "cli"]

/** Returns the value imports of `runtime` that load too many files. Wiring is free to import: `runtime/app` alone loads it. */
export const wideImports = (imports: ReadonlyArray<ValueImport>, bound = widestReach): ReadonlyArray<Violation> => {
  const targets = new Map<string, Set<string>>()
  for (const [from, to] of imports) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  const known = new Map<string, number>()
  const reachOf = (path: string) => {
    const reach = known.get(path) ?? reached(path, targets)
    known.set(path, reach)
    return reach
  }
  return imports.flatMap(([from, to, line]) => {
    const { area, folder } = placeOf(from)
    if (area !== "runtime" || composing.includes(folder) || from === wiringOf(folder)) return []
    const reach = reachOf(to)
    return reach <= bound
      ? []
      : [{ path: from, line, rule: "short-reach", message: `${to} loads ${reach} files, ${bound} at most` }]
  })
}

const reached = (path: string, targets: ReadonlyMap<string, ReadonlySet<string>>): number => {
  const seen = new Set([path])
  for (const one of seen) for (const target of targets.get(one) ?? []) seen.add(target)
  return seen.size
}
