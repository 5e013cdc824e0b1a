import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { realNow } from "@carteiro/owners/RealTime.ts"
import { topupFailureRows } from "@carteiro/runtime/billing/notices/MoneyNotices.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { use } from "../billing/Accounts.ts"
import { connect, paying } from "../payments/PaymentsStage.ts"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import type { TestTenant } from "../support/Tenants.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/billing"

const accountOf = (tenant: TestTenant) => ({
  id: tenant.organization_id,
  project_id: tenant.project.id,
  environment_id: tenant.production.id,
  tenant
})

it.layer(DashboardTest, { excludeTestServices: true })("Billing pages", (it) => {
  it.effect("show balance, movements as a chart and a table, usage, holds and the month C-BAL-05 C-LED-03", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const of = accountOf(acme)
      yield* use(of, "message.transport.utility")
      yield* use(of, "message.transport.marketing")
      yield* connect("pixprov2")
      // One percent of it is set aside, and the initiation fee charged.
      yield* (yield* paying("production")).create({ amount_brl_centavos: 120_000 })
      yield* turnBy(1000)
      const someone = yield* signedIn(acme)
      const { status, text } = yield* someone.get(page)
      assert.strictEqual(status, 200)
      assert.include(text, "<svg viewBox")
      const shown = textOf(text)
      for (const part of [
        "R$ 987,38 balance",
        "R$ 12,00 set aside",
        "message transport marketing",
        "−R$ 0,08",
        "+R$ 1.000,00",
        "Balance from R$ 987,38 on 1 Jan"
      ])
        assert.include(shown, part)
      const statement = textOf((yield* someone.get(`${page}/statement?month=2026-01`)).text)
      for (const part of [
        "R$ 0,00 at the start",
        "R$ 987,38 now",
        "Top-up, manual",
        "Set aside for payments under way",
        "−R$ 0,05"
      ])
        assert.include(statement, part)
      for (const month of ["2026-02", "2026-13", "x"])
        assert.strictEqual((yield* someone.get(`${page}/statement?month=${month}`)).status, 404)
      const stranger = textOf((yield* (yield* signedIn(other)).get(page)).text)
      assert.include(stranger, "R$ 1.000,00 balance")
      assert.notInclude(stranger, "message transport marketing")
    })
  )

  it.effect("show a failed automatic top-up until an owner has dismissed it C-ATOP-08", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const at = yield* realNow
      const { mint } = yield* Ids
      const { organization_id } = acme
      const topup = { organization_id, id: mint("ctu", at), amount: 50_0000, isSimulated: false, at }
      yield* (yield* Commit).write(topupFailureRows(topup, "card_declined", mint))
      const plain = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.notInclude((yield* plain.get(page)).text, "Seen to it")
      const someone = yield* signedIn(acme)
      const { text } = yield* someone.get(page)
      assert.include(textOf(text), "An automatic top-up of R$ 50,00 failed (card declined)")
      const portuguese = yield* someone.get(`${page}?language=pt`)
      assert.include(
        textOf(portuguese.text),
        "Uma recarga automática de R$ 50,00 falhou (cartão recusado). Nada foi cobrado"
      )
      const written = textOf((yield* someone.get("/dashboard/emails?language=pt")).text)
      assert.include(written, "A recarga automática falhou")
      assert.match(written, /com esse cartão: http:\/\/[^ ]+\/dashboard\/billing\/cards /)
      const [, action = ""] = /action="([^"]*\/dismiss)"/.exec(text) ?? []
      yield* someone.submit(page, action)
      assert.notInclude((yield* someone.get(page)).text, "Seen to it")
      assert.include(textOf((yield* someone.get("/dashboard/emails?language=en")).text), "Automatic top-up failed")
    })
  )

  it.effect("say what is missing before a card is saved, and refuse amounts out of bounds C-ATOP-05", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const someone = yield* signedIn(other)
      assert.include(textOf((yield* someone.get(`${page}/top-up`)).text), "There is no saved card yet")
      const cards = `${page}/cards`
      for (const [fields, told] of [
        [{ threshold: "10", amount: "19,99", card: "" }, "from R$ 20,00 to R$ 10.000,00"],
        [{ threshold: "-1", amount: "50", card: "" }, "from R$ 0,00 to R$ 100.000,00"],
        [{ threshold: "10", amount: "50,0010", card: "" }, "at most two places"],
        [{ threshold: "10", amount: "50.00", card: "" }, "a comma before the centavos"],
        [{ threshold: "10.5", amount: "50", card: "" }, "a comma before the centavos"]
      ] as const) {
        const answer = yield* someone.submit(cards, `${cards}/automatic`, { ...fields, enabled: "1" })
        assert.deepStrictEqual([answer.status, textOf(answer.text).includes(told)], [400, true])
        assert.include(answer.text, `value="${fields.amount}"`)
      }
      const off = yield* someone.submit(cards, `${cards}/automatic`, {
        threshold: "1.010,50",
        amount: "R$ 50,00",
        card: ""
      })
      assert.strictEqual(off.status, 303)
      assert.include((yield* someone.get(cards)).text, 'value="1.010,50"')
      const costs = textOf((yield* someone.get(`${page}/plan`)).text)
      assert.include(costs, "Growth R$ 499,00")
      const chosen = textOf((yield* someone.get(`${page}/plan/change?plan=plo_growth`)).text)
      assert.include(chosen, "R$ 499,00 is charged to the default card now")
      assert.strictEqual((yield* someone.get(`${page}/plan/change?plan=plo_none`)).status, 404)
      const refused = yield* someone.submit(`${page}/plan/change?plan=plo_growth`, `${page}/plan`, {
        plan: "plo_growth"
      })
      assert.strictEqual(refused.status, 400)
    })
  )
})
