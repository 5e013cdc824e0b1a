#!/usr/bin/env bash
# A unique index over all three columns of a look-up finds one row; the primary key begins with one of them. PostgreSQL takes
# the unique index while each column is compared with a column. Compared with a CASE over a column, one of the three makes
# it take the primary key's beginning, although the value is one per row and the index fits as before: while one row is
# expected, both cost the same, and the key begins sooner. A generic plan that was made of a small table reads every row of that
# beginning for each look-up once the table has grown, until it is analyzed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @electric-sql/pglite@0.3.14 2>/dev/null
cat > run.mjs <<'JS'
import { PGlite } from "@electric-sql/pglite"

const db = new PGlite()
await db.exec(`
  create table people (shop text not null, id text not null, kind text not null, phone text not null, choice text,
    primary key (shop, id));
  create unique index people_by_phone on people (phone, shop, kind);
  set enable_seqscan = off;
  set plan_cache_mode = force_generic_plan;`)
const lookUp = (kind) => `select (select p.choice from people p where p.shop = a.shop and p.phone = a.phone and p.kind = ${kind})
  from unnest($1::text[], $2::text[], $3::text[]) as a(shop, phone, channel)`
const kinds = { column: "a.channel", expression: "case a.channel when 'chat' then 'phone' else 'other' end" }
for (const [name, kind] of Object.entries(kinds)) await db.exec(`prepare by_${name} as ${lookUp(kind)}`)
const run = `('{shop}', '{7}', '{chat}')`
const indexOf = async (name) => {
  const { rows } = await db.query(`explain (analyze, timing off, summary off) execute by_${name} ${run}`)
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
  return { index: /using (\S+) on people/.exec(plan)?.[1], thrown: Number(/Removed by Filter: (\d+)/.exec(plan)?.[1] ?? 0) }
}
const add = (shop, from, to) => db.exec(`insert into people select ${shop}, 'p' || i, 'phone', i::text, null from generate_series(${from}, ${to}) i`)
// Twenty shops with one person each, and then one of them with many.
await add("'shop' || i", 1, 20)
await db.exec("analyze people")
for (const name of Object.keys(kinds)) await indexOf(name)
await add("'shop'", 1, 2000)
const [column, expression] = [await indexOf("column"), await indexOf("expression")]
const { rows } = await db.query("show server_version")
console.log(`PostgreSQL ${rows[0].server_version} in pglite 0.3.14: with a column ${column.index}; with an expression ${expression.index}, ${expression.thrown} rows read in vain`)
process.exit(column.index === "people_by_phone" && expression.index === "people_pkey" && expression.thrown === 1999 ? 0 : 1)
JS
node run.mjs
