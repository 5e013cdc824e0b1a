import { readFileSync } from "node:fs"
import { importCycles } from "./ImportCycles.ts"
import { doorOf, grounds, isCapability, type Place, placeOf, resolveImport, roles, rooms } from "./Places.ts"
import { sourceFiles } from "./SourceFiles.ts"
import { type Import, lineAt, readSource, type SourceText } from "./SourceText.ts"
import { type Violation, wordingProblems } from "./WordingRules.ts"

/** An import with both of its ends placed; `target` is undefined for a module that is not ours. */
interface Edge {
  readonly from: Place
  readonly target: Place | undefined
  readonly import: Import
}

type Files = ReadonlyMap<string, SourceText>
type Rule = (edge: Edge, files: Files) => string | undefined

const within = (specifier: string, ...modules: ReadonlyArray<string>) =>
  modules.some((module) => specifier === module || specifier.startsWith(`${module}/`))

const isShipped = ({ area }: Place) => area === "schema" || area === "runtime" || area === "packages"
const isRules = (place: Place) => place.role === "rules" && isCapability(place)
const outside = ["effect/sql", "effect/http", "effect/http-api", "effect/rpc", "effect/cluster"]
const drivers = ["@effect/platform-node", "@effect/sql-pg"]

/** Every import rule by name; each answers why an import is refused. House style (a) */
const importRules: Readonly<Record<string, Rule>> = {
  "schema-alone": ({ from, target, import: { specifier } }) =>
    from.area === "schema" && target?.area !== "schema" && !within(specifier, "effect")
      ? "schema imports `effect` and schema only"
      : undefined,

  "cluster-door": ({ from, import: { specifier } }) =>
    isShipped(from) && within(specifier, "effect/cluster") && !from.path.startsWith("runtime/platform/owner/")
      ? "only runtime/platform/owner imports effect/cluster"
      : undefined,

  "room-door": ({ from, target }) =>
    from.area === "runtime" &&
    target?.area === "runtime" &&
    target.isRoom &&
    target.folder !== from.folder &&
    target.role !== "door"
      ? `room ${target.folder} is entered through ${doorOf(target.folder)}`
      : undefined,

  downwards: ({ from, target }) =>
    from.role !== undefined &&
    isCapability(from) &&
    target?.role !== undefined &&
    target.folder === from.folder &&
    roles.indexOf(target.role) > roles.indexOf(from.role)
      ? `a room is read downwards: ${from.role} does not import ${target.role}`
      : undefined,

  "rules-pure": (edge, files) => (isRules(edge.from) ? impurity(edge, files) : undefined),

  "http-no-sql": ({ from, import: { specifier } }) =>
    from.role === "http" && within(specifier, "effect/sql", "@effect/sql-pg") ? "a handler writes no SQL" : undefined,

  "platform-below": ({ from, target }) =>
    from.area === "runtime" &&
    from.folder === "platform" &&
    target !== undefined &&
    (target.isRoom || (target.area === "runtime" && target.folder !== "platform"))
      ? "platform imports no room and nothing above it"
      : undefined,

  "packages-apart": ({ from, target }) =>
    from.area === "packages" && target?.area === "runtime" ? "a package never imports runtime" : undefined,

  "adapters-in-main": ({ from, target }) =>
    isShipped(from) &&
    target?.area === "packages" &&
    target.folder.startsWith("provider-") &&
    !(from.area === "packages" && from.folder === target.folder) &&
    from.path !== "runtime/main.ts" &&
    !from.path.startsWith("runtime/boot/")
      ? "only runtime/main.ts and runtime/boot name an adapter"
      : undefined
}

/** What a rule of the business must not reach: it decides from its arguments alone. */
const impurity = ({ target, import: { specifier, names, typeOnly } }: Edge, files: Files): string | undefined => {
  const clocks = names.filter((name) => name === "Clock" || name === "Random")
  if (specifier === "effect" && clocks.length > 0) return `rules read no ${clocks.join(" or ")}`
  if (within(specifier, "effect/Clock", "effect/Random", ...outside, ...drivers) || specifier.startsWith("node:")) {
    return `rules do not import ${specifier}`
  }
  const declaresService = /\bContext\s*\.\s*Service\b/.test((target && files.get(target.path)?.code) ?? "")
  return declaresService && target?.area !== "schema" && !typeOnly
    ? `rules call no service: ${target?.path}`
    : undefined
}

/** Every breach in a set of files, given as path and text. */
export const houseViolations = (texts: ReadonlyMap<string, string>): ReadonlyArray<Violation> => {
  const files: Files = new Map([...texts].map(([path, text]) => [path, readSource(text)]))
  const edges = [...files].flatMap(([path, source]) => edgesOf(path, source))
  return [
    ...[...files.keys()].flatMap(unknownFolder),
    ...edges.flatMap((edge) =>
      Object.entries(importRules).flatMap(([rule, refuses]) => {
        const message = refuses(edge, files)
        return message === undefined ? [] : [{ path: edge.from.path, line: edge.import.line, rule, message }]
      })
    ),
    ...importCycles(
      edges.flatMap(({ from, target }) => (target && files.has(target.path) ? [[from.path, target.path]] : []))
    ).map((cycle) => ({ path: cycle[0] ?? "", line: 1, rule: "no-cycles", message: [...cycle, cycle[0]].join(" > ") })),
    ...[...files].flatMap(([path, source]) => [...clockInRules(path, source), ...wordingProblems(path, source)])
  ]
}

const edgesOf = (path: string, source: SourceText): ReadonlyArray<Edge> =>
  source.imports.map((found) => {
    const target = resolveImport(path, found.specifier)
    return { from: placeOf(path), target: target === undefined ? undefined : placeOf(target), import: found }
  })

const unknownFolder = (path: string): ReadonlyArray<Violation> => {
  const { area, folder } = placeOf(path)
  if (area !== "runtime" || folder === "" || rooms.includes(folder) || grounds.includes(folder)) return []
  return [{ path, line: 1, rule: "known-room", message: `runtime/${folder} is neither a room nor a ground` }]
}

const clockInRules = (path: string, { code }: SourceText): ReadonlyArray<Violation> =>
  isRules(placeOf(path))
    ? [...code.matchAll(/\bDateTime\.now\w*/g)].map((match) => ({
        path,
        line: lineAt(code, match.index),
        rule: "rules-pure",
        message: `rules read no clock: ${match[0]}`
      }))
    : []

if (import.meta.main) {
  const texts = new Map(sourceFiles().map((path) => [path, readFileSync(path, "utf8")]))
  const violations = houseViolations(texts)
  for (const { path, line, rule, message } of violations) process.stdout.write(`${path}:${line} ${rule}: ${message}\n`)
  process.stdout.write(`house rules: ${texts.size} files, ${violations.length} breaches\n`)
  process.exitCode = violations.length === 0 ? 0 : 1
}
