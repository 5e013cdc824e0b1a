import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { CliTest, json, run } from "./Commands.ts"

it.layer(CliTest, { excludeTestServices: true })("carteiro billing", (it) => {
  it.effect("shows balance, top-ups, cards, plan and a month of an organization C-BAL-02 C-BAL-05", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const of = ["-o", acme.organization_id]
      assert.deepInclude(yield* json("billing", "balance", ...of), {
        balance_brl: "1000.0000",
        held_brl: "0.0000",
        production_blocked: false
      })
      yield* sql`insert into credit_topups (account_id, id, kind, status, amount, payment_method, provider, created_at, completed_at)
        values (${acme.organization_id}, 'ctu_1', 'cash', 'succeeded', 500000, 'manual', 'manual', now(), now())`
      assert.deepInclude((yield* json("billing", "topups", ...of)).data[0], { id: "ctu_1", amount_brl: "50.0000" })
      const cards = yield* json("billing", "cards", ...of)
      assert.deepStrictEqual([cards.data, cards.auto_topup.enabled], [[], false])
      const plan = yield* json("billing", "plan", ...of)
      assert.strictEqual(plan.status, "none")
      assert.deepInclude(plan.changes[2], {
        plan_offering_id: "plo_growth",
        when: "now",
        charged_now_brl: "499.0000"
      })
      const month = yield* json("billing", "statement", ...of, "--month", "2026-01")
      assert.deepInclude(month, { opening_brl: "0.0000", closing_brl: "1000.0000", usage: [] })
      assert.deepInclude(month.lines[0], { type: "credit", rail: "funding:manual", amount_brl: "1000.0000" })
      assert.match((yield* run("billing", "statement", ...of)).text, /^closing_brl +1000\.0000$/m)
      assert.match((yield* run("billing", "statement", ...of, "--month", "2026-13")).refusal, /Expected a month/)
      assert.match((yield* run("billing", "balance", "-o", "org_none")).refusal, /No organization/)
    })
  )

  it.effect("ledger list filters by environment and source C-LED-12 C-LED-13", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const list = (...more: ReadonlyArray<string>) => json("ledger", "list", "-o", acme.organization_id, ...more)
      assert.strictEqual((yield* list()).data.length, 1)
      assert.strictEqual((yield* list("--source", "credit_topup")).data.length, 1)
      assert.strictEqual((yield* list("--source", "usage")).data.length, 0)
      assert.strictEqual((yield* list("--environment", "production")).data.length, 0)
    })
  )
})
