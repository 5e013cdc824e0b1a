import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { operations } from "./Described.ts"
import { mostRead, queriesOf } from "./Filters.ts"
import { nodesOf, planOf, ranBy, Statements, sortsTable } from "./Planned.ts"
import { catalogs, ofAccounts, seedThings } from "./Stage.ts"

// More than a list may read for a page, of few others; what the planner chooses for many others is the same.
const ownRows = 6500
const rowsEach = 160
const others = 40

/** A column of a table, as far as copies of a row must differ in it. */
interface Column {
  readonly name: string
  readonly type: string
  /** Whether a unique index holds it, and nothing says which values it takes. */
  readonly unique: boolean
}

const columnsOf = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql<Column>`select a.attname as name, format_type(a.atttypid, null) as type, exists (
        select 1 from pg_index i where i.indrelid = a.attrelid and i.indisunique and a.attnum = any (i.indkey)
      ) and not exists (
        select 1 from pg_constraint c where c.conrelid = a.attrelid and c.contype = 'c' and a.attnum = any (c.conkey)
      ) as unique
      from pg_attribute a where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
      order by a.attnum`.pipe(Effect.orDie)
  )

/** Whose rows a table holds: the columns that copies of other environments and organizations differ in. */
const scopes: Readonly<Record<string, string>> = { environment_id: "env", organization_id: "org" }

// As in life, the ids of all environments are interleaved: the copies keep the instant of the row they are made from.
const numbered = (column: string) =>
  `left(t.${column}, position('_' in t.${column}) + 10) || lpad((n * ${others + 1} + e)::text, 16, '0')`

/** What copies hold where an environment has only one row that has not ended. */
const endings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  numprov_connections: { status: "'disconnected'" }
}

/** What a copy of a row holds in a column: another value wherever an index wants one. */
const copied = (table: string, { name, type, unique }: Column, firstScope: string): string => {
  const ended = endings[table]?.[name]
  if (ended !== undefined) return ended
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

/** Copies a row of the caller into its own scope `ownRows` times over, and into `others` that are not its. */
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
    cross join lateral generate_series(1, case e when 0 then ${ownRows} else ${rowsEach} end) n`,
    [own[scope]]
  )
}, Effect.orDie)

/** The most rows that a step of a list reads: a walk of 5,000, and the one beyond it. */
const mostRows = 5100

const isRead = ({ text }: { readonly text: string }) => !/\b(?:insert|update|delete|begin|commit)\b/i.test(text)

const cursorNames = new Set(["starting_after", "after", "cursor"])

/** Lists of the contract: whatever takes a cursor. */
const lists = operations.flatMap((one) => {
  const cursor = one.parameters.find(({ name }) => cursorNames.has(name))
  // What stands beneath one thing is looked at by the tests of its room.
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
  const rest = new Set([...shown.values(), ...beside])
  rest.delete("projects")
  for (const table of rest) yield* multiply(table, own)
  yield* sql`insert into outbox_counters (environment_id, position) values (${from}, ${2_000_000})
    on conflict (environment_id) do update set position = excluded.position`
  // As autovacuum leaves tables: without it, reads of indexes alone look dear, and ties fall by chance.
  yield* sql`vacuum (analyze)`.unprepared
  return shown
})

/** Which table each list shows. */
class Shown extends Context.Service<Shown, ReadonlyMap<string, string>>()("@carteiro/test/contract/Shown") {
  static readonly layer = Layer.effect(Shown, seedRows)
}

it.layer(Shown.layer.pipe(Layer.provideMerge(WholeProduct()), Layer.provideMerge(Statements.layer)), {
  excludeTestServices: true,
  timeout: 240_000
})("Indexes", (it) => {
  it.effect.each(lists)(
    "$operationId reads its default order from an index, first page and next (architecture, 7)",
    (list) =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const statements = yield* Statements
        const table = (yield* Shown).get(list.operationId) ?? ""
        const ask = (path: string) => statements.during(get(path, { key: acme.sandbox.key }))
        const [first, firstAsked] = yield* ask(`${list.path}?limit=20`)
        assert.deepStrictEqual([first.status, first.body.has_more, first.body.data.length], [200, true, 20])
        const next = new URLSearchParams({ limit: "20", [list.cursor]: first.body.next_cursor })
        const [second, secondAsked] = yield* ask(`${list.path}?${next}`)
        assert.deepStrictEqual([second.status, second.body.has_more, second.body.data.length], [200, true, 20])
        for (const asked of [firstAsked, secondAsked]) {
          const reading = asked.filter(({ text }) => /\b(from|join)\b/i.test(text) && text.includes(table))
          assert.isAbove(reading.length, 0, `${list.operationId} was not seen reading ${table}`)
          for (const statement of reading) {
            const plan = yield* planOf(statement)
            const kinds = nodesOf(plan).map((node) => [node["Node Type"], node["Relation Name"]].join(" "))
            assert.isTrue(
              nodesOf(plan).some((node) => node["Relation Name"] === table),
              `no plan reads ${table}`
            )
            assert.deepStrictEqual(
              kinds.filter((kind) => kind.startsWith("Seq Scan")),
              []
            )
            assert.isFalse(sortsTable(plan, table), kinds.join(" < "))
          }
        }
      })
  )

  it.effect.each(lists)("$operationId reads a bounded number of rows by every filter, and by every two", (list) =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const statements = yield* Statements
      const ask = (query: Readonly<Record<string, string>>) =>
        get(`${list.path}?${new URLSearchParams({ limit: "20", ...query })}`, { key: acme.sandbox.key })
      const item = (yield* ask({})).body.data[0]
      const unbounded: Array<string> = []
      for (const query of queriesOf(list.operationId, item)) {
        const [{ status, text }, asked] = yield* statements.during(ask(query))
        assert.strictEqual(status, 200, `${JSON.stringify(query)}: ${text}`)
        for (const statement of asked.filter(isRead)) {
          const rows = mostRead(yield* ranBy(statement))
          if (rows > mostRows) unbounded.push(`${JSON.stringify(query)} read ${rows} rows`)
        }
      }
      assert.deepStrictEqual(unbounded, [])
    })
  )
})
