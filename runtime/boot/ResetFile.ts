import { globSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Table } from "@carteiro/tables/Table.ts"

// `npm run codegen` writes runtime/sandbox/clock/ResetTables.ts from the declarations of tables: a room imports no declaration
// of another one. With `--check` it only reports whether the committed file is current.

const root = fileURLToPath(new URL("../../", import.meta.url))
const file = `${root}runtime/sandbox/clock/ResetTables.ts`

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && "erasure" in value && "owner" in value && "columns" in value

const declared: ReadonlyArray<Table> = (
  await Promise.all(
    globSync("{runtime,packages}/**/*Tables.ts", { cwd: root, exclude: (path) => path.includes("node_modules") })
      .filter((path) => !file.endsWith(path))
      .map((path): Promise<Readonly<Record<string, unknown>>> => import(pathToFileURL(`${root}${path}`).href))
  )
)
  .flatMap((exported) => Object.values(exported).filter(isTable))
  .toSorted((one, other) => (one.name < other.name ? -1 : 1))

/** Every row of the table is of one environment. */
const isOfEnvironment = ({ columns }: Table): boolean => columns.environment_id?.isNullable === false
const hasRows = (table: Table): boolean => isOfEnvironment(table) || table.columns.account_id !== undefined

const ofSandboxes = declared.filter(hasRows)
const names = (of: (table: Table) => boolean): string =>
  ofSandboxes
    .filter(of)
    .map(({ name }) => `  "${name}"`)
    .join(",\n")
const reasons = declared
  .flatMap(({ name, reset }) => (typeof reset === "object" ? [`  ${name}: ${JSON.stringify(reset.leaves)}`] : []))
  .join(",\n")

const text = `// Made by npm run codegen from the declarations of tables.

/** Tables whose rows of the environment a reset deletes, by the column \`environment_id\`. */
export const emptiedTables = [
${names((table) => table.reset === undefined && isOfEnvironment(table))}
] as const

/** Tables of the sandbox's own simulated account, by the column \`account_id\`; the wallet comes last, as others name it. */
export const emptiedAccounts = [
${names((table) => table.reset === undefined && !isOfEnvironment(table))}
] as const

/** Tables of which a reset deletes a part, or which it changes: \`ResetRepo\` has a statement for each. */
export const changedTables = [
${names(({ reset }) => reset === "changed")}
] as const

/** Tables with rows of a sandbox that a reset leaves, and why. */
export const untouchedTables: Readonly<Record<string, string>> = {
${reasons}
}
`

const isCurrent = readFileSync(file, "utf8") === text

if (process.argv.includes("--check")) {
  if (!isCurrent) process.stderr.write("runtime/sandbox/clock/ResetTables.ts is stale: run npm run codegen\n")
  process.exitCode = isCurrent ? 0 : 1
} else if (!isCurrent) {
  writeFileSync(file, text)
}
