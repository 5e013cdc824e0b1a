import { fileURLToPath } from "node:url"
import * as Migrations from "@carteiro/tables/Migrations.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tables } from "../house/Tables.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const directory = fileURLToPath(new URL("../../packages/owners/database", import.meta.url))
const engineTables = Object.keys(tables)
  .filter((table) => tables[table]?.owner === "owners")
  .toSorted()

/** Everything that the catalog of a database tells of the tables, in columns, constraints, indexes and triggers. */
const catalog = (names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      tables: yield* sql`select c.relname as name, c.relkind as kind, c.relpersistence as persistence,
          c.reloptions::text as options, c.relreplident as identity, c.relrowsecurity as secured
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname in ${sql.in(names)} order by 1`,
      columns: yield* sql`select c.relname as table, a.attnum::int4 as place, a.attname as name,
          format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required, l.collname as collation,
          a.attstorage as storage, a.attgenerated as generated, pg_get_expr(d.adbin, d.adrelid) as value
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_collation l on l.oid = a.attcollation
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
        where c.relnamespace = 'public'::regnamespace and c.relname in ${sql.in(names)} order by 1, 2`,
      constraints: yield* sql`select c.relname as table, o.conname as name, pg_get_constraintdef(o.oid) as definition
        from pg_class c join pg_constraint o on o.conrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relname in ${sql.in(names)} order by 1, 2`,
      indexes: yield* sql`select tablename as table, indexname as name, indexdef as definition from pg_indexes
        where schemaname = 'public' and tablename in ${sql.in(names)} order by 1, 2`,
      triggers: yield* sql`select c.relname as table, pg_get_triggerdef(t.oid) as definition
        from pg_class c join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal
        where c.relnamespace = 'public'::regnamespace and c.relname in ${sql.in(names)} order by 1, 2`
    }
  })

it.live("the engine's own tables are those that the migrations of the product make", () =>
  Effect.gen(function* () {
    const migrated = yield* Effect.provide(catalog(engineTables), TestDatabase.layer)
    const [made, own] = yield* Effect.provide(
      Effect.gen(function* () {
        yield* Migrations.migrate(directory)
        const sql = yield* SqlClient.SqlClient
        const all = yield* sql<{ readonly name: string }>`select tablename as name from pg_tables
          where schemaname = 'public' and tablename <> 'schema_migrations' order by 1`
        return [all.map(({ name }) => name), yield* catalog(engineTables)] as const
      }),
      TestDatabase.empty
    )
    assert.deepStrictEqual(made, engineTables)
    assert.isAbove(own.columns.length, engineTables.length)
    assert.deepStrictEqual(own, migrated)
  })
)
