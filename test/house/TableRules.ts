import { posix } from "node:path"
import { carriers, placeOf, resolveImport } from "./Places.ts"
import { holdsStatements } from "./Roles.ts"
import { lineAt, type SourceText } from "./SourceText.ts"
import type { TableUse } from "./Tables.ts"
import type { Violation } from "./WordingRules.ts"

type Tables = Readonly<Record<string, TableUse>>

/** Relations that SQL of a file of `runtime` or of a package below it names without being declared for its folder. */
export const tableProblems = (path: string, source: SourceText, tables: Tables): ReadonlyArray<Violation> => {
  const { area, folder } = placeOf(path)
  if (area !== "runtime" && !(area === "packages" && folder in carriers)) return []
  return usesOf(path, source).flatMap(({ table, writes, line }) => {
    const use = Object.hasOwn(tables, table) ? tables[table] : undefined
    if (use === undefined || use.owner === folder || use.writtenBy?.[folder] !== undefined) return []
    if (!writes && use.readBy?.[folder] !== undefined) return []
    const doing = writes ? "written" : "read"
    return [
      { path, line, rule: "own-tables", message: `${table} is ${doing} by ${use.owner} only; test/house/Tables.ts` }
    ]
  })
}

/** Tables of the migrations that no room owns, owned tables that no migration makes, and numbers given twice. */
export const migrationProblems = (
  migrations: ReadonlyMap<string, string>,
  tables: Tables
): ReadonlyArray<Violation> => {
  const made = new Map<string, string>()
  const problems: Array<Violation> = []
  for (const [path, text] of migrations) {
    for (const match of text.matchAll(/\b(create|drop) table (?:if (?:not )?exists )?(?:only )?([a-z_]+)/g)) {
      const [, verb, table = ""] = match
      if (verb === "drop") made.delete(table)
      else made.set(table, path)
      if (verb === "drop" || Object.hasOwn(tables, table)) continue
      problems.push({
        path,
        line: lineAt(text, match.index),
        rule: "own-tables",
        message: `${table} belongs to no room`
      })
    }
  }
  // The migrator makes its own record.
  const gone = Object.keys(tables).filter((table) => !made.has(table) && tables[table]?.owner !== "tables")
  return [
    ...sharedNumbers([...migrations.keys()]),
    ...problems,
    ...gone.map((table) => ({
      path: "test/house/Tables.ts",
      line: 1,
      rule: "own-tables",
      message: `no migration makes ${table}`
    }))
  ]
}

/** Two migrations of one number have no order: each database would run the one that it met first. */
const sharedNumbers = (paths: ReadonlyArray<string>): ReadonlyArray<Violation> => {
  const first = new Map<number, string>()
  return paths.flatMap((path) => {
    const number = Number.parseInt(posix.basename(path), 10)
    const before = first.get(number)
    if (before === undefined) first.set(number, path)
    return before === undefined
      ? []
      : [{ path, line: 1, rule: "own-number", message: `${posix.basename(before)} has this number` }]
  })
}

interface Use {
  readonly table: string
  readonly writes: boolean
  readonly line: number
}

const relation = /\b(delete\s+from|from|join|using|update|into)\s+(?:only\s+)?([a-z_]+)/g

/**
 * Names after the words that a relation follows, and tables named to `deleteUpTo` and to derived writes. Names of a
 * `with` are no tables.
 */
const usesOf = (path: string, source: SourceText): ReadonlyArray<Use> => {
  const byName = namesTables(path, source)
  if (!holdsStatements(source) && !byName) return []
  return source.literals.flatMap(({ text, line }): ReadonlyArray<Use> => {
    if (byName && /^[a-z_]+$/.test(text)) return [{ table: text, writes: true, line }]
    return [...text.matchAll(relation)].map((match) => {
      const [, verb = "", table = ""] = match
      const writes = verb === "update" || verb === "into" || verb.startsWith("delete")
      return { table, writes, line: line + lineAt(text, match.index) - 1 }
    })
  })
}

const namesTables = (path: string, { imports }: SourceText): boolean =>
  imports.some(({ specifier, values }) => {
    const writer = writers[resolveImport(path, specifier) ?? ""]
    return writer !== undefined && values.some((name) => writer.includes(name))
  })

const writers: Readonly<Record<string, ReadonlyArray<string>>> = {
  "packages/tables/Retention.ts": ["deleteUpTo"],
  "packages/tables/TableWrite.ts": ["defineInsert", "defineUpdate"]
}
