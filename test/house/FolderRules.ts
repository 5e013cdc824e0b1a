import { posix } from "node:path"
import { importCycles } from "./ImportCycles.ts"
import { placeOf } from "./Places.ts"
import type { Violation } from "./WordingRules.ts"

/** Most files in one folder of runtime and packages: more are more than one thing. House style (a) */
const mostFiles = 12

/** Folders that are too full, and folders of one room or of platform that import each other; `pairs` are imports. */
export const folderProblems = (
  paths: ReadonlyArray<string>,
  pairs: ReadonlyArray<readonly [from: string, to: string]>
): ReadonlyArray<Violation> => [...fullFolders(paths), ...folderCycles(pairs)]

const fullFolders = (paths: ReadonlyArray<string>): ReadonlyArray<Violation> => {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const { area } = placeOf(path)
    const folder = posix.dirname(path)
    if (area === "runtime" || area === "packages") counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) =>
    count <= mostFiles
      ? []
      : [{ path: folder, line: 1, rule: "small-folders", message: `${count} files, ${mostFiles} at most` }]
  )
}

/** A folder and one inside it are told apart like any two: what a folder hands down stands in a folder of its own. */
const folderCycles = (pairs: ReadonlyArray<readonly [from: string, to: string]>): ReadonlyArray<Violation> => {
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
