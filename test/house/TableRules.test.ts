import { assert, describe, it } from "@effect/vitest"
import { readSource } from "./SourceText.ts"
import { migrationProblems, tableProblems } from "./TableRules.ts"

const tables = {
  contacts: { owner: "contacts", readBy: { messages: "for speed" } },
  messages: { owner: "messages", writtenBy: { batches: "for speed" } }
}

const named = (path: string, sql: string) =>
  tableProblems(path, readSource(`const text = sql\`${sql}\``), tables).map(({ line, message }) => `${line} ${message}`)

const told = (table: string, doing: string, owner: string) =>
  `1 ${table} is ${doing} by ${owner} only; test/house/Tables.ts`

describe("tables", () => {
  it("are named by their room and by declared readers", () => {
    const select = "select id from contacts where id = $1"
    assert.deepStrictEqual(named("runtime/contacts/ContactRepo.ts", select), [])
    assert.deepStrictEqual(named("runtime/messages/facts/SendingRepo.ts", select), [])
    assert.deepStrictEqual(named("runtime/webhooks/log/Any.ts", select), [told("contacts", "read", "contacts")])
    assert.deepStrictEqual(named("runtime/messages/facts/SendingRepo.ts", "update contacts set phone = $1"), [
      told("contacts", "written", "contacts")
    ])
    assert.deepStrictEqual(named("runtime/batches/BatchRepo.ts", "delete from messages where id = $1"), [])
  })

  it("are found wherever a statement names them, and nowhere else", () => {
    const path = "runtime/webhooks/log/Any.ts"
    const read = told("messages", "read", "messages")
    const written = told("messages", "written", "messages")
    assert.deepStrictEqual(named(path, "insert into messages (id) select 1"), [written])
    assert.deepStrictEqual(named(path, "with gone as (delete from messages where true) select 1"), [written])
    assert.deepStrictEqual(named(path, "select 1 from only messages m"), [read])
    assert.deepStrictEqual(named(path, "select 1 from asked a left join messages m on true where true"), [read])
    assert.deepStrictEqual(named(path, "with moved as (select 1 from asked) select 1 from moved where true"), [])
    assert.deepStrictEqual(named(path, "All messages are gone from messages."), [])
  })

  it("are checked when they are purged by name", () => {
    const text = 'import { deleteUpTo } from "@carteiro/tables/Retention.ts"\ndeleteUpTo("messages", "created_at", 0)'
    const problems = tableProblems("runtime/webhooks/Webhooks.ts", readSource(text), tables)
    assert.deepStrictEqual(
      problems.map(({ line, message }) => [line, message]),
      [[2, "messages is written by messages only; test/house/Tables.ts"]]
    )
  })

  it("are checked when a write is derived from their name", () => {
    const text = `import { defineUpdate } from "@carteiro/tables/TableWrite.ts"
const close = defineUpdate({
  name: "messages.close",
  table: "messages",
  key: { id: "text" }
})`
    const problems = (path: string) => tableProblems(path, readSource(text), tables).map(({ line }) => line)
    assert.deepStrictEqual(problems("runtime/webhooks/log/Any.ts"), [4])
    assert.deepStrictEqual(problems("runtime/messages/message/MessageWrites.ts"), [])
  })

  it("have one owner each, from their migration", () => {
    const problems = (sql: string) =>
      migrationProblems(new Map([["schema/database/0001_any.sql", sql]]), tables).map(({ message }) => message)
    assert.deepStrictEqual(problems("create table contacts ();\ncreate table if not exists messages ();"), [])
    assert.deepStrictEqual(problems("create table contacts ();"), ["no migration makes messages"])
    assert.deepStrictEqual(problems("create table contacts (); create table messages (); create table media ();"), [
      "media belongs to no room"
    ])
  })

  it("have migrations with distinct numbers", () => {
    const made = "create table contacts (); create table messages ();"
    const problems = (...names: ReadonlyArray<string>) =>
      migrationProblems(new Map(names.map((name) => [`schema/database/${name}`, made])), tables).map(
        ({ path, message }) => `${path} ${message}`
      )
    assert.deepStrictEqual(problems("0001_any.sql", "0002_other.sql"), [])
    assert.deepStrictEqual(problems("0001_any.sql", "0002_one.sql", "0002_two.sql"), [
      "schema/database/0002_two.sql 0002_one.sql has this number"
    ])
  })
})
