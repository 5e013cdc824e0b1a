import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { declaredTables } from "../house/DeclaredTables.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** What a table is made of: a line for each column in the order of names, and its key. */
type Shape = Readonly<Record<string, string>>

const word = (isNullable: boolean, hasDefault: boolean) =>
  `${isNullable ? "nullable" : "never null"}, ${hasDefault ? "filled" : "given"}`

const declared: Readonly<Record<string, Shape>> = Object.fromEntries(
  declaredTables.map(({ table }) => [
    table.name,
    {
      key: table.key.join(", "),
      ...Object.fromEntries(
        Object.entries(table.columns).map(([name, { hasDefault, isNullable, type }]) => [
          `column ${name}`,
          `${type}, ${word(isNullable, hasDefault)}`
        ])
      )
    }
  ])
)

const readShapes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql<{
    readonly table_name: string
    readonly name: string
    readonly type: string
    readonly is_nullable: boolean
    readonly has_default: boolean
  }>`select c.table_name::text, c.column_name::text as name, c.udt_name::text as type, c.is_nullable = 'YES' as is_nullable,
      c.column_default is not null or c.is_identity = 'YES' or c.is_generated = 'ALWAYS' as has_default
    from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'`
  const keys = yield* sql<{ readonly table_name: string; readonly key: string }>`
    select c.table_name::text, string_agg(k.column_name, ', ' order by k.ordinal_position) as key
    from information_schema.table_constraints c
    join information_schema.key_column_usage k on k.constraint_schema = c.constraint_schema
      and k.constraint_name = c.constraint_name and k.table_name = c.table_name
    where c.table_schema = 'public' and c.constraint_type = 'PRIMARY KEY' group by 1`
  const shapes: Record<string, Record<string, string>> = {}
  for (const { key, table_name } of keys) shapes[table_name] = { key }
  for (const { has_default, is_nullable, name, table_name, type } of columns) {
    const shape = (shapes[table_name] ??= {})
    shape[`column ${name}`] = `${type}, ${word(is_nullable, has_default)}`
  }
  return shapes
})

it.layer(TestDatabase.layer, { excludeTestServices: true })("the declarations of tables", (it) => {
  it.effect("have the columns, types, nullability, defaults and key of the schema, and no table is left out", () =>
    Effect.map(readShapes, (shapes) => assert.deepStrictEqual(declared, shapes))
  )
})
