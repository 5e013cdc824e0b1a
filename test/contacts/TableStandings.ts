import type { ErasureStanding } from "@carteiro/tables/Table.ts"
import { declaredTables } from "../house/DeclaredTables.ts"

/** How each declared table stands towards the erasure of a customer. gaps-2 I "Erasure" */
export const standings: Readonly<Record<string, ErasureStanding>> = Object.fromEntries(
  declaredTables.map(({ table: { erasure, name } }) => [name, erasure])
)

/** Columns of bytes whose declaration does not say what they hold, as `table.column`: the test of erasure opens them. */
export const bytesToOpen: ReadonlyArray<string> = declaredTables
  .flatMap(({ table }) =>
    Object.entries(table.columns).flatMap(([name, { holds, type }]) =>
      type === "bytea" && holds === undefined ? [`${table.name}.${name}`] : []
    )
  )
  .toSorted()
