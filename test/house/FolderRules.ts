import { posix } from "node:path"
import { importCycles } from "./ImportCycles.ts"
import { carriers, declaresTables, placeOf } from "./Places.ts"
import type { Violation } from "./WordingRules.ts"

/**
 * Returns the folders of one room, or of one package below the rooms, that import each other; `pairs` are imports. A
 * folder and one inside it count as two. Files directly in a package do not count: they are its entries and its leaves. Nor
 * do declarations of tables, which load nothing of their room.
 */
export const folderCycles = (pairs: ReadonlyArray<readonly [from: string, to: string]>): ReadonlyArray<Violation> => {
  const between = pairs.flatMap(([from, to]) => {
    const [a, b] = [placeOf(from), placeOf(to)]
    const folders = [posix.dirname(from), posix.dirname(to)] as const
    if (a.area !== b.area || a.folder !== b.folder || folders[0] === folders[1]) return []
    if (a.area === "runtime") return a.isRoom && !declaresTables(from) && !declaresTables(to) ? [folders] : []
    const isCarrier = a.area === "packages" && a.folder in carriers
    return isCarrier && !folders.includes(`packages/${a.folder}`) ? [folders] : []
  })
  return importCycles(between).map((cycle) => ({
    path: cycle[0] ?? "",
    line: 1,
    rule: "no-folder-cycles",
    message: [...cycle, cycle[0]].join(" > ")
  }))
}
