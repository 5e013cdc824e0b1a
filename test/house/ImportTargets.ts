import { resolveImport } from "./Places.ts"
import type { Import, SourceText } from "./SourceText.ts"

/** One import with the file that declares its names; `target` is undefined for a module that is not ours. */
export interface ImportTarget {
  readonly target: string | undefined
  readonly import: Import
}

/**
 * Returns where the imports of a file lead. An import from an entry of a package counts for the files that declare the
 * names: the entry may hand on others that were not asked for.
 */
export const importTargets = (
  path: string,
  { imports }: SourceText,
  files: ReadonlyMap<string, SourceText>
): ReadonlyArray<ImportTarget> =>
  imports.flatMap((found) => {
    const target = resolveImport(path, found.specifier)
    const passed = found.dynamic || !target?.startsWith("packages/") ? [] : handedOn(target, files)
    const elsewhere = passed.flatMap(({ names, target: declaring }) => {
      const part = found.names.filter((name) => names.includes(name))
      return part.length === 0 ? [] : [{ target: declaring, import: only(found, part) }]
    })
    const taken = new Set(elsewhere.flatMap((one) => one.import.names))
    const own = found.names.filter((name) => !taken.has(name))
    const hereToo = elsewhere.length === 0 || own.length > 0
    return [...elsewhere, ...(hereToo ? [{ target, import: elsewhere.length === 0 ? found : only(found, own) }] : [])]
  })

const handedOn = (path: string, files: ReadonlyMap<string, SourceText>) =>
  (files.get(path)?.imports ?? []).flatMap(({ handsOn, names, specifier }) => {
    const target = handsOn ? resolveImport(path, specifier) : undefined
    return target === undefined ? [] : [{ names, target }]
  })

const only = (found: Import, names: ReadonlyArray<string>): Import => {
  const values = found.values.filter((name) => names.includes(name))
  return { ...found, names, values, typeOnly: found.typeOnly || values.length === 0 }
}
