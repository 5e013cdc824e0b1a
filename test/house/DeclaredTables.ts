import { globSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Table } from "@carteiro/tables/Table.ts"
import { placeOf } from "./Places.ts"
import type { Violation } from "./WordingRules.ts"

/** A table with the file that declares it. */
interface Declared {
  readonly path: string
  readonly table: Table
}

const root = fileURLToPath(new URL("../../", import.meta.url))

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && "erasure" in value && "owner" in value && "columns" in value

const declaredBy = async (path: string): Promise<ReadonlyArray<Declared>> => {
  const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(`${root}${path}`).href)
  return Object.values(exported)
    .filter(isTable)
    .map((table) => ({ path, table }))
}

/** Every table that a file `…Tables.ts` of the runtime or of a package declares, by name. Nothing has to be registered. */
export const declaredTables: ReadonlyArray<Declared> = (
  await Promise.all(
    globSync("{runtime,packages}/**/*Tables.ts", {
      cwd: root,
      exclude: (path) => path.includes("node_modules")
    }).map(declaredBy)
  )
)
  .flat()
  .toSorted((one, other) => (one.table.name < other.table.name ? -1 : 1))

/**
 * Returns declarations that stand elsewhere than in their owner's folder, names that are declared twice, and listed names that
 * no file declares.
 */
export const misplacedTables = (
  declared: ReadonlyArray<Declared>,
  listed: ReadonlyArray<string>
): ReadonlyArray<Violation> => [
  ...declared.flatMap(({ path, table: { name, owner } }) => [
    ...(placeOf(path).folder === owner ? [] : [breach(path, `${name} belongs to ${owner}: declare it there`)]),
    ...(declared.some((other) => other.table.name === name && other.path < path)
      ? [breach(path, `${name} is declared twice`)]
      : [])
  ]),
  ...listed
    .filter((name) => !declared.some(({ table }) => table.name === name))
    .map((name) => breach("test/house/Tables.ts", `no file declares ${name}`))
]

const breach = (path: string, message: string): Violation => ({ path, line: 1, rule: "declared-tables", message })
