// A drill of a newer major version of PostgreSQL by logical replication: shards and an edge over the old server, and messages
// with webhooks all the while. The schema is copied, a subscription of the new server copies the rows and follows, and the
// nodes change over once it has everything. Each step prints what was lost and for how long the product was missed. Ends
// with 1 when anything that was answered is gone or was done twice, or when a row differs.
//
//   node_modules/.bin/node deploy/drills/major.mjs
//
// The old server is Debian's (or that of PGBIN, with pg_dump and psql), the new one the embedded PostgreSQL. Run as root they
// run as postgres.
import { join } from "node:path"
import { drill, freePort, say, until } from "./kit/drill.mjs"
import { openWindows, subscribed, underLoad } from "./kit/load.mjs"
import { bin, embedded, makeFolder, run, servers } from "./kit/postgres.mjs"
import { caller, operator, settingsOver, startCluster, startReceiver } from "./kit/product.mjs"

const settings = "max_connections=200\ntimezone=UTC"
const copyMs = 300_000

/** Tables whose changed rows the publisher can tell only by all of their columns. */
const withoutKey = `select c.oid::regclass::text from pg_class c
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) order by 1`

const tables = "select quote_ident(tablename) from pg_tables where schemaname = 'public' order by 1"

/** Returns how many rows each table of a server has, and a sum over all that is in them. */
const contentOf = async (server) => {
  const content = new Map()
  for (const [table] of await server.query("carteiro", tables)) {
    const sum = `select count(*), coalesce(sum(hashtextextended(t::text, 0)), 0) from ${table} t`
    const [[rows, all]] = await server.query("carteiro", sum)
    content.set(table, `${rows} rows, ${all}`)
  }
  return content
}

await drill("major", async (ground) => {
  const { expect, folder } = ground
  const old = await servers(ground).init("old", `${settings}\nwal_level=logical`)
  const next = await servers(ground, embedded).init("new", settings)
  for (const server of [old, next]) await server.query("postgres", "create database carteiro")
  let primary = old

  const receiver = await startReceiver(ground)
  const env = settingsOver(old.url("carteiro"), makeFolder(join(folder, "product")), {
    PORT: String(await freePort()),
    CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.origin
  })
  const before = await startCluster(ground, env, { shards: 2 })
  const client = caller(before.dev)
  await client.call("POST", "webhook-endpoints", { url: `${receiver.origin}/hook`, subscribed_events: subscribed })
  await openWindows(client)
  const versionOf = async (server) => (await server.query("postgres", "show server_version"))[0][0]
  say(`PostgreSQL ${await versionOf(old)} of ${bin}, then ${await versionOf(next)}; two shards and an edge`)
  const step = underLoad(ground, { client, receiver, server: () => primary, everyMs: 100 })

  const isCopied = async () =>
    (await next.query("carteiro", "select from pg_subscription_rel where srsubstate <> 'r'")).length === 0
  await step("the new server copies and follows", async () => {
    const keyless = (await old.query("carteiro", withoutKey)).map(([table]) => table)
    for (const table of keyless) await old.query("carteiro", `alter table ${table} replica identity full`)
    say(`tables without a primary key, published by all of their columns: ${keyless.join(", ") || "none"}`)
    const file = join(folder, "sockets", "schema.sql")
    await run("pg_dump", "--schema-only", "--no-owner", `--file=${file}`, old.url("carteiro"))
    await run("psql", "--quiet", "--set=ON_ERROR_STOP=1", `--file=${file}`, next.url("carteiro"))
    await old.query("carteiro", "create publication carteiro for all tables")
    const from = `host=127.0.0.1 port=${old.port} user=postgres dbname=carteiro`
    await next.query("carteiro", `create subscription carteiro connection '${from}' publication carteiro`)
    await until(isCopied, "the copy of all tables", copyMs)
  })

  await step("the nodes change over", async (load) => {
    const answered = load.accepted.length
    await before.stop()
    const [[end]] = await old.query("carteiro", "select pg_current_wal_flush_lsn()")
    const behind = `select from pg_replication_slots where slot_name = 'carteiro' and confirmed_flush_lsn < '${end}'`
    await until(async () => (await old.query("carteiro", behind)).length === 0, "the last rows")
    const used = await old.query(
      "carteiro",
      "select format('%I', sequencename), last_value from pg_sequences where last_value is not null"
    )
    for (const [name, value] of used) await next.query("carteiro", `select setval('${name}', ${value})`)
    say(`sequences set: ${used.map(([name, value]) => `${name} ${value}`).join(", ") || "none"}`)
    await next.query("carteiro", "drop subscription carteiro")

    const [rows, copied] = [await contentOf(old), await contentOf(next)]
    const different = [...rows].filter(([table, content]) => copied.get(table) !== content)
    for (const [table, content] of different) say(`${table}: ${content} there, ${copied.get(table)} here`)
    expect(`tables: ${rows.size}, of them different: ${different.length}`, different.length === 0)

    primary = next
    await startCluster(ground, { ...env, DATABASE_URL: next.url("carteiro") }, { shards: 2 })
    await until(() => load.accepted.length > answered + 20, "answers over the new server")
  })
  const { findings } = operator({ ...env, DATABASE_URL: next.url("carteiro") }, "doctor")
  for (const { check, found } of findings.filter(({ check }) => ["database", "activity", "schema"].includes(check))) {
    say(`doctor, ${check}: ${found}`)
  }
  const activity = findings.find(({ check }) => check === "activity")
  expect(`the console's activity is counted on: ${activity?.status === "ok"}`, activity?.status === "ok")
})
