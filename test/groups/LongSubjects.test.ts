import { pageBytes } from "@carteiro/tables/PageSql.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const count = 60
/** Of 950,000 characters, of one byte or two each. The API takes them too; here they are given to many groups at once. */
const lengthen = "update groups set subject = repeat(case when right(id, 1) < '8' then 'é' else 'x' end, 950000)"

/** What every list has. */
interface Listed {
  readonly data: ReadonlyArray<{ readonly id: string }>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

/** Goes through a list by its cursors; answers the pages. */
const walk = Effect.fnUntraced(function* (path: string, parameter: string, key: string) {
  const { get } = yield* Api
  const pages: Array<Listed> = []
  let after = ""
  while (true) {
    const { body, status, text } = yield* get(`${path}${after}`, { key })
    assert.strictEqual(status, 200)
    const page = body as Listed
    assert.isTrue(page.data.length === 1 || Buffer.byteLength(text) <= pageBytes + 1000, String(text.length))
    pages.push(page)
    if (!page.has_more) return pages
    assert.isAbove(page.data.length, 0)
    after = `&${parameter}=${page.next_cursor}`
  }
})

const idsOf = (pages: ReadonlyArray<Listed>) => pages.flatMap(({ data }) => data.map(({ id }) => id))

it.layer(WholeProduct(), { excludeTestServices: true })("Groups with subjects of a million characters", (it) => {
  it.effect(
    "end a page at 4 MB and continue by its cursor, as their events do C-GRP-32 C-GRP-45 gaps-1 A 'Default list order'",
    () =>
      Effect.gen(function* () {
        const api = yield* Api
        const { id, key } = api.acme.sandbox
        const number = yield* seedNumber({ id, kind: "sandbox" })
        const sql = yield* SqlClient.SqlClient
        const made: Array<string> = []
        for (let n = 0; n < count; n++) {
          const { body } = yield* api.post("/v1/groups", { phone_number_id: number.id, subject: "May" }, { key })
          made.push(body.id)
        }
        yield* turnBy(500)
        yield* sql.unsafe(lengthen)
        const groups = yield* walk("/v1/groups?limit=100", "starting_after", key)
        assert.deepStrictEqual(idsOf(groups), made.toReversed())
        assert.isAtLeast(groups.length, 15)

        const heard = yield* walk("/v1/webhook-events/listen?limit=100&event_type=group.created", "cursor", key)
        assert.strictEqual(new Set(idsOf(heard)).size, count)
        assert.strictEqual(idsOf(heard).length, count)
        assert.isAtLeast(heard.length, 15)
      }),
    240_000
  )
})
