import type { RowOf } from "@carteiro/tables/Parameters.ts"
import type { JsonText } from "@carteiro/tables/StoredJson.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import {
  defaulted,
  defineTable,
  int4,
  int8,
  jsonOf,
  nullable,
  type SelectedRow,
  sealed,
  select,
  type TableRow,
  text,
  textArray,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { defineInsert, defineUpdate, insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { assert, describe, it } from "@effect/vitest"

const notes = defineTable("notes", {
  owner: "notes",
  erasure: "erased",
  key: ["place", "id"],
  columns: {
    place: text,
    id: text,
    status: textOf<"new" | "read">(),
    about: nullable(jsonOf<{ readonly tag: string }>()),
    author_sealed: nullable(sealed(text, "who wrote it")),
    amount: int8,
    tags: nullable(textArray),
    changes: defaulted(int4),
    at: timestamptz
  }
})

/** Compiles where both types are equal. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <_A, _B>(_holds: Same<_A, _B>) => undefined

describe("A declared table", () => {
  it("yields its row, with null only where the column may be null", () => {
    same<
      TableRow<typeof notes>,
      {
        readonly place: string
        readonly id: string
        readonly status: "new" | "read"
        readonly about: JsonText<{ readonly tag: string }> | null
        readonly author_sealed: Uint8Array | null
        readonly amount: number
        readonly tags: ReadonlyArray<string> | null
        readonly changes: number
        readonly at: number
      }
    >(true)
  })

  it("yields the list of a select and the row that it returns", () => {
    const selection = select(notes, "id", "status", "at")
    same<SelectedRow<typeof selection>, { readonly id: string; readonly status: "new" | "read"; readonly at: number }>(
      true
    )
    assert.strictEqual(selection.list, "id, status, at")
    assert.strictEqual(selection.of("n"), "n.id, n.status, n.at")
  })

  it("yields the insert that its columns spell out", () => {
    const spec = { values: { status: "'new'" }, conflict: { on: ["place", "id"], update: ["amount"] } } as const
    const target = rowOf("notes", "place", "id")
    const write = insertInto(notes, { ...spec, columns: ["place", "id", "about", "amount", "at"], target })
    const plain = defineInsert({
      ...spec,
      table: "notes",
      columns: { place: "text", id: "text", about: "text", amount: "int8", at: "timestamptz" },
      target
    })
    assert.strictEqual(write.sql("source"), plain.sql("source"))
    assert.deepStrictEqual({ ...write.columns }, { ...plain.columns })
    same<
      RowOf<typeof write.columns>,
      {
        readonly place: string
        readonly id: string
        readonly about: JsonText<{ readonly tag: string }> | null
        readonly amount: number
        readonly at: number
      }
    >(true)
    write.row({ place: "a", id: "b", about: jsonText({ tag: "c" }), amount: 1, at: 2 })
  })

  it("yields the update of the row of its key, which is its target", () => {
    const spec = { name: "notes.read", beside: { seen: "text" }, values: { changes: "t.changes + 1" } } as const
    const write = updateOf(notes, { ...spec, set: ["status", "at"], guard: "t.status = r.seen" })
    const plain = defineUpdate({
      ...spec,
      table: "notes",
      key: { place: "text", id: "text" },
      set: { status: "text", at: "timestamptz" },
      guard: "t.status = r.seen",
      target: rowOf("notes", "place", "id")
    })
    const row = { place: "a", id: "b", status: "read", at: 2, seen: "new" } as const
    assert.strictEqual(write.sql("source"), plain.sql("source"))
    assert.strictEqual(write.guard?.("asked"), plain.guard?.("asked"))
    assert.strictEqual(write.target?.(row), "notes/a/b")
    assert.throws(
      () => updateOf(notes, { name: "notes.any", key: ["id"], set: ["at"] }),
      "the write notes.any does not find notes by its primary key: it has to name its target"
    )
  })

  it("refuses an insert without a column that PostgreSQL does not fill", () => {
    assert.throws(
      () => insertInto(notes, { columns: ["place", "id", "at"] }),
      "an insert into notes has to write status, amount"
    )
  })

  it("refuses to bind a column that a statement casts", () => {
    assert.throws(
      () => updateOf(notes, { name: "notes.tag", set: ["tags"] }),
      "notes.tags is written by SQL of its own: name it in values"
    )
  })

  it("does not compile with a misspelt column or a value of another type", () => {
    const misspelt = () => {
      // @ts-expect-error no such column in the list of a select
      select(notes, "id", "statsu")
      // @ts-expect-error no such column to insert
      insertInto(notes, { columns: ["place", "idd"], values: { status: "'new'" } })
      // @ts-expect-error no such column that gets SQL
      insertInto(notes, { columns: ["place", "id", "amount", "at"], values: { statsu: "'new'" } })
      // @ts-expect-error no such column to update
      updateOf(notes, { name: "notes.read", set: ["statsu"] })
      // @ts-expect-error no such column in a key
      updateOf(notes, { name: "notes.read", key: ["idd"], set: ["status"] })
      // @ts-expect-error no such column in the primary key
      defineTable("notes", { owner: "notes", erasure: "erased", key: ["idd"], columns: { id: text } })
      const write = updateOf(notes, { name: "notes.read", set: ["status"] })
      // @ts-expect-error no such status
      write.row({ place: "a", id: "b", status: "reed" })
      // @ts-expect-error a column that is never null
      write.row({ place: "a", id: null, status: "read" })
    }
    assert.isFunction(misspelt)
  })
})
