/** One path per knot of files that import each other, from its first file in alphabetical order. */
export const importCycles = (edges: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  const targets = new Map<string, Set<string>>()
  for (const [from, to] of edges) {
    if (from !== undefined && to !== undefined) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  }
  const reported = new Set<string>()
  const cycles: Array<ReadonlyArray<string>> = []
  for (const start of [...targets.keys()].toSorted()) {
    if (reported.has(start)) continue
    const cycle = shortestWayBack(start, targets)
    if (cycle === undefined) continue
    for (const path of cycle) reported.add(path)
    cycles.push(cycle)
  }
  return cycles
}

const shortestWayBack = (
  start: string,
  targets: ReadonlyMap<string, ReadonlySet<string>>
): ReadonlyArray<string> | undefined => {
  const seen = new Set<string>()
  let ways: ReadonlyArray<ReadonlyArray<string>> = [[start]]
  while (ways.length > 0) {
    const longer: Array<ReadonlyArray<string>> = []
    for (const way of ways) {
      for (const next of targets.get(way.at(-1) ?? "") ?? []) {
        if (next === start) return way
        if (seen.has(next)) continue
        seen.add(next)
        longer.push([...way, next])
      }
    }
    ways = longer
  }
  return undefined
}
