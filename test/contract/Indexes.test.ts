import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { operations } from "./Described.ts"
import { nodesOf, planOf, Statements, sortsTable } from "./Planned.ts"
import { seedThings } from "./Stage.ts"

const rowsEach = 400
const others = 40

/** Copies the rows of one environment into it `rowsEach` times over, and into `others` environments that are not its. */
const multiply = (table: string, scope: string, id: string, own: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = yield* sql<{ readonly name: string }>`select column_name as name
      from information_schema.columns where table_name = ${table} and table_schema = 'public' order by ordinal_position`
    const values = columns.map(({ name }) => own[name] ?? `t.${name}`)
    yield* sql.unsafe(
      `insert into ${table} (${columns.map(({ name }) => name).join(", ")})
      select ${values.join(", ")} from (select * from ${table} where ${scope} = $1 order by ${id} limit 1) t
      cross join generate_series(0, ${others}) e cross join generate_series(1, ${rowsEach}) n`,
      [own.from]
    )
  }).pipe(Effect.orDie)

// As in life, the ids of all environments are interleaved: the copies keep the instant of the row they are made from.
const numbered = (column: string) =>
  `left(t.${column}, position('_' in t.${column}) + 10) || lpad((n * ${others + 1} + e)::text, 16, '0')`
const elsewhere = (column: string, prefix: string) =>
  `case when e = 0 then t.${column} else '${prefix}_filled' || e end`

/** Every table a list reads, as large as makes the planner choose. */
const seedRows = Effect.gen(function* () {
  const { acme } = yield* Api
  const sql = yield* SqlClient.SqlClient
  const environment = acme.sandbox
  yield* seedThings(environment)
  const from = environment.id
  const ofEnvironment = { from, environment_id: elsewhere("environment_id", "env") }

  yield* sql`insert into organizations (id, name, created_at)
    select 'org_filled' || e, 'filled', current_timestamp from generate_series(1, ${others}) e`
  yield* multiply("projects", "organization_id", "id", {
    from: acme.organization_id,
    organization_id: elsewhere("organization_id", "org"),
    id: numbered("id"),
    slug: "'p' || n"
  })
  yield* sql`insert into environments (id, organization_id, project_id, kind, created_at)
    select 'env_filled' || e, 'org_filled' || e, p.id, 'sandbox', p.created_at from generate_series(1, ${others}) e
    join lateral (select * from projects where organization_id = 'org_filled' || e order by id limit 1) p on true`
  yield* sql`insert into environments (id, organization_id, project_id, kind, created_at)
    select 'env_' || k.kind || substr(p.id, 5), p.organization_id, p.id, k.kind, p.created_at from projects p
    cross join (values ('sandbox'), ('production')) k(kind) on conflict do nothing`
  yield* multiply("api_keys", "environment_id", "id", {
    ...ofEnvironment,
    id: numbered("id"),
    secret_hash: `decode(md5('key' || e || '/' || n), 'hex')`
  })
  yield* multiply("feedback_reports", "environment_id", "id", { ...ofEnvironment, id: numbered("id") })
  yield* multiply("messages", "environment_id", "id", { ...ofEnvironment, id: numbered("id") })
  yield* multiply("webhook_endpoints", "environment_id", "id", { ...ofEnvironment, id: numbered("id") })
  yield* multiply("outbox_events", "environment_id", "id", {
    ...ofEnvironment,
    id: numbered("id"),
    position: "1000 + n"
  })
  yield* multiply("webhook_events", "environment_id", "id", {
    ...ofEnvironment,
    id: numbered("id"),
    event_id: numbered("event_id")
  })
  yield* multiply("webhook_attempts", "environment_id", "webhook_event_id", {
    ...ofEnvironment,
    webhook_event_id: numbered("webhook_event_id"),
    id: numbered("id")
  })
  yield* sql`insert into outbox_counters (environment_id, position) values (${from}, ${2_000_000})
    on conflict (environment_id) do update set position = excluded.position`
  yield* sql`analyze`.unprepared
})

const cursorNames = new Set(["starting_after", "after", "cursor"])

/** Lists of the contract: whatever takes a cursor. */
const lists = operations.flatMap((one) => {
  const cursor = one.parameters.find(({ name }) => cursorNames.has(name))
  return cursor === undefined ? [] : [{ operationId: one.operationId, path: one.path, cursor: cursor.name }]
})

/** The table whose rows a list shows. */
const tables: Readonly<Record<string, string>> = {
  "apiKeys.list": "api_keys",
  "projects.list": "projects",
  "feedback.list": "feedback_reports",
  "messages.list": "messages",
  "webhookEndpoints.list": "webhook_endpoints",
  "webhookEvents.list": "webhook_events",
  "webhookListen.listen": "outbox_events"
}

it.layer(Layer.effectDiscard(seedRows).pipe(Layer.provideMerge(WholeProduct()), Layer.provideMerge(Statements.layer)), {
  excludeTestServices: true,
  timeout: 120_000
})("Indexes", (it) => {
  it("every list of the contract is looked at below", () => {
    assert.deepStrictEqual(lists.map(({ operationId }) => operationId).sort(), Object.keys(tables).sort())
  })

  it.effect.each(lists)(
    "$operationId reads its default order from an index, first page and next (architecture, 7)",
    (list) =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const statements = yield* Statements
        const table = tables[list.operationId] ?? ""
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
})
