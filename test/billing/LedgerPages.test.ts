import { LedgerRepo } from "@carteiro/runtime/billing/ledger/LedgerRepo.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { nodesOf, planOf, Statements } from "../contract/Planned.ts"
import { OwnerTest } from "../support/OwnerTest.ts"

const product = OwnerTest(LedgerRepo.layer).pipe(Layer.provideMerge(Statements.layer))

it.layer(product, { excludeTestServices: true })("Pages of the ledger", (it) => {
  it.effect(
    "a page with both filters walks 5,000 entries and continues by its cursor; a page with one follows its index C-LED-12 C-LED-13",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const repo = yield* LedgerRepo
        const statements = yield* Statements
        yield* sql`insert into ledger_entries (organization_id, id, account_id, environment, type, is_listed, from_account,
          to_account, amount, source_type, source_id, recorded_at)
        select 'org_1', 'led_' || lpad(n::text, 6, '0'), 'org_1', case when n = 1 then 'sandbox' else 'production' end,
          'debit', true, 'available', 'spent', 1, 'usage', 'msg_' || n, now() from generate_series(1, 12000) n`
        yield* sql`insert into ledger_entries (organization_id, id, account_id, environment, type, is_listed, from_account,
          to_account, amount, source_type, source_id, recorded_at)
        values ('org_2', 'led_x', 'org_2', 'sandbox', 'debit', true, 'available', 'spent', 1, 'usage', 'msg_x', now())`
        const pagesOf = Effect.fnUntraced(function* (
          environment: "sandbox" | undefined,
          source_type: string | undefined
        ) {
          const pages: Array<ReadonlyArray<string>> = []
          let before: string | undefined
          do {
            const { rows, walked_to } = yield* repo.list("org_1", { environment, source_type }, before, 3)
            pages.push(rows.map(({ id }) => id))
            before = walked_to ?? undefined
          } while (before !== undefined)
          return pages
        })
        const [both, asked] = yield* statements.during(pagesOf("sandbox", "usage"))
        assert.deepStrictEqual(both, [[], [], ["led_000001"]])
        assert.deepStrictEqual(yield* pagesOf("sandbox", undefined), [["led_000001"]])
        const newest = ["led_012000", "led_011999", "led_011998"]
        assert.deepStrictEqual((yield* pagesOf(undefined, "usage"))[0], newest)
        assert.deepStrictEqual((yield* pagesOf(undefined, undefined))[0], newest)
        for (const statement of asked) {
          const kinds = nodesOf(yield* planOf(statement)).map((node) => node["Node Type"])
          assert.notInclude(kinds, "Seq Scan")
          assert.notInclude(kinds, "Sort")
        }
      })
  )
})
