import { readFileSync } from "node:fs"
import { join } from "node:path"
import { directory, migrationNames } from "@carteiro/tables/Migrations.ts"

/** Returns the indexes that the migrations of this release leave behind by their names, each with its statement. */
export const expectedIndexes = (): ReadonlyMap<string, string> =>
  indexesOf(migrationNames().map((name) => readFileSync(join(directory, name), "utf8")))

const changes =
  /\bcreate\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?([a-z_0-9]+)\s+on\s+([a-z_0-9]+)[^;]*|\bdrop\s+index\s+(?:if\s+exists\s+)?([a-z_0-9]+)|\bdrop\s+table\s+(?:if\s+exists\s+)?([a-z_0-9]+)|\balter\s+table\s+([a-z_0-9]+)[^;]*?\bdrop\s+column[^;]*/gi

/** Returns the indexes that the texts of migrations leave behind when they run in their order. */
export const indexesOf = (texts: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const left = new Map<string, Index>()
  const forget = (gone: (index: Index) => boolean) => {
    for (const [name, index] of left) if (gone(index)) left.delete(name)
  }
  for (const text of texts) {
    for (const match of text.replaceAll(/--.*$/gm, "").matchAll(changes)) {
      const [statement, made, table, dropped, goneTable, altered] = match
      if (made !== undefined && table !== undefined) left.set(made, { table, statement: oneLine(statement) })
      if (dropped !== undefined) left.delete(dropped)
      forget((index) => index.table === goneTable)
      const columns = altered === undefined ? [] : columnsDroppedBy(statement)
      forget((index) => index.table === altered && columns.some((column) => column.test(index.statement)))
    }
  }
  return new Map([...left].map(([name, { statement }]) => [name, statement]))
}

interface Index {
  readonly table: string
  readonly statement: string
}

/** PostgreSQL drops an index with a column that it is over. */
const columnsDroppedBy = (statement: string): ReadonlyArray<RegExp> =>
  [...statement.matchAll(/\bdrop\s+column\s+(?:if\s+exists\s+)?([a-z_0-9]+)/gi)].map(
    ([, column = ""]) => new RegExp(`\\b${column}\\b`)
  )

const oneLine = (statement: string): string => statement.replaceAll(/\s+/g, " ").trim()
