import { splitStatements } from "@carteiro/runtime/platform/sql/SqlScript.ts"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"

const pieces = [
  "select 1",
  "select 'a;b''c;', E'it\\'s; so'",
  'create table "odd;name" (id int4)',
  "create function f() returns int4 language sql as $body$ select 1; $body$",
  "do $$ begin perform 1; end $$",
  "select 1 -- not; here\n + 1",
  "select /* nor /* nested; */ here; */ 2",
  "select $1::text, a$b, 'C:\\'"
]

it.prop("splits a script at its own semicolons only", [Schema.Array(Schema.Literals(pieces))], ([statements]) => {
  const script = statements.map((statement) => `-- about; it\n${statement};`).join("\n\n")
  assert.deepStrictEqual(
    splitStatements(script),
    statements.map((statement) => `-- about; it\n${statement}`)
  )
})

it("leaves out what holds nothing, and takes a last statement without its semicolon", () => {
  assert.deepStrictEqual(splitStatements("; -- a\n; /* b */ ;select 1;\n\nselect 2\n-- end\n"), [
    "select 1",
    "select 2\n-- end"
  ])
})
