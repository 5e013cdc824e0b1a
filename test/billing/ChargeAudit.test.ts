import { nightlyAudit } from "@carteiro/runtime/billing/ledger/NightlyAudit.ts"
import { LedgerAudit, ProviderAudit } from "@carteiro/runtime/billing/Operator.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { Cardproc } from "../support/Cardproc.ts"
import { leapTo, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { buy, cardProduct, saveCard } from "./CardStage.ts"

/** Charges, top-ups and invoices that the audit of the tables names. */
const ledgerFindings = Effect.flatMap(LedgerAudit, ({ verify }) =>
  Effect.map(verify, (findings) => findings.flatMap(({ broken }) => broken))
)
const providerFindings = Effect.flatMap(ProviderAudit, ({ verify }) => verify)

it.layer(cardProduct, { excludeTestServices: true })("The audit of charges (gaps-3 D Invariants)", (it) => {
  it.effect("names a charge that was paid and never credited", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("uncredited", 0)
      const { charges, faults } = yield* Cardproc
      yield* saveCard(production.key, "pm_card_declined")
      const { body } = yield* buy(production.key)
      const id: string = body.error.details.credit_topup_id
      assert.deepInclude(yield* providerFindings, { checked: 1, broken: [] })
      charges.payLate(id)
      assert.deepInclude(yield* providerFindings, { checked: 1, broken: [id] })
      assert.deepStrictEqual(yield* ledgerFindings, [])

      yield* leapTo("2026-01-02T04:00:00.000Z")
      yield* nightlyAudit.run
      const sql = yield* SqlClient.SqlClient
      const [night] = yield* sql<{ readonly findings: string }>`select findings from ledger_audits
        where day = '2026-01-02'`
      assert.include(night?.findings, id)

      faults.set([{ name: "error_500", operation: "charge_status" }], 1)
      assert.deepInclude(yield* providerFindings, { checked: 0, broken: [] })
      faults.set([], 1)
    })
  )

  it.effect("names a paid charge that was refunded without an entry", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("given-back", 0)
      const { charges } = yield* Cardproc
      yield* saveCard(production.key, "pm_card_ok")
      const { body } = yield* buy(production.key)
      charges.refund(body.id)
      assert.include((yield* providerFindings).broken, body.id)
    })
  )

  it.effect("names charges, credits and paid invoices that do not match", () =>
    Effect.gen(function* () {
      const { organization_id, production } = yield* seedTenant("torn", 0)
      const { post } = yield* Api
      const { key } = production
      yield* saveCard(key, "pm_card_ok")
      const { body: bought } = yield* buy(key)
      yield* post("/v1/billing/plan/subscribe", { plan_offering_id: "plo_starter", rail: "cardproc_card" }, { key })
      yield* turnBy(1000)
      assert.deepStrictEqual(yield* ledgerFindings, [])
      const sql = yield* SqlClient.SqlClient
      const [invoice] = yield* sql<{ readonly id: string }>`select id from subscription_invoices
        where account_id = ${organization_id}`
      yield* sql`update charges set state = 'failed' where account_id = ${organization_id}`
      const torn = [bought.id, invoice?.id ?? ""]
      // Each is a charge beside what it bought, and something bought beside its charge.
      assert.deepStrictEqual((yield* ledgerFindings).toSorted(), [...torn, ...torn].toSorted())
      yield* sql`update charges set state = 'paid' where account_id = ${organization_id}`
      yield* sql`update subscription_invoices set is_credited = true where id = ${invoice?.id ?? ""}`
      assert.deepStrictEqual(yield* ledgerFindings, [invoice?.id])
    })
  )
})
