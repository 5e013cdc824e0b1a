import { posix } from "node:path"
import { placeOf } from "./Places.ts"
import type { Violation } from "./WordingRules.ts"

/** Most files in one folder of runtime and packages: more are more than one thing. House style (a) */
const mostFiles = 12

/** Folders that hold too many files. */
export const folderProblems = (paths: ReadonlyArray<string>): ReadonlyArray<Violation> => {
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
