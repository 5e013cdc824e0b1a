import { globSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { parseArgs } from "node:util"
import { type Headings, headingsOf, quotesIn, unknownQuote, unknownSections } from "./Headings.ts"
import { placeOf } from "./Places.ts"
import { sourceFiles } from "./SourceFiles.ts"
import { lineAt, readSource } from "./SourceText.ts"

/** A group of requirements of one document: `A-CONV`, "Conventions". */
export interface Area {
  readonly code: string
  readonly title: string
  readonly document: string
  /** In the order of the document. */
  readonly ids: ReadonlyArray<string>
}

/** An ID, a range or a heading as a source wrote it, leading to nothing that a document has. */
export interface UnknownName {
  readonly path: string
  readonly line: number
  readonly name: string
}

/** Which requirements the tests name. */
export interface Coverage {
  readonly named: ReadonlySet<string>
}

/** The areas of one requirements document: a heading, then rows that open with an ID. */
export const areasOf = (document: string, text: string): ReadonlyArray<Area> => {
  const areas = new Map<string, { title: string; ids: Array<string> }>()
  let title = ""
  for (const line of text.split("\n")) {
    title = line.match(/^## (?:[A-Z]+: )?(.*)$/)?.[1] ?? title
    const [, id, code] = line.match(/^\|\s*(([A-Z]-[A-Z]+)-\d+)\s*\|/) ?? []
    if (id === undefined || code === undefined) continue
    const area = areas.get(code) ?? { title, ids: [] }
    area.ids.push(id)
    areas.set(code, area)
  }
  return [...areas].map(([code, area]) => ({ code, document, ...area }))
}

const written = /(?<![\w-])([A-Z]-[A-Z]+)-(\d+)(?:\.\.(?:\1-)?(\d+))?(?![\w-])/g

/** IDs that a text names, ranges (`A-IDEM-01..09`) unfolded; a range that runs backwards names nothing. */
export const idsIn = (text: string): ReadonlyArray<{ readonly name: string; readonly ids: ReadonlyArray<string> }> =>
  [...text.matchAll(written)].map(([name, code = "", first = "", last = first]) => {
    const size = Math.max(0, Number(last) - Number(first) + 1)
    const numbers = Array.from({ length: size }, (_, index) =>
      String(Number(first) + index).padStart(first.length, "0")
    )
    return { name, ids: numbers.map((number) => `${code}-${number}`) }
  })

/** Reads the names in test sources. Names stand in string literals; comments do not count. */
export const coverageOf = (areas: ReadonlyArray<Area>, tests: ReadonlyMap<string, string>): Coverage => {
  const known = new Set(areas.flatMap(({ ids }) => ids))
  const literals = [...tests.values()].flatMap((text) => readSource(text).literals)
  const ids = literals.flatMap(({ text }) => idsIn(text).flatMap((found) => found.ids))
  return { named: new Set(ids.filter((id) => known.has(id))) }
}

/** IDs and headings that a source quotes anywhere, comments included, and that no document has. */
export const unknownIn = (
  areas: ReadonlyArray<Area>,
  gaps: ReadonlyMap<string, Headings>,
  sources: ReadonlyMap<string, string>
): ReadonlyArray<UnknownName> => {
  const known = new Set(areas.flatMap(({ ids }) => ids))
  const codes = new Set(areas.map(({ code }) => code.slice(0, 2)))
  return [...sources].flatMap(([path, text]) => {
    const ids = [...text.matchAll(written)].flatMap(({ 0: name, index }) => {
      const all = idsIn(name).flatMap((found) => found.ids)
      const fine = !codes.has(name.slice(0, 2)) || (all.length > 0 && all.every((id) => known.has(id)))
      return fine ? [] : [{ path, line: lineAt(text, index), name }]
    })
    const headings = quotesIn(text).flatMap((quote) => {
      const name = unknownQuote(quote, gaps)
      return name === undefined ? [] : [{ path, line: lineAt(text, quote.offset), name }]
    })
    const sections = unknownSections(text).map(({ offset, name }) => ({ path, line: lineAt(text, offset), name }))
    return [...ids, ...headings, ...sections]
  })
}

/** `A-CONV-03..05, A-CONV-09`: neighbours in the document are drawn together. */
export const foldIds = (ids: ReadonlyArray<string>): string => {
  const runs: Array<Array<string>> = []
  for (const id of ids) {
    const run = runs.at(-1)
    if (run !== undefined && numberOf(id) === numberOf(run.at(-1) ?? "") + 1) run.push(id)
    else runs.push([id])
  }
  return runs.map((run) => (run.length === 1 ? run[0] : `${run[0]}..${run.at(-1)?.split("-").at(-1)}`)).join(", ")
}

const numberOf = (id: string) => Number(id.split("-").at(-1))

/** The report, one line per document and area, with what no test names. */
export const report = (areas: ReadonlyArray<Area>, { named }: Coverage): string => {
  const count = (ids: ReadonlyArray<string>) => `${ids.filter((id) => named.has(id)).length} of ${ids.length}`
  const lines: Array<string> = []
  for (const document of new Set(areas.map((area) => area.document))) {
    const inDocument = areas.filter((area) => area.document === document)
    lines.push(`${document}: ${count(inDocument.flatMap(({ ids }) => ids))} named`)
    for (const { code, title, ids } of inDocument) {
      const unnamed = ids.filter((id) => !named.has(id))
      lines.push(`  ${code} (${title}): ${count(ids)}${unnamed.length > 0 ? `, unnamed ${foldIds(unnamed)}` : ""}`)
    }
  }
  return `${lines.join("\n")}\nall: ${count(areas.flatMap(({ ids }) => ids))} named\n`
}

/**
 * `--area A-CONV,A-IDEM` narrows, `--strict` fails on anything unnamed, `--unknown` prints nothing but the IDs and
 * headings that no document has, in the names of tests and wherever schema, runtime and packages quote them. Tests of the
 * house itself are not read: their IDs are samples. Exit code 1 for an unknown ID or heading, 2 for an unknown area.
 */
const main = () => {
  const { values } = parseArgs({
    options: { area: { type: "string" }, strict: { type: "boolean" }, unknown: { type: "boolean" } }
  })
  const documents = globSync("docs/requirements/requirements-*.md").toSorted()
  const areas = documents.flatMap((path) => areasOf(path, readFileSync(path, "utf8")))
  const codes = values.area?.split(",").map((code) => code.trim())
  const missing = codes?.filter((code) => areas.every((area) => area.code !== code)) ?? []
  if (missing.length > 0) {
    process.stderr.write(`no such area: ${missing.join(", ")}; areas are ${areas.map(({ code }) => code).join(" ")}\n`)
    return 2
  }
  const all = sourceFiles()
  const tests = all.filter((path) => placeOf(path).area === "test" && !path.startsWith("test/house/"))
  const coverage = coverageOf(areas, new Map(tests.map((path) => [path, readFileSync(path, "utf8")])))
  const gaps = globSync("docs/requirements/gaps-*.md").map(
    (path) => [basename(path).slice(0, "gaps-1".length), headingsOf(readFileSync(path, "utf8"))] as const
  )
  const shipped = [...all.filter((path) => !path.startsWith("test/house/")), ...globSync("schema/database/[0-9]*.sql")]
  const sources = new Map(shipped.map((path) => [path, readFileSync(path, "utf8")]))
  const unknown = unknownIn(areas, new Map(gaps), sources)
  const chosen = areas.filter(({ code }) => codes?.includes(code) ?? true)
  if (values.unknown !== true) process.stdout.write(report(chosen, coverage))
  for (const { path, line, name } of unknown) process.stdout.write(`${path}:${line} unknown ${name}\n`)
  const unnamed = chosen.some(({ ids }) => ids.some((id) => !coverage.named.has(id)))
  return unknown.length > 0 || (values.strict === true && unnamed) ? 1 : 0
}

if (import.meta.main) process.exitCode = main()
