import { readFileSync } from "node:fs"
import { migrationNames, schemaFile } from "@carteiro/tables/Migrations.ts"
import { schemaText } from "@carteiro/tables/SchemaText.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../support/TestDatabase.ts"

const run = { excludeTestServices: true }

it.layer(TestDatabase.layer, run)("schema/database/schema.sql", (it) => {
  it.effect("shows the schema that the migrations make", () =>
    Effect.map(schemaText, (text) =>
      assert.isTrue(readFileSync(schemaFile, "utf8") === text, "schema.sql is stale: run npm run codegen")
    )
  )

  it("is no migration", () => {
    assert.deepStrictEqual(
      migrationNames().filter((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name)),
      []
    )
  })
})

it.layer(TestDatabase.empty, run)("the text of a schema", (it) => {
  it.effect("shows columns, constraints, indexes, functions and triggers in an order of its own", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const statement of made) yield* sql.unsafe(statement)
      assert.strictEqual((yield* schemaText).split("\n\n").slice(1).join("\n\n"), shown)
    })
  )
})

const made = [
  "create table owners (id text primary key)",
  'create table cars (plate text not null, id text collate "C" references owners (id), seats int4 not null default 4, gone text)',
  "alter table cars drop column gone",
  "alter table cars add column doubled int4 generated always as (seats * 2) stored",
  "alter table cars add constraint cars_seats check (seats > 0)",
  "alter table cars add constraint a_car primary key (plate)",
  "alter table cars set (fillfactor = 80)",
  "create index cars_owner on cars (id) where id is not null",
  "create function stays() returns trigger language plpgsql as $$ begin return new; end $$",
  "create trigger cars_stay before update on cars for each row execute function stays()"
]

const shown = `CREATE OR REPLACE FUNCTION public.stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin return new; end $function$;

create table cars (
  plate text not null,
  id text collate "C",
  seats integer default 4 not null,
  doubled integer generated always as (seats * 2) stored,
  constraint a_car PRIMARY KEY (plate),
  constraint cars_id_fkey FOREIGN KEY (id) REFERENCES owners(id),
  constraint cars_seats CHECK (seats > 0)
) with (fillfactor=80);
CREATE INDEX cars_owner ON cars USING btree (id) WHERE id IS NOT NULL;
CREATE TRIGGER cars_stay BEFORE UPDATE ON cars FOR EACH ROW EXECUTE FUNCTION stays();

create table owners (
  id text not null,
  constraint owners_pkey PRIMARY KEY (id)
);
`
