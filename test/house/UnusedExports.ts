import { placeOf, resolveImport } from "./Places.ts"
import { lineAt, type SourceText } from "./SourceText.ts"
import type { Violation } from "./WordingRules.ts"

type Files = ReadonlyMap<string, SourceText>

/**
 * Exports of runtime and packages that no other file imports. A test counts only for the file it is about: what nothing
 * but other tests need is not part of the program. An export that its own file needs loses the word `export`.
 */
export const unusedExports = (files: Files): ReadonlyArray<Violation> => {
  const used = new Map<string, Set<string>>()
  for (const [path, source] of files) {
    for (const { target, names } of usesOf(path, source, files)) {
      const counts = placeOf(path).area !== "test" || isAbout(path, target)
      if (counts) for (const name of names) used.set(target, (used.get(target) ?? new Set()).add(name))
    }
  }
  return [...files].flatMap(([path, source]) => {
    const { area, folder } = placeOf(path)
    if ((area !== "runtime" && area !== "packages") || published.has(folder)) return []
    return exportsOf(source).flatMap(({ name, line }) =>
      used.get(path)?.has(name) === true || excepted.has(`${path} ${name}`) || isTable(source, name)
        ? []
        : [{ path, line, rule: "used-exports", message: `nothing imports ${name}` }]
    )
  })
}

/**
 * Operations of owners that nothing in runtime calls: a test that calls one tests what the product never does. A call is
 * told by its name, so that of two owners with an operation of one name, either may do for both.
 */
export const unusedOperations = (files: Files): ReadonlyArray<Violation> => {
  const runtime = [...files].filter(([path]) => placeOf(path).area === "runtime")
  const called = new Set(runtime.flatMap(([, { code }]) => [...code.matchAll(call)].map(([, name = ""]) => name)))
  return runtime.flatMap(([path, { code }]) =>
    operationsOf(code).flatMap(({ name, line }) =>
      called.has(name) ? [] : [{ path, line, rule: "used-operations", message: `nothing in runtime calls ${name}` }]
    )
  )
}

/** `accounts.Act(…)`, `(yield* client).Act(…)` and `accounts.Act` handed on; modules such as `Schema` have names in capitals. */
const call = /(?:\)|\b[a-z][\w$]*)\s*\.\s*([A-Z][\w$]*)/g
const operation = /\b([\w$]+)\s*:\s*(?:batch|longCall)\s*\(/g

/** Returns the operations that a file declares; none in a file that declares no owner. */
const operationsOf = (code: string): ReadonlyArray<{ readonly name: string; readonly line: number }> =>
  /\bdefineOwner\s*\(/.test(code)
    ? [...code.matchAll(operation)].map(({ 1: name = "", index }) => ({ name, line: lineAt(code, index) }))
    : []

/** Packages whose exports are for programs that are not here. */
const published: ReadonlySet<string> = new Set(["sdk"])

/** The ground of the other tests, which stands on anything. */
const grounds: ReadonlySet<string> = new Set(["support", "simulation", "docs", "bench"])

/** `test/webhooks` is about `runtime/webhooks`, and `test/outbound` about `packages/outbound`. */
const isAbout = (test: string, path: string): boolean =>
  grounds.has(placeOf(test).folder) || path.split("/").includes(placeOf(test).folder)

/** What only tests elsewhere import, with the reason. */
const excepted: ReadonlySet<string> = new Set([
  // Rooms to come render events at each attempt; a test of webhooks tries it meanwhile.
  "runtime/outbox/EventRenderers.ts defineRenderer",
  // A test of webhooks plays the client's errors without a socket.
  "packages/outbound/Attempt.ts failureOf"
])

/** A declared table is read by the lists of tables, which import every declaration. */
const isTable = ({ code }: SourceText, name: string): boolean =>
  new RegExp(`\\bconst\\s+${name}\\s*=\\s*defineTable\\b`).test(code)

const declared = /^export\s+(?:abstract\s+)?(const|let|function|class|interface|type|enum)\s+([\w$]+)/gm

/** Values, and types that their own file does not use: others stand in what is exported, and a caller may name them. */
const exportsOf = ({ code }: SourceText): ReadonlyArray<{ readonly name: string; readonly line: number }> =>
  [...code.matchAll(declared)].flatMap(({ 1: kind, 2: name = "", index }) => {
    const times = code.match(new RegExp(`\\b${name}\\b`, "g"))?.length ?? 0
    const isType = kind === "interface" || kind === "type"
    return isType && times > 1 ? [] : [{ name, line: lineAt(code, index) }]
  })

/** Returns what a file takes from others of ours: names in braces, members of a whole module, all of one loaded later. */
const usesOf = (path: string, { code, imports }: SourceText, files: Files) =>
  imports.flatMap(({ dynamic, specifier, names, namespace }) => {
    const target = resolveImport(path, specifier)
    if (target === undefined) return []
    const loaded = dynamic ? files.get(target) : undefined
    if (loaded !== undefined) return [{ target, names: exportsOf(loaded).map(({ name }) => name) }]
    const members = namespace === undefined ? [] : membersOf(code, namespace)
    return [{ target, names: [...names, ...members] }]
  })

const membersOf = (code: string, namespace: string): ReadonlyArray<string> =>
  [...code.matchAll(new RegExp(`\\b${namespace}\\s*\\.\\s*([\\w$]+)`, "g"))].map(([, name = ""]) => name)
