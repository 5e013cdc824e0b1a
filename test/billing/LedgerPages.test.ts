import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { LedgerRepo } from "@carteiro/runtime/billing/ledger/LedgerRepo.ts"
import { monthNamed } from "@carteiro/runtime/billing/statements/Statement.ts"
import { StatementRepo } from "@carteiro/runtime/billing/statements/StatementRepo.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { nodesOf, planOf, Statements } from "../contract/Planned.ts"
import { OwnerTest } from "../support/OwnerTest.ts"

const product = OwnerTest(Layer.merge(LedgerRepo.layer, StatementRepo.layer)).pipe(Layer.provideMerge(Statements.layer))

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

  it.effect("a month is one statement that reads its entries once: by kind, by day and by use C-BAL-01", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* StatementRepo
      const statements = yield* Statements
      const january = monthNamed("2026-01")
      if (january === undefined) return assert.fail("no month")
      const at = (day: number) => Date.UTC(2026, 0, day, 23)
      // The credit is of December and the last use of February; two numbers share a meter, and one use has no record.
      const entries = [
        { at: at(-3), kind: "credit", amount: 1000, use: null },
        { at: at(2), kind: "debit", amount: 10, use: "use_1" },
        { at: at(2), kind: "debit", amount: 20, use: "use_2" },
        { at: at(9), kind: "debit", amount: 50, use: "use_3" },
        { at: at(9), kind: "debit", amount: 5, use: "none" },
        { at: at(40), kind: "debit", amount: 100, use: "use_4" }
      ]
      yield* sql`insert into wallets (account_id, organization_id, environment, balance, held, created_at, updated_at)
        values ('org_3', 'org_3', 'production', 815, 0, to_timestamp(0), to_timestamp(0))`
      for (const [index, { amount, at, kind, use }] of entries.entries()) {
        const isUse = kind === "debit"
        yield* sql`insert into ledger_entries (organization_id, id, account_id, environment, type, is_listed, from_account,
            to_account, amount, source_type, source_id, meter_id, recorded_at)
          values ('org_3', ${lowestIdAt("led", at) + index}, 'org_3', 'production', ${kind}, true,
            ${isUse ? "available" : "funding:card"}, ${isUse ? "revenue" : "available"}, ${amount},
            ${isUse ? "usage" : "credit_topup"}, ${use ?? "top_1"}, ${isUse ? "message" : null}, ${instant(at)})`
        if (use === null || use === "none") continue
        yield* sql`insert into usage_records (organization_id, id, project_id, environment_id, meter_id, source_type,
            source_id, phone_number_id, quantity, occurred_at)
          values ('org_3', ${use}, 'prj_1', 'env_1', 'message', 'message', ${use}, ${use === "use_3" ? "pn_2" : "pn_1"}, 2,
            ${instant(at)})`
      }
      const [month, [asked, ...others]] = yield* statements.during(repo.month("org_3", january))
      assert.deepStrictEqual(month, {
        opening: 1000,
        closing: 915,
        lines: [{ type: "debit", source_type: "usage", meter_id: "message", rail: null, count: 4, amount: 85 }],
        days: [
          { day: "2026-01-02", delta: -30 },
          { day: "2026-01-09", delta: -55 }
        ],
        usage: [
          { meter_id: "message", phone_number_id: "pn_2", quantity: 2, amount: 50 },
          { meter_id: "message", phone_number_id: "pn_1", quantity: 4, amount: 30 }
        ]
      })
      assert.lengthOf(others, 0)
      if (asked === undefined) return assert.fail("no statement")
      const nodes = nodesOf(yield* planOf(asked))
      assert.lengthOf(
        nodes.filter((node) => node["Relation Name"] === "ledger_entries"),
        1
      )
      const empty = yield* repo.month("org_nobody", january)
      assert.deepStrictEqual(empty, { opening: 0, closing: 0, lines: [], days: [], usage: [] })
    })
  )
})
