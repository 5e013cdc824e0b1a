import { doorOf, isCapability, placeOf, resolveImport } from "./Places.ts"
import type { SourceText } from "./SourceText.ts"
import type { Violation } from "./WordingRules.ts"

const isDoor = (path: string): boolean => {
  const place = placeOf(path)
  return place.area === "runtime" && isCapability(place) && path === doorOf(place.folder)
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
  const listed = allowed[placeOf(path).folder] ?? []
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
