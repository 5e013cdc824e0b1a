import { posix } from "node:path"
import type { SourceText } from "./SourceText.ts"
import type { Violation } from "./WordingRules.ts"

/** Export maps of packages by the path of their package.json: the file behind each entry. */
export type ExportMaps = ReadonlyMap<string, Readonly<Record<string, string>> | undefined>

/**
 * Returns what is wrong with the export maps of packages: one that is missing, an entry that opens a whole folder, one
 * without a file, and one that nothing outside of its package imports. decision 0045
 */
export const exportMapProblems = (
  maps: ExportMaps,
  files: ReadonlyMap<string, SourceText>
): ReadonlyArray<Violation> => {
  const uses = usesByPackage(files)
  return [...maps].flatMap(([path, map]) => {
    const problem = (message: string): Violation => ({ path, line: 1, rule: "export-maps", message })
    const folder = posix.dirname(path)
    if (map === undefined) return [problem("a package names its entries in an export map")]
    return Object.entries(map).flatMap(([entry, file]) => {
      const specifier = posix.join(`@carteiro/${posix.basename(folder)}`, entry)
      if (entry.includes("*") || file.includes("*")) return [problem(`${entry} names no single file`)]
      if (!files.has(posix.join(folder, file))) return [problem(`${entry} leads to ${file}, which is not there`)]
      const users = [...(uses.get(specifier) ?? [])].filter((user) => !user.startsWith(`${folder}/`))
      return users.length > 0 ? [] : [problem(`nothing imports ${specifier}`)]
    })
  })
}

/** The files that name each specifier of ours: in imports, and in `declare module`. */
const usesByPackage = (files: ReadonlyMap<string, SourceText>): ReadonlyMap<string, ReadonlySet<string>> => {
  const uses = new Map<string, Set<string>>()
  for (const [path, { code, imports, literals }] of files) {
    const merged = code.includes("declare module") ? literals.map(({ text }) => text) : []
    for (const specifier of [...imports.map((one) => one.specifier), ...merged]) {
      if (specifier.startsWith("@carteiro/")) uses.set(specifier, (uses.get(specifier) ?? new Set()).add(path))
    }
  }
  return uses
}
