import { defineTable, nullable, text } from "@carteiro/tables/Table.ts"
import { assert, describe, it } from "@effect/vitest"
import { spelledReads, stillSpelled } from "./DeclaredReads.ts"
import { declaredTables } from "./DeclaredTables.ts"
import { readSource } from "./SourceText.ts"

const emails = defineTable("emails", {
  owner: "mail",
  erasure: "erased",
  key: ["id"],
  columns: { id: text, subject: text, body: text, status: text, error: nullable(text) }
})
const repo = "runtime/mail/MailRepo.ts"

const breaches = (text: string, allowed: typeof stillSpelled = {}, path = repo) =>
  spelledReads(new Map([[path, readSource(text)]]), [emails], allowed).map(({ line, message }) => `${line}: ${message}`)

const list = "a list by hand: select the columns of the declared table"
const rowType = "a row type by hand: select the columns of the declared table"

describe("Reads of a declared table", () => {
  it("spell no select list of their own, whatever its alias", () => {
    assert.deepStrictEqual(breaches("sql`select id, subject, body, status from emails`"), [`1: ${list}`])
    assert.deepStrictEqual(breaches("\nsql`select m.id, m.subject,\n m.body, m.error from emails m`"), [`2: ${list}`])
    assert.deepStrictEqual(
      breaches("const columns = `id, subject, body, status`\nsql`select ${columns} from emails`"),
      [`1: ${list}`]
    )
  })

  it("spell no row type of their own", () => {
    const row = `interface Email {
  readonly id: string
  readonly subject: string
  readonly body: string
  readonly status: string
}
many(sql<Email>\`select id from emails\`)`
    assert.deepStrictEqual(breaches(row), [`1: ${rowType}`])
  })

  it("may name three columns, use a selection, and compute beside it", () => {
    assert.deepStrictEqual(breaches("sql`select id, subject, body from emails`"), [])
    assert.deepStrictEqual(breaches("sql`select ${emailColumns.of('m')}, count(*) as total from emails m`"), [])
    assert.deepStrictEqual(
      breaches("interface Email extends SelectedRow<typeof emailColumns> { readonly total: number }"),
      []
    )
  })

  it("are not writes, and not reads of another room's table", () => {
    const write =
      "sql`insert into emails (id, subject, body, status) select r.id, r.subject, r.body, r.status from source r`"
    assert.deepStrictEqual(breaches(write), [])
    assert.deepStrictEqual(
      breaches("sql`select id, subject, body, status from emails`", {}, "runtime/media/Any.ts"),
      []
    )
  })

  it("may stand in the list, which says exactly how many are left", () => {
    const text = "sql`select id, subject, body, status from emails`"
    assert.deepStrictEqual(breaches(text, { [repo]: { lists: 1 } }), [])
    assert.deepStrictEqual(breaches(text, { [repo]: { lists: 2 } }), [
      "1: test/house/DeclaredReads.ts allows 2 of list, and there are 1: write the smaller number there, or take the entry away at none"
    ])
    assert.deepStrictEqual(breaches(text, { [repo]: { lists: 1 }, "runtime/mail/Gone.ts": { rows: 1 } }), [
      "1: leaves test/house/DeclaredReads.ts: the file is gone"
    ])
    const owners = new Set(declaredTables.map(({ table }) => table.owner))
    for (const path of Object.keys(stillSpelled)) assert.isTrue(owners.has(path.split("/")[1] ?? ""), path)
  })
})
