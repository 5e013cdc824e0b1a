import { type ImportTarget, importTargets } from "./ImportTargets.ts"
import { isCapability, placeOf } from "./Places.ts"
import { roleOf } from "./Roles.ts"
import { lineAt, type SourceText } from "./SourceText.ts"
import type { Violation } from "./WordingRules.ts"

type Files = ReadonlyMap<string, SourceText>

/** What the business decides, it decides from its arguments: neither a rule nor a file it runs reaches outside. */
export const rulesProblems = (files: Files): ReadonlyArray<Violation> =>
  [...files].flatMap(([path, source]) => {
    if (roleOf(path, source) !== "rules" || !isCapability(placeOf(path))) return []
    return [
      ...readings(path, source),
      ...importTargets(path, source, files).flatMap((found) => importProblem(path, found, files))
    ]
  })

const readings = (path: string, { code }: SourceText): ReadonlyArray<Violation> =>
  [...code.matchAll(/\bDateTime\.now\w*/g)].map((match) => ({
    path,
    line: lineAt(code, match.index),
    rule: "rules-pure",
    message: `rules read no clock: ${match[0]}`
  }))

const importProblem = (path: string, found: ImportTarget, files: Files): ReadonlyArray<Violation> => {
  const message = reach(found, files, new Set())
  return message === undefined
    ? []
    : [{ path, line: found.import.line, rule: "rules-pure", message: `rules reach ${message}` }]
}

/** What an import leads to that a rule must not run, with the way to it; undefined when there is nothing. */
const reach = (
  { import: { specifier, typeOnly, values }, target }: ImportTarget,
  files: Files,
  seen: Set<string>
): string | undefined => {
  if (typeOnly) return undefined
  if (target === undefined) {
    if (specifier === "node:crypto" && values.every((name) => hashing.has(name))) return undefined
    if (specifier === "node:zlib" && values.every((name) => packing.has(name))) return undefined
    if (outside.test(specifier)) return specifier
    const impure = specifier === "effect" ? values.find((name) => name === "Clock" || name === "Random") : undefined
    return impure === undefined ? undefined : `effect's ${impure}`
  }
  const source = files.get(target)
  if (source === undefined || seen.has(target) || placeOf(target).area === "schema") return undefined
  seen.add(target)
  if (/\bContext\s*\.\s*Service\b/.test(source.code)) return `a service: ${target}`
  for (const found of importTargets(target, source, files)) {
    const further = reach(found, files, seen)
    if (further !== undefined) return `${target} > ${further}`
  }
  return undefined
}

const outside =
  /^(?:effect\/(?:Clock|Random|sql|http|http-api|rpc|cluster)|@effect\/platform-node|@effect\/sql-pg)(?:\/|$)|^node:/

/** What of the library takes bytes and gives the same bytes each time. */
const packing: ReadonlySet<string> = new Set(["crc32", "deflateSync", "inflateSync"])
const hashing: ReadonlySet<string> = new Set(["createHash", "createHmac", "createSecretKey", "timingSafeEqual"])
