import { posix } from "node:path"
import { importCycles } from "./ImportCycles.ts"
import { placeOf } from "./Places.ts"
import type { Violation } from "./WordingRules.ts"

/**
 * Returns the folders of one room or of platform that import each other; `pairs` are imports. A folder and one inside
 * it count as two: what a folder hands down stands in a folder of its own.
 */
export const folderCycles = (pairs: ReadonlyArray<readonly [from: string, to: string]>): ReadonlyArray<Violation> => {
  const between = pairs.flatMap(([from, to]) => {
    const [a, b] = [placeOf(from), placeOf(to)]
    const inside = a.area === "runtime" && b.area === "runtime" && a.folder === b.folder
    const folders = [posix.dirname(from), posix.dirname(to)] as const
    return inside && (a.isRoom || a.folder === "platform") && folders[0] !== folders[1] ? [folders] : []
  })
  return importCycles(between).map((cycle) => ({
    path: cycle[0] ?? "",
    line: 1,
    rule: "no-folder-cycles",
    message: [...cycle, cycle[0]].join(" > ")
  }))
}
