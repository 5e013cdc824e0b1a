import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import { LedgerRepo } from "@carteiro/runtime/billing/ledger/LedgerRepo.ts"
import { monthNamed } from "@carteiro/runtime/billing/statements/Statement.ts"
import { StatementReads } from "@carteiro/runtime/billing/statements/StatementReads.ts"
import { mostUses, StatementRepo } from "@carteiro/runtime/billing/statements/StatementRepo.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { nodesOf, planOf, ranBy, Statements } from "../contract/Planned.ts"
import { OwnerTest } from "../support/OwnerTest.ts"

const reads = StatementReads.layer.pipe(Layer.provideMerge(StatementRepo.layer))
const product = OwnerTest(Layer.merge(LedgerRepo.layer, reads)).pipe(Layer.provideMerge(Statements.layer))

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
      const reads = yield* StatementReads
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
      const [month, [asked, ...others]] = yield* statements.during(reads.month("org_3", january, at(41) as RealInstant))
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
      const empty = yield* reads.month("org_nobody", january, at(41) as RealInstant)
      assert.deepStrictEqual(empty, { opening: 0, closing: 0, lines: [], days: [], usage: [] })
    })
  )

  it.effect("a month that was read before is the same, and reads only what came since C-BAL-01", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const statements = yield* Statements
      const reads = yield* StatementReads
      const march = monthNamed("2026-03")
      if (march === undefined) return assert.fail("no month")
      const at = (day: number, hour = 0) => Date.UTC(2026, 2, day, hour)
      const uses = Effect.fnUntraced(function* (from: number, everyMs: number, count: number, name: string) {
        yield* usesOf("org_5", count, name, 3)
        for (let n = 0; n < count; n++) {
          const id = lowestIdAt("led", from + n * everyMs)
          yield* sql`insert into ledger_entries (organization_id, id, account_id, environment, type, is_listed, from_account,
              to_account, amount, source_type, source_id, meter_id, recorded_at)
            values ('org_5', ${id}, 'org_5', 'production', 'debit', true, 'available', 'revenue', ${n + 1}, 'usage',
              ${`${name}_${n}`}, 'message', ${instant(from + n * everyMs)})`
        }
        yield* sql`update wallets set balance = balance - ${(count * (count + 1)) / 2} where account_id = 'org_5'`
      })
      yield* sql`insert into wallets (account_id, organization_id, environment, balance, held, created_at, updated_at)
        values ('org_5', 'org_5', 'production', 100000, 0, to_timestamp(0), to_timestamp(0))`
      const fresh = (now: number) =>
        Effect.flatMap(StatementReads, (unread) => unread.month("org_5", march, now as RealInstant)).pipe(
          Effect.provide(Layer.fresh(StatementReads.layer))
        )
      yield* uses(at(2), 6_000_000, 60, "first")
      // The last two of these are younger than an hour at noon.
      yield* uses(at(10, 11), 1_000_000, 4, "second")
      const first = yield* reads.month("org_5", march, at(10, 12) as RealInstant)
      assert.deepStrictEqual([first.opening, first.closing], [100_000, 100_000 - 1830 - 10])
      yield* uses(at(10, 13), 1_000_000, 3, "third")
      const later: ReadonlyArray<readonly [now: number, most: number]> = [
        [at(10, 14), 7],
        [at(12), 3],
        [at(13), 0]
      ]
      for (const [now, most] of later) {
        const [month, [asked, ...others]] = yield* statements.during(reads.month("org_5", march, now as RealInstant))
        assert.deepStrictEqual(month, yield* fresh(now))
        assert.deepStrictEqual([month.opening, month.lines[0]?.count, month.closing], [100_000, 67, 98_154])
        assert.lengthOf(others, 0)
        if (asked === undefined) return assert.fail("no statement")
        const read = nodesOf(yield* ranBy(asked)).filter((node) => node["Relation Name"] === "ledger_entries")
        assert.isAtMost(Math.max(...read.map((node) => node["Actual Rows"] ?? 0)), most)
      }
      // What came after the month moves its end and not its movements.
      yield* uses(at(40), 1000, 2, "fourth")
      for (const now of [at(40, 1), at(50), at(60)]) {
        const month = yield* reads.month("org_5", march, now as RealInstant)
        assert.deepStrictEqual(month, yield* fresh(now))
        assert.deepStrictEqual([month.opening, month.lines[0]?.count, month.closing], [100_000, 67, 98_154])
      }
    })
  )

  it.effect("a month of more uses than are remembered shows its costliest, each time it is read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const reads = yield* StatementReads
      const may = monthNamed("2026-05")
      if (may === undefined) return assert.fail("no month")
      const day = Date.UTC(2026, 4, 2)
      const use = Effect.fnUntraced(function* (at: number, count: number, name: string, amount: number) {
        yield* usesOf("org_6", count, name, count)
        yield* sql`insert into ledger_entries (organization_id, id, account_id, environment, type, is_listed, from_account,
            to_account, amount, source_type, source_id, meter_id, recorded_at)
          select 'org_6', ${lowestIdAt("led", at)} || lpad(n::text, 6, '0'), 'org_6', 'production', 'debit', true, 'available',
            'revenue', ${amount} + n, 'usage', ${name} || '_' || n, 'message', ${instant(at)}
          from generate_series(0, ${count}::int - 1) n`
        // Without statistics each entry would look through all uses.
        yield* sql`analyze usage_records, ledger_entries`.unprepared
      })
      yield* use(day, mostUses + 1, "many", 10)
      const now = (day + 7_200_000) as RealInstant
      const first = yield* reads.month("org_6", may, now)
      assert.lengthOf(first.usage, 200)
      assert.deepStrictEqual(first.usage[0], {
        meter_id: "message",
        phone_number_id: `pn_${mostUses}`,
        quantity: 1,
        amount: 10 + mostUses
      })
      assert.deepStrictEqual(yield* reads.month("org_6", may, now), first)
      yield* use(day + 1000, 1, "one", 10_000)
      const second = yield* reads.month("org_6", may, now)
      assert.strictEqual(second.lines[0]?.count, mostUses + 2)
      assert.deepStrictEqual(
        second.usage.slice(0, 2).map(({ amount, phone_number_id }) => [phone_number_id, amount]),
        [
          ["pn_0", 10_010],
          [`pn_${mostUses}`, 10 + mostUses]
        ]
      )
    })
  )
})

/** Records of so many uses, of one of some numbers each. */
const usesOf = (organization: string, count: number, name: string, numbers: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (
      sql
    ) => sql`insert into usage_records (organization_id, id, project_id, environment_id, meter_id, source_type, source_id,
        phone_number_id, quantity, occurred_at)
      select ${organization}, ${name} || '_' || n, 'prj_1', 'env_1', 'message', 'message', ${name} || '_' || n,
        'pn_' || n % ${numbers}::int, 1, to_timestamp(0) from generate_series(0, ${count}::int - 1) n`
  )
