import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { operations } from "./Described.ts"
import { catalogs, ofAccounts, seedThings } from "./Stage.ts"

/** The most rows that a step of a list reads: a walk of 5,000, and the one beyond it. */
export const mostRows = 5100

// More than a list may read for a page, of few others; what the planner chooses for many others is the same.
const ownRows = 6500
const rowsEach = 160
const others = 40

/** A column of a table, as far as copies of a row must differ in it. */
interface Column {
  readonly name: string
  readonly type: string
  /** Whether a unique index holds it, and no constraint says which values it takes. */
  readonly unique: boolean
}

const columnsOf = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql<Column>`select a.attname as name, format_type(a.atttypid, null) as type, exists (
        select 1 from pg_index i where i.indrelid = a.attrelid and i.indisunique and a.attnum = any (i.indkey)
      ) and not exists (
        select 1 from pg_constraint c where c.conrelid = a.attrelid and c.contype in ('c', 'f') and a.attnum = any (c.conkey)
      ) as unique
      from pg_attribute a where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
      order by a.attnum`.pipe(Effect.orDie)
  )

/** Whose rows a table holds: the columns that copies of other environments and organizations differ in. */
const scopes: Readonly<Record<string, string>> = { environment_id: "env", organization_id: "org" }

// As in life, the ids of all environments are interleaved, within a quarter of an hour.
const numbered = (column: string) =>
  `left(t.${column}, position('_' in t.${column}) + 6) || lpad(n::text, 4, '0') || lpad(e::text, 16, '0')`

/** Values of copies where a check of the table asks for others: only one row of an environment is not ended, and so on. */
const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  numprov_connections: { status: "'disconnected'" },
  wallets: { account_id: "case when e = 0 then t.account_id else 'org_filled' || e end" }
}

/** Returns SQL of the value of a column in a copy of a row: a value of its own where a unique index holds the column. */
const copied = (table: string, { name, type, unique }: Column, firstScope: string): string => {
  const told = values[table]?.[name]
  if (told !== undefined) return told
  const prefix = scopes[name]
  if (prefix !== undefined && name === firstScope) {
    return `case when e = 0 then t.${name} else '${prefix}_filled' || e end`
  }
  if (name === "trace_id") return "md5(e || '/' || n)"
  // A kind alone never makes a row the only one.
  if (!unique || name === "type") return `t.${name}`
  if (type === "bytea") return `decode(md5(e || '/' || n), 'hex')`
  if (/^(?:big|small)?int/.test(type)) return `1000 + n`
  if (type !== "text") return `t.${name}`
  return `case when t.${name} ~ '^[a-z]+_[0-9a-z]{26}$' then ${numbered(name)} else 'p' || n || '_' || e end`
}

/**
 * Copies a row of the caller into its own scope `ownRows` times over, and into `others` that are not its: fewer where a
 * scope has one row of the table.
 */
const multiply = Effect.fnUntraced(function* (table: string, own: Readonly<Record<string, string>>) {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* columnsOf(table)
  const scope = columns.find(({ name }) => name in scopes)?.name
  if (scope === undefined) return yield* Effect.die(new Error(`whose rows are those of ${table}?`))
  yield* sql.unsafe(
    `insert into ${table} (${columns.map(({ name }) => name).join(", ")})
    select ${columns.map((column) => copied(table, column, scope)).join(", ")}
    from (select * from ${table} where ${scope} = $1 limit 1) t
    cross join generate_series(0, ${others}) e
    cross join lateral generate_series(1, case e when 0 then ${ownRows} else ${rowsEach} end) n
    on conflict do nothing`,
    [own[scope]]
  )
})

/** Copies rows of tables, those that others refer to before these others. */
const multiplyAll = Effect.fnUntraced(function* (tables: ReadonlyArray<string>, own: Readonly<Record<string, string>>) {
  let left = tables
  while (left.length > 0) {
    const [filled, refused] = yield* Effect.partition(left, (table) =>
      Effect.mapError(Effect.as(multiply(table, own), table), (error) => ({ table, error }))
    )
    const [first] = refused
    if (first !== undefined && filled.length === 0) return yield* Effect.fail(first.error)
    left = refused.map(({ table }) => table)
  }
})

const cursorNames = new Set(["starting_after", "after", "cursor"])

/** Lists of the contract: whatever takes a cursor. */
export const lists = operations.flatMap((one) => {
  const cursor = one.parameters.find(({ name }) => cursorNames.has(name))
  // The tests of a room look at the lists beneath one thing.
  return cursor === undefined || one.path.includes("{") || catalogs.has(one.path) || ofAccounts.has(one.path)
    ? []
    : [{ operationId: one.operationId, path: one.path, cursor: cursor.name }]
})

/** The table whose rows a list shows: the one that holds the id of the first of them. */
const tableOf = Effect.fnUntraced(function* (path: string) {
  const { acme, get } = yield* Api
  const sql = yield* SqlClient.SqlClient
  const { body } = yield* get(`${path}?limit=1`, { key: acme.sandbox.key })
  const candidates = yield* sql<{ readonly name: string }>`select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'id' and data_type = 'text'`
  for (const { name } of candidates) {
    const found = yield* sql`select 1 from ${sql(name)} where id = ${body.data[0].id}`
    if (found.length > 0) return name
  }
  return yield* Effect.die(new Error(`no table holds what ${path} shows`))
}, Effect.orDie)

/** Tables that lists read beside the one they show. */
const beside = ["webhook_attempts", "batch_progress"]

/** Tables that no list shows, whose rows time or work takes away: those with an instant, and a row of the caller. */
const aging = Effect.fnUntraced(function* (shown: ReadonlySet<string>) {
  const sql = yield* SqlClient.SqlClient
  const { acme } = yield* Api
  const tables = yield* sql<{ readonly name: string; readonly scope: string }>`
    select t.table_name as name, min(c.column_name) as scope from information_schema.tables t
    join information_schema.columns c using (table_schema, table_name)
    where t.table_schema = 'public' and c.column_name in ('environment_id', 'organization_id') and exists (
      select from information_schema.columns i where i.table_schema = 'public' and i.table_name = t.table_name
        and i.data_type = 'timestamp with time zone')
    group by t.table_name order by t.table_name`
  const found: Array<string> = []
  for (const { name, scope } of tables) {
    const own = scope === "environment_id" ? acme.sandbox.id : acme.organization_id
    const rows = yield* sql`select 1 from ${sql(name)} where ${sql(scope)} = ${own} limit 1`
    if (rows.length > 0 && !shown.has(name)) found.push(name)
  }
  return found
}, Effect.orDie)

/** Every table a list reads, as large as makes the planner choose; answers which one each list shows. */
const seedRows = Effect.gen(function* () {
  const { acme } = yield* Api
  const sql = yield* SqlClient.SqlClient
  const environment = acme.sandbox
  yield* seedThings(environment)
  const from = environment.id
  const own = { environment_id: from, organization_id: acme.organization_id }
  const shown = new Map<string, string>()
  for (const { operationId, path } of lists) shown.set(operationId, yield* tableOf(path))

  yield* sql`insert into organizations (id, name, created_at)
    select 'org_filled' || e, 'filled', current_timestamp from generate_series(1, ${others}) e`
  yield* multiply("projects", own)
  yield* sql`insert into environments (id, organization_id, project_id, kind, created_at)
    select 'env_filled' || e, 'org_filled' || e, p.id, 'sandbox', p.created_at from generate_series(1, ${others}) e
    join lateral (select * from projects where organization_id = 'org_filled' || e order by id limit 1) p on true`
  yield* sql`insert into environments (id, organization_id, project_id, kind, created_at)
    select 'env_' || k.kind || substr(p.id, 5), p.organization_id, p.id, k.kind, p.created_at from projects p
    cross join (values ('sandbox'), ('production')) k(kind) on conflict do nothing`
  const listed = new Set([...shown.values(), ...beside])
  listed.delete("projects")
  for (const table of listed) yield* multiply(table, own)
  yield* multiplyAll(yield* aging(listed), own)
  yield* sql`insert into outbox_counters (environment_id, position) values (${from}, ${2_000_000})
    on conflict (environment_id) do update set position = excluded.position`
  // As autovacuum leaves tables: without it, reads of indexes alone look dear, and ties fall by chance.
  yield* sql`vacuum (analyze)`.unprepared
  return shown
})

/** Which table each list shows. */
export class Shown extends Context.Service<Shown, ReadonlyMap<string, string>>()(
  "@carteiro/test/contract/FilledTables/Shown"
) {
  static readonly layer = Layer.effect(Shown, seedRows)
}
