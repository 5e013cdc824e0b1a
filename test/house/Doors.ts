import { doorOf, isCapability, operatorDoorOf, placeOf, resolveImport } from "./Places.ts"
import type { SourceText } from "./SourceText.ts"
import type { Violation } from "./WordingRules.ts"

const isDoor = (path: string): boolean => {
  const place = placeOf(path)
  const isEither = path === doorOf(place.folder) || path === operatorDoorOf(place.folder)
  return place.area === "runtime" && isCapability(place) && isEither
}

/** A door hands on what other rooms may call, each from the file of its subject, and makes nothing of its own. */
export const thickDoor = (path: string, { code }: SourceText): ReadonlyArray<Violation> => {
  if (!isDoor(path)) return []
  const rest = code.replace(/\bexport\s+(?:type\s+)?\{[^}]*\}\s*from\s*"[^"]*"/g, "").trim()
  return rest === ""
    ? []
    : [{ path, line: 1, rule: "thin-door", message: "a door only hands on; wiring stands in room.ts" }]
}

/**
 * The one SQL text that a door hands out: the statements that read a number for a send take its throughput tier along, which
 * saves a round trip on the hot path. Nothing is added here.
 */
const stillHandedOut: Readonly<Record<string, ReadonlyArray<string>>> = { billing: ["throughputTierSql"] }

/** Returns repositories, writes and SQL that a door hands out, and entries of the list that no door needs any more. */
export const handOuts = (
  path: string,
  { imports }: SourceText,
  files: ReadonlyMap<string, SourceText>,
  allowed = stillHandedOut
): ReadonlyArray<Violation> => {
  if (!isDoor(path)) return []
  const found = imports.flatMap(({ line, specifier, values }) => {
    const code = files.get(resolveImport(path, specifier) ?? "")?.code ?? ""
    return values.filter((name) => isStorage(name, code)).map((name) => ({ name, line }))
  })
  const { folder } = placeOf(path)
  const listed = path === doorOf(folder) ? (allowed[folder] ?? []) : []
  const stale = files.has(path) ? listed.filter((name) => !found.some((one) => one.name === name)) : []
  return [
    ...found
      .filter(({ name }) => !listed.includes(name))
      .map(({ line, name }) => ({ path, line, rule: "door-storage", message: `${name}: a door hands out services` })),
    ...stale.map((name) => ({ path, line: 1, rule: "door-storage", message: `${name} leaves the list in Doors.ts` }))
  ]
}

const isStorage = (name: string, code: string): boolean =>
  /(?:Repo|Sql)$/.test(name) ||
  new RegExp(`\\bconst\\s+${name}\\s*=\\s*(?:define(?:Write|Insert|Update|Table)|insertInto|updateOf|select)\\b`).test(
    code
  )

/**
 * Returns names that a room's door hands to nobody, and those that only the operator's commands call, which stand in the
 * operator's door. Decision 0177
 */
export const doorsToOthers = (files: ReadonlyMap<string, SourceText>): ReadonlyArray<Violation> => {
  const callers = new Map<string, Set<string>>()
  for (const [path, { imports }] of files) {
    const { area, folder } = placeOf(path)
    if (area !== "runtime" && area !== "test") continue
    for (const { names, specifier } of imports) {
      const target = resolveImport(path, specifier)
      if (target === undefined || !isDoor(target)) continue
      for (const name of names) {
        const key = `${target} ${name}`
        callers.set(key, (callers.get(key) ?? new Set()).add(area === "test" ? "test" : folder))
      }
    }
  }
  return [...files].flatMap(([path, { imports }]) => {
    const { folder } = placeOf(path)
    if (!isDoor(path) || path === operatorDoorOf(folder)) return []
    const problem = (line: number, message: string): Violation => ({ path, line, rule: "door-names", message })
    return imports.flatMap(({ line, names }) =>
      names.flatMap((name) => {
        const by = callers.get(`${path} ${name}`) ?? new Set()
        if (by.size === 0) return [problem(line, `nobody takes ${name}`)]
        return by.has("cli") && [...by].every((one) => one === "cli" || one === "test")
          ? [problem(line, `${name}: only the operator's commands call it, so it stands in ${operatorDoorOf(folder)}`)]
          : []
      })
    )
  })
}
