import { pageReply, writeItems } from "@carteiro/http-edge/Paging.ts"
import { readReply, valueReply } from "@carteiro/http-edge/Reply.ts"
import { atOnce } from "@carteiro/owners/Slices.ts"
import { pageBytes } from "@carteiro/tables/PageSql.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

interface Row {
  readonly id: number
  readonly length: number
}

const rowsOf = (lengths: ReadonlyArray<number>): ReadonlyArray<Row> => lengths.map((length, id) => ({ id, length }))

/** Goes through rows page by page as a list does; tells how often a row was written. */
const walk = (rows: ReadonlyArray<Row>, size: number, character: string) => {
  const pages: Array<ReadonlyArray<string>> = []
  let written = 0
  let from = 0
  while (true) {
    const some = rows.slice(from, from + size + 1)
    const { items, last } = atOnce(
      writeItems(some, size, ({ id, length }) => {
        written++
        return { id, text: character.repeat(length) }
      })
    )
    pages.push(items)
    if (last === undefined) return { pages, written }
    from = last.id + 1
  }
}

describe("A page of a list", () => {
  it("ends at its bytes or its size, never before its first item, and the walk shows each row once A-CONV-13 gaps-1 A 'Default list order'", () => {
    const length = fc.oneof(fc.nat(50), fc.integer({ min: 500_000, max: 2_500_000 }))
    fc.assert(
      fc.property(
        fc.array(length, { maxLength: 12 }),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom("x", "é", "\u0001"),
        (lengths, size, character) => {
          const rows = rowsOf(lengths)
          const { pages, written } = walk(rows, size, character)
          assert.deepStrictEqual(
            pages.flat().map((item) => (JSON.parse(item) as Row).id),
            rows.map(({ id }) => id)
          )
          for (const items of pages) {
            assert.isAtMost(items.length, size)
            assert.isTrue(items.length <= 1 || Buffer.byteLength(items.join()) <= pageBytes)
          }
          // An item that does not fit is written once more, for the page that it opens.
          assert.isAtMost(written, rows.length + pages.length - 1)
        }
      ),
      { numRuns: 12 }
    )
  })

  it("has more when the list says that rows stand behind its bytes, though what it shows is short", () => {
    const rows = [{ page_bytes: 0 }, { page_bytes: 3_999_999 }, { page_bytes: 4_000_001 }]
    const { items, last } = atOnce(writeItems(rows, 100, ({ page_bytes }) => ({ page_bytes })))
    assert.lengthOf(items, 2)
    assert.strictEqual(last, rows[1])
  })

  it("gives the event loop back while it writes many bytes", () => {
    const work = writeItems(rowsOf(Array(30).fill(100_000)), 100, ({ length }) => "x".repeat(length))
    let turns = 0
    while (work.next().done !== true) turns++
    assert.strictEqual(turns, 30)
  })

  it("is an envelope with what the list has beside A-CONV-13 A-CONV-22", () => {
    const { body } = pageReply(
      { traceId: "t-1" },
      { items: ['{"id":1}', '{"id":2}'], next_cursor: null },
      { summary: 3 }
    )
    assert.strictEqual(
      body,
      '{"object":"list","data":[{"id":1},{"id":2}],"has_more":false,"next_cursor":null,"summary":3,"trace_id":"t-1"}'
    )
  })
})

it("the rows of people are read as they are: their text is written once it is read, and once only", () => {
  let writes = 0
  const row = { id: "adt_1", toJSON: () => ({ id: `written ${++writes}` }) }
  const answer = valueReply({ traceId: "t1" }, 200, { object: "list", data: [row] })
  assert.strictEqual(readReply(answer).data[0], row)
  assert.strictEqual(writes, 0)
  assert.strictEqual(answer.body, '{"object":"list","data":[{"id":"written 1"}],"trace_id":"t1"}')
  assert.strictEqual(answer.body, answer.body)
  assert.strictEqual(writes, 1)
})
