import { globSync, readFileSync } from "node:fs"
import { citationProblems } from "./Citations.ts"
import { clockLead } from "./ClockLead.ts"
import { spelledReads } from "./DeclaredReads.ts"
import { declaredTables, misplacedTables } from "./DeclaredTables.ts"
import { diallingProblems, outboundDoor } from "./Dialling.ts"
import { doorsToOthers, handOuts, thickDoor } from "./Doors.ts"
import { exportMapProblems } from "./ExportMaps.ts"
import { folderCycles } from "./FolderRules.ts"
import { functionLengthProblems } from "./FunctionLength.ts"
import { importCycles } from "./ImportCycles.ts"
import { importTargets } from "./ImportTargets.ts"
import {
  carriers,
  declarationGround,
  declaresTables,
  doorOf,
  exportMaps,
  faces,
  grounds,
  isCapability,
  isSharedGround,
  isShipped,
  operatorDoorOf,
  type Place,
  packageOfTest,
  packagesBelow,
  placeOf,
  resolveImport,
  rooms,
  wiringOf
} from "./Places.ts"
import { type ValueImport, wideImports } from "./Reach.ts"
import { definesOwner, heights, holdsStatements, type Role, roleOf } from "./Roles.ts"
import { rulesProblems } from "./RulesPurity.ts"
import { serviceKeys } from "./ServiceKeys.ts"
import { sourceFiles } from "./SourceFiles.ts"
import { type Import, readSource, type SourceText } from "./SourceText.ts"
import { migrationProblems, tableProblems } from "./TableRules.ts"
import { tables, usedByOthers } from "./Tables.ts"
import { tenantJoinProblems, tenantTables } from "./TenantJoins.ts"
import { timeLoopProblems } from "./TimeLoops.ts"
import { unusedExports, unusedOperations } from "./UnusedExports.ts"
import { vocabularyProblems } from "./Vocabulary.ts"
import { type Violation, wordingProblems } from "./WordingRules.ts"

/** One end of an import: a file and its role in its room. */
interface End extends Place {
  readonly role: Role | undefined
}

/** An import with both of its ends; `target` is undefined for a module that is not ours. */
interface Edge {
  readonly from: End
  readonly target: End | undefined
  readonly import: Import
}

type Files = ReadonlyMap<string, SourceText>
type Rule = (edge: Edge) => string | undefined

const within = (specifier: string, ...modules: ReadonlyArray<string>) =>
  modules.some((module) => specifier === module || specifier.startsWith(`${module}/`))

const aboveRepos =
  /^packages\/(?:owners\/(?:Owner\.ts|(?:activation|client|cluster|protocol)\/)|owners\/commit\/Commit\.ts|http-edge\/(?!paging\/|json\/))/

/** Every import rule by name; each answers why an import is refused. docs/style.md "The tree" */
const importRules: Readonly<Record<string, Rule>> = {
  "schema-alone": ({ from, target, import: { specifier } }) =>
    from.area === "schema" && target?.area !== "schema" && !within(specifier, "effect")
      ? "schema imports `effect` and schema only"
      : undefined,

  "cluster-door": ({ from, import: { specifier } }) =>
    isShipped(from) && within(specifier, "effect/cluster") && !from.path.startsWith("packages/owners/")
      ? "only packages/owners imports effect/cluster"
      : undefined,

  "room-door": ({ from, target }) =>
    from.area === "runtime" &&
    target?.area === "runtime" &&
    target.isRoom &&
    target.folder !== from.folder &&
    target.path !== doorOf(target.folder) &&
    !(from.folder === "cli" && target.path === operatorDoorOf(target.folder)) &&
    !(from.folder === "app" && target.path === wiringOf(target.folder))
      ? `room ${target.folder} is entered through ${doorOf(target.folder)}`
      : undefined,

  "room-wiring": ({ from, target }) =>
    from.area === "runtime" &&
    target?.isRoom &&
    target.folder === from.folder &&
    target.path === wiringOf(target.folder)
      ? "a room's wiring is for runtime/app alone"
      : undefined,

  downwards: ({ from, target }) =>
    from.role !== undefined &&
    isCapability(from) &&
    target?.role !== undefined &&
    target.folder === from.folder &&
    heights[target.role] > heights[from.role]
      ? `a room is read downwards: ${from.role} does not import ${target.role}`
      : undefined,

  "repo-below": ({ from, target, import: { typeOnly } }) =>
    from.role === "repo" && !typeOnly && target !== undefined && aboveRepos.test(target.path)
      ? "a repo knows no owner and no HTTP, and leaves committing to whoever decides"
      : undefined,

  "http-no-sql": ({ from, import: { specifier } }) =>
    from.role === "http" && within(specifier, "effect/sql", "@effect/sql-pg") ? "a handler writes no SQL" : undefined,

  "ground-below": ({ from, target }) =>
    isSharedGround(from) &&
    target !== undefined &&
    (target.isRoom || (target.area === "runtime" && !isSharedGround(target)))
      ? "the shared ground imports no room and nothing above it"
      : undefined,

  "carriers-below": ({ from, target }) => {
    const below = from.area === "packages" ? carriers[from.folder] : undefined
    if (below === undefined || target === undefined) return undefined
    const name = target.area === "packages" ? target.folder : `${target.area}/${target.folder}`
    return name === from.folder || below.includes(name)
      ? undefined
      : `packages/${from.folder} imports ${["its own files", ...below].join(", ")} only`
  },

  "closed-packages": ({ from, target, import: { specifier } }) =>
    specifier.startsWith(".") && target?.area === "packages" && from.area !== "packages" && from.area !== "test"
      ? "a package is entered through its export map"
      : undefined,

  "own-declarations": ({ from, target }) =>
    isShipped(from) && target !== undefined && declaresTables(target.path) && target.folder !== from.folder
      ? `the tables of ${target.folder} are declared for its own statements`
      : undefined,

  "declarations-alone": ({ from, target, import: { typeOnly } }) =>
    isShipped(from) && declaresTables(from.path) && !typeOnly && !declarationGround.includes(target?.path ?? "")
      ? `a declaration of tables loads ${declarationGround.join(" and ")} only`
      : undefined,

  "outbound-door": ({ from, import: found }) => outboundDoor(from.path, found),

  "clock-lead": ({ from, import: found }) => clockLead(from.path, found),

  "package-tests": ({ from, target }) => {
    const home = packageOfTest(from.path)
    if (home === undefined || target === undefined) return undefined
    const name = target.area === "schema" ? "schema" : (packageOfTest(target.path) ?? target.folder)
    const inside = target.path.startsWith("packages/") || target.area === "schema"
    return inside && (name === home || packagesBelow(home).includes(name))
      ? undefined
      : `a test inside packages/${home} imports that package, and those that it depends on`
  },

  "packages-apart": ({ from, target }) => {
    if (from.area !== "packages") return undefined
    if (target?.area === "runtime") return "a package never imports runtime"
    const usesCarrier = target?.area === "packages" && target.folder in carriers
    return usesCarrier && !(from.folder in carriers) && !faces.includes(from.folder)
      ? `packages/${target.folder} is for the runtime alone`
      : undefined
  },

  "faces-in-app": ({ from, target }) =>
    isShipped(from) &&
    target?.area === "packages" &&
    target.folder === "console" &&
    !/^packages\/console\/(?:Ports\.ts$|ports\/)/.test(target.path) &&
    !(from.area === "packages" && from.folder === "console") &&
    !(from.area === "runtime" && from.folder === "app")
      ? "only runtime/app puts the console on its ports"
      : undefined,

  "adapters-in-app": ({ from, target }) =>
    isShipped(from) &&
    target?.area === "packages" &&
    target.folder.startsWith("provider-") &&
    !(from.area === "packages" && from.folder === target.folder) &&
    !(from.area === "runtime" && (from.folder === "app" || from.folder === "boot"))
      ? "only runtime/app and runtime/boot name an adapter"
      : undefined
}

/** Every breach in a set of files, given as path and text. */
export const houseViolations = (texts: ReadonlyMap<string, string>): ReadonlyArray<Violation> => {
  const files: Files = new Map([...texts].map(([path, text]) => [path, readSource(text)]))
  const edges = [...files].flatMap(([path, source]) => edgesOf(path, source, files))
  const pairs = edges.flatMap(({ from, target }) =>
    target && files.has(target.path) ? [[from.path, target.path] as const] : []
  )
  return [
    ...[...files.keys()].flatMap(unknownFolder),
    ...[...files].flatMap(([path, source]) => [...thickDoor(path, source), ...handOuts(path, source, files)]),
    ...wideImports(valueImports(files)),
    ...edges.flatMap((edge) =>
      Object.entries(importRules).flatMap(([rule, refuses]) => {
        const message = refuses(edge)
        return message === undefined ? [] : [{ path: edge.from.path, line: edge.import.line, rule, message }]
      })
    ),
    ...importCycles(pairs).map((cycle) => ({
      path: cycle[0] ?? "",
      line: 1,
      rule: "no-cycles",
      message: [...cycle, cycle[0]].join(" > ")
    })),
    ...folderCycles(pairs),
    ...rulesProblems(files),
    ...functionLengthProblems(texts),
    ...vocabularyProblems(texts),
    ...timeLoopProblems(texts),
    ...citationProblems(texts),
    ...[...files].flatMap(([path, source]) => [
      ...sqlProblems(path, source),
      ...diallingProblems(path, source),
      ...tableProblems(path, source, tables),
      ...wordingProblems(path, source),
      ...serviceKeys(path, source)
    ])
  ]
}

const edgesOf = (path: string, source: SourceText, files: Files): ReadonlyArray<Edge> => {
  const endOf = (at: string): End => {
    const text = files.get(at)
    return { ...placeOf(at), role: text === undefined ? undefined : roleOf(at, text) }
  }
  const from = endOf(path)
  return importTargets(path, source, files).map(({ target, import: found }) => ({
    from,
    target: target === undefined ? undefined : endOf(target),
    import: found
  }))
}

/** Imports that load the named file when the program starts; a package's entry loads all that it hands on. */
const valueImports = (files: Files): ReadonlyArray<ValueImport> =>
  [...files].flatMap(([path, { imports }]) =>
    imports.flatMap(({ dynamic, line, specifier, typeOnly }) => {
      const target = dynamic || typeOnly ? undefined : resolveImport(path, specifier)
      return target !== undefined && files.has(target) ? [[path, target, line] as const] : []
    })
  )

const unknownFolder = (path: string): ReadonlyArray<Violation> => {
  const { area, folder } = placeOf(path)
  if (area !== "runtime" || folder === "" || rooms.includes(folder) || grounds.includes(folder)) return []
  return [{ path, line: 1, rule: "known-room", message: `runtime/${folder} is neither a room nor a ground` }]
}

/** Statements stand in repos, where a reader looks for them. */
const sqlProblems = (path: string, source: SourceText): ReadonlyArray<Violation> => {
  const role = roleOf(path, source)
  const misplaced = role === "http" || role === "composition" || (role === "repo" && definesOwner(source))
  return misplaced && holdsStatements(source)
    ? [{ path, line: 1, rule: "sql-in-repos", message: "a statement stands in a repo" }]
    : []
}

if (import.meta.main) {
  const texts = new Map(sourceFiles().map((path) => [path, readFileSync(path, "utf8")]))
  const sources = new Map([...texts].map(([path, text]) => [path, readSource(text)]))
  const paths = globSync("schema/database/[0-9]*.sql").toSorted()
  const migrations = new Map(paths.map((path) => [path, readFileSync(path, "utf8")]))
  const ofTenants = tenantTables(migrations.values())
  const violations = [
    ...houseViolations(texts),
    ...exportMapProblems(exportMaps, sources),
    ...doorsToOthers(sources),
    ...unusedExports(sources),
    ...unusedOperations(sources),
    ...migrationProblems(migrations, tables),
    ...misplacedTables(declaredTables, Object.keys(usedByOthers)),
    ...spelledReads(
      sources,
      declaredTables.map(({ table }) => table)
    ),
    ...[...sources].flatMap(([path, source]) => tenantJoinProblems(path, source, ofTenants))
  ]
  for (const { path, line, rule, message } of violations) process.stdout.write(`${path}:${line} ${rule}: ${message}\n`)
  process.stdout.write(`house rules: ${texts.size} files, ${violations.length} breaches\n`)
  process.exitCode = violations.length === 0 ? 0 : 1
}
