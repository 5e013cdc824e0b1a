import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { Cardproc } from "../support/Cardproc.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedKey, seedTenant, type TestTenant } from "../support/Tenants.ts"
import { askFor, correct, hold, inTime, release, use, violations, walletOf } from "./Accounts.ts"
import { cardProduct, passDue, saveCard } from "./CardStage.ts"

const at = "/v1/billing/auto-topup"

const refusal = ({ body, status }: { readonly status: number; readonly body: { error: { code: string } } }) => [
  status,
  body.error.code
]

const accountOf = (tenant: TestTenant) => ({
  id: tenant.organization_id,
  project_id: tenant.project.id,
  environment_id: tenant.production.id,
  tenant
})

const set = Effect.fnUntraced(function* (key: string, body: object = {}, idempotencyKey?: string) {
  const { call } = yield* Api
  const config = { enabled: true, threshold_brl: "50", amount_brl: "200.00", ...body }
  return yield* call("PUT", at, config, { key, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })
})

const config = Effect.fnUntraced(function* (key: string) {
  const { get } = yield* Api
  const { body } = yield* get(at, { key })
  return body
})

/** Automatic top-ups of an account, oldest first. */
const runs = (tenant: TestTenant) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.orDie(
      sql<{ readonly id: string; readonly status: string }>`select id, status from credit_topups
        where account_id = ${tenant.organization_id} and kind = 'cash' and payment_method = 'card' order by id`
    )
  )

const failures = (tenant: TestTenant) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.orDie(
      sql<{ readonly topup_id: string; readonly decline_code: string; readonly last4: string }>`
        select topup_id, decline_code, last4 from auto_topup_failures where account_id = ${tenant.organization_id}`
    )
  )

/** An organization of 100.0000 with a card, topping itself up by 200.0000 at 50.0000. */
const stage = Effect.fnUntraced(function* (name: string, card = "pm_card_ok") {
  const tenant = yield* seedTenant(name, 100_0000)
  const { key } = tenant.production
  const { body: saved } = yield* saveCard(key, card)
  yield* set(key)
  return { tenant, key, card: saved.id as string, account: accountOf(tenant) }
})

const spend = (tenant: TestTenant, amount: number) => correct(tenant.organization_id, "debit", amount)

it.layer(cardProduct, { excludeTestServices: true })("Automatic top-up", (it) => {
  it.effect("is off with zero amounts before it is set, and then shows its settings C-ATOP-01..04", () =>
    Effect.gen(function* () {
      const { organization_id, production } = yield* seedTenant("setter", 100_0000)
      const { key } = production
      const { trace_id: _, ...before } = yield* config(key)
      const off = { id: organization_id, object: "auto_topup_config", enabled: false, payment_method_id: null }
      assert.deepStrictEqual(before, {
        ...off,
        threshold_brl: "0.0000",
        amount_brl: "0.0000",
        last_triggered_at: null,
        updated_at: null
      })
      const { body: card } = yield* saveCard(key, "pm_card_ok")
      const answered = yield* set(key, { threshold_brl: "50.5", payment_method_id: card.id }, "set")
      assert.strictEqual(answered.status, 200)
      const { trace_id, ...shown } = answered.body
      assert.isString(trace_id)
      assert.deepInclude(shown, {
        ...off,
        enabled: true,
        threshold_brl: "50.5000",
        amount_brl: "200.0000",
        payment_method_id: card.id,
        last_triggered_at: null
      })
      assert.isString(shown.updated_at)
      assert.deepStrictEqual(
        (yield* set(key, { threshold_brl: "50.5", payment_method_id: card.id }, "set")).body,
        answered.body
      )
      const { trace_id: __, ...read } = yield* config(key)
      assert.deepStrictEqual(read, shown)
      const off2 = yield* set(key, { enabled: false, payment_method_id: null })
      assert.deepInclude(off2.body, { enabled: false, payment_method_id: null })
    })
  )

  it.effect("takes only decimal strings within bounds, whether on or off C-ATOP-03 (gaps-3 E Auto top-up bounds)", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("bounds", 100_0000)
      const { key } = production
      const refusedThresholds = [
        "-1",
        "+1",
        "1e3",
        "1.234",
        "1,5",
        ".5",
        "1.",
        "",
        " 1",
        "100000.01",
        "9".repeat(10),
        50
      ]
      for (const threshold_brl of refusedThresholds) {
        const refused = yield* set(key, { enabled: false, threshold_brl })
        assert.deepStrictEqual(
          [...refusal(refused), refused.body.error.param],
          [400, "invalid_billing_request", "threshold_brl"],
          String(threshold_brl)
        )
      }
      for (const amount_brl of ["19.99", "0", "10000.01", "99999999999999999999", "20.001", 200, null]) {
        const refused = yield* set(key, { enabled: false, amount_brl })
        assert.deepStrictEqual(
          [...refusal(refused), refused.body.error.param],
          [400, "invalid_billing_request", "amount_brl"],
          String(amount_brl)
        )
      }
      for (const [threshold_brl, amount_brl] of [
        ["0", "20"],
        ["0.00", "20.00"],
        ["100000.00", "10000.00"]
      ]) {
        assert.strictEqual((yield* set(key, { enabled: false, threshold_brl, amount_brl })).status, 200)
      }
      for (const [body, param] of [
        [{ enabled: "true" }, "enabled"],
        [{ payment_method_id: 1 }, "payment_method_id"],
        [{ currency: "brl" }, "currency"]
      ] as const) {
        const refused = yield* set(key, { enabled: false, ...body })
        assert.deepStrictEqual([...refusal(refused), refused.body.error.param], [400, "invalid_billing_request", param])
      }
    })
  )

  it.effect(
    "needs an active card to be on, and its scopes to be read and set C-ATOP-02 C-ATOP-05 (gaps-3 E Auto top-up card choice)",
    () =>
      Effect.gen(function* () {
        const { production } = yield* seedTenant("cardless", 100_0000)
        const { key } = production
        const { delete: remove, get } = yield* Api
        const none = yield* set(key)
        assert.deepStrictEqual(refusal(none), [402, "payment_method_required"])
        assert.isUndefined(none.body.error.feedback)
        // What no database takes is no id, and kept by none: a card that is not charged yet is not looked up either.
        for (const payment_method_id of ["bpm_0", "bpm_\u0000", "b".repeat(10_000)]) {
          for (const enabled of [true, false]) {
            const refused = yield* set(key, { enabled, payment_method_id })
            assert.deepStrictEqual(refusal(refused), [404, "payment_method_not_found"])
          }
        }
        const { body: card } = yield* saveCard(key, "pm_card_ok")
        assert.strictEqual((yield* set(key, { payment_method_id: null })).body.payment_method_id, card.id)
        yield* remove(`/v1/billing/payment-methods/${card.id}`, { key })
        const deleted = yield* set(key, { payment_method_id: card.id })
        assert.deepStrictEqual(refusal(deleted), [409, "payment_method_not_active"])
        assert.strictEqual(
          (yield* set(key, { enabled: false, payment_method_id: card.id })).body.payment_method_id,
          card.id
        )
        const { key: reader } = yield* seedKey(production, { scopes: ["billing:read"] })
        const { key: writer } = yield* seedKey(production, { scopes: ["billing:write"] })
        assert.deepStrictEqual(refusal(yield* set(reader, { enabled: false })), [403, "insufficient_scope"])
        assert.deepStrictEqual(refusal(yield* get(at, { key: writer })), [403, "insufficient_scope"])
      })
  )

  it.effect(
    "a debit from above the threshold to it charges once; further debits below charge nothing C-ATOP-06 C-ATOP-07",
    () =>
      Effect.gen(function* () {
        const { card, key, tenant } = yield* stage("crosser")
        const { charges } = yield* Cardproc
        yield* spend(tenant, 49_9999)
        assert.deepStrictEqual(yield* runs(tenant), [])
        yield* spend(tenant, 1)
        const [run, ...more] = yield* runs(tenant)
        assert.deepStrictEqual([run?.status, more], ["succeeded", []])
        assert.deepInclude(
          charges.list.find(({ external_id }) => external_id === run?.id),
          { amount_centavos: 20_000, off_session: true }
        )
        assert.strictEqual((yield* walletOf({ id: tenant.organization_id })).balance, 250_0000)
        const shown = yield* config(key)
        assert.deepInclude(shown, { enabled: true, payment_method_id: card })
        assert.isString(shown.last_triggered_at)
        const { get } = yield* Api
        const { body } = yield* get("/v1/billing/packages", { key })
        assert.deepInclude(body.data[0], {
          id: run?.id,
          kind: "cash",
          payment_method: "card",
          provider: "cardproc",
          amount_brl: "200.0000",
          package_code: null,
          quota_messages: null,
          quota_remaining: null
        })
        yield* spend(tenant, 200_0000)
        assert.lengthOf(yield* runs(tenant), 2)
      })
  )

  it.effect("a balance at or below the threshold starts no run until it has been above it again C-ATOP-07", () =>
    Effect.gen(function* () {
      const tenant = yield* seedTenant("below", 40_0000)
      const { key } = tenant.production
      yield* saveCard(key, "pm_card_ok")
      yield* set(key)
      yield* spend(tenant, 10_0000)
      assert.deepStrictEqual(yield* runs(tenant), [])
      yield* correct(tenant.organization_id, "credit", 50_0000)
      assert.deepStrictEqual(yield* runs(tenant), [])
      yield* spend(tenant, 50_0000)
      assert.lengthOf(yield* runs(tenant), 1)
    })
  )

  it.effect(
    "usage and holds that cross the threshold start a run; released amounts start none (gaps-3 E Auto top-up trigger)",
    () =>
      Effect.gen(function* () {
        const held = yield* stage("holding")
        const { id } = yield* hold(held.account, 60_0000)
        yield* turnBy(10)
        assert.lengthOf(yield* runs(held.tenant), 1)
        yield* release(held.account, id)
        yield* turnBy(10)
        assert.lengthOf(yield* runs(held.tenant), 1)
        const using = yield* stage("using")
        yield* spend(using.tenant, 49_9900)
        yield* use(using.account, "message.transport.marketing")
        yield* turnBy(2000)
        assert.lengthOf(yield* runs(using.tenant), 1)
      })
  )

  it.effect("many debits at once start one run, and crossings during the run are ignored C-ATOP-06", () =>
    Effect.gen(function* () {
      const { account, tenant } = yield* stage("parallel")
      const { charges, faults } = yield* Cardproc
      faults.set([{ name: "reset_after", operation: "charge", times: 1 }], 1)
      yield* Effect.all(
        [
          ...Array.from({ length: 12 }, () => inTime(hold(account, 5_0000))),
          ...Array.from({ length: 6 }, () => use(account, "message.transport.marketing")),
          ...Array.from({ length: 6 }, () => askFor(account.id, "debit", 2_0000))
        ],
        { concurrency: "unbounded" }
      )
      yield* turnBy(10)
      assert.lengthOf(yield* runs(tenant), 1)
      yield* correct(tenant.organization_id, "credit", 100_0000)
      yield* spend(tenant, 100_0000)
      yield* turnBy(10_000)
      const all = yield* runs(tenant)
      assert.deepStrictEqual(
        all.map(({ status }) => status),
        ["succeeded"]
      )
      assert.lengthOf(
        charges.list.filter(({ external_id }) => all.some(({ id }) => id === external_id)),
        1
      )
      faults.set([], 1)
      assert.deepStrictEqual(yield* violations, [])
    })
  )

  it.effect.each([
    ["pm_card_declined", "insufficient_funds"],
    ["pm_card_authentication", "authentication_required"]
  ])("a definite failure of %s turns it off and is told once C-ATOP-08", ([card = "", decline_code = ""]) =>
    Effect.gen(function* () {
      const { key, tenant } = yield* stage(`failing-${card}`, card)
      yield* spend(tenant, 60_0000)
      const [run] = yield* runs(tenant)
      assert.strictEqual(run?.status, "failed")
      assert.deepInclude(yield* config(key), { enabled: false })
      const [told, ...more] = yield* failures(tenant)
      assert.deepStrictEqual([told?.topup_id, told?.decline_code], [run?.id, decline_code])
      assert.deepStrictEqual(more, [])
      yield* correct(tenant.organization_id, "credit", 100_0000)
      yield* spend(tenant, 100_0000)
      assert.lengthOf(yield* runs(tenant), 1)
      assert.lengthOf(yield* failures(tenant), 1)
    })
  )

  it.effect("an unknown answer is no failure: the charge is looked up by its id (gaps-3 E Auto top-up execution)", () =>
    Effect.gen(function* () {
      const { key, tenant } = yield* stage("unknown")
      const { charges, faults } = yield* Cardproc
      faults.set([{ name: "error_500", operation: "charge" }], 1)
      yield* spend(tenant, 60_0000)
      yield* turnBy(60_000)
      assert.deepStrictEqual(
        (yield* runs(tenant)).map(({ status }) => status),
        ["pending"]
      )
      assert.deepInclude(yield* config(key), { enabled: true })
      faults.set([], 1)
      yield* passDue(tenant.organization_id, 80 * 60_000)
      const [run] = yield* runs(tenant)
      assert.strictEqual(run?.status, "succeeded")
      assert.lengthOf(
        charges.list.filter(({ external_id }) => external_id === run?.id),
        1
      )
      assert.deepStrictEqual(yield* failures(tenant), [])
    })
  )

  it.effect(
    "saving a card turns on what a failure turned off, uses that card, and charges nothing C-ATOP-09 C-ATOP-11",
    () =>
      Effect.gen(function* () {
        const { key, tenant } = yield* stage("saver", "pm_card_declined")
        yield* spend(tenant, 60_0000)
        yield* turnBy(1000)
        const { body: card } = yield* saveCard(key, "pm_card_ok", { set_default: false })
        yield* turnBy(1000)
        assert.deepInclude(yield* config(key), { enabled: true, payment_method_id: card.id })
        assert.lengthOf(yield* runs(tenant), 1)
        yield* correct(tenant.organization_id, "credit", 100_0000)
        yield* spend(tenant, 100_0000)
        assert.deepStrictEqual(
          (yield* runs(tenant)).map(({ status }) => status),
          ["failed", "succeeded"]
        )
      })
  )

  it.effect("making a card the default also turns it on C-ATOP-10 C-ATOP-11", () =>
    Effect.gen(function* () {
      const tenant = yield* seedTenant("chooser", 100_0000)
      const { key } = tenant.production
      const { post } = yield* Api
      const { body: bad } = yield* saveCard(key, "pm_card_declined")
      const { body: good } = yield* saveCard(key, "pm_card_ok")
      yield* set(key, { payment_method_id: bad.id })
      yield* spend(tenant, 60_0000)
      assert.deepInclude(yield* config(key), { enabled: false })
      yield* post(`/v1/billing/payment-methods/${good.id}/default`, undefined, { key })
      yield* quiesce
      assert.deepInclude(yield* config(key), { enabled: true, payment_method_id: good.id })
      assert.lengthOf(yield* runs(tenant), 1)
    })
  )

  it.effect("a caller turns it on after a failure, and turns it off for good C-ATOP-12 C-ATOP-13", () =>
    Effect.gen(function* () {
      const { key, tenant } = yield* stage("caller", "pm_card_declined")
      const { post } = yield* Api
      yield* spend(tenant, 60_0000)
      assert.strictEqual((yield* set(key)).body.enabled, true)
      yield* set(key, { enabled: false })
      const { body: card } = yield* saveCard(key, "pm_card_ok")
      yield* post(`/v1/billing/payment-methods/${card.id}/default`, undefined, { key })
      assert.deepInclude(yield* config(key), { enabled: false })
      assert.lengthOf(yield* runs(tenant), 1)
    })
  )

  it.effect(
    "deleting its card turns it off, and a later card does not turn it on, even after a failure C-ATOP-14",
    () =>
      Effect.gen(function* () {
        const { delete: remove } = yield* Api
        for (const failing of [false, true]) {
          const { card, key, tenant } = yield* stage(`remover-${failing}`, failing ? "pm_card_declined" : "pm_card_ok")
          if (failing) yield* spend(tenant, 60_0000)
          yield* remove(`/v1/billing/payment-methods/${card}`, { key })
          assert.deepInclude(yield* config(key), { enabled: false })
          yield* saveCard(key, "pm_card_ok_2")
          assert.deepInclude(yield* config(key), { enabled: false })
        }
      })
  )

  it.effect("a movement made while no node held the wallet counts as one crossing (gaps-3 E Auto top-up trigger)", () =>
    Effect.gen(function* () {
      const tenant = yield* seedTenant("unowned", 40_0000)
      const { key } = tenant.production
      const { body: card } = yield* saveCard(key, "pm_card_ok")
      const other = yield* seedTenant("untouched", 40_0000)
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into billing_payment_methods (account_id, id, card, status, created_at, updated_at)
        select ${other.organization_id}, ${`${card.id}x`}, card, status, created_at, updated_at
        from billing_payment_methods where id = ${card.id}`
      yield* sql`insert into billing_customers (account_id, customer, created_at)
        values (${other.organization_id}, 'cus_unowned', current_timestamp)`
      yield* sql`insert into auto_topups (account_id, enabled, threshold, amount, payment_method_id, is_above, updated_at)
        values (${other.organization_id}, true, 500000, 2000000, ${`${card.id}x`}, true, current_timestamp)`
      ;(yield* BillingAccountEntity.client).wake(other.organization_id)
      yield* turnBy(5000)
      assert.deepStrictEqual(
        (yield* runs(other)).map(({ status }) => status),
        ["succeeded"]
      )
      assert.strictEqual((yield* walletOf({ id: other.organization_id })).balance, 240_0000)
    })
  )

  it.effect("a sandbox has a configuration of its own, which moves no wallet (gaps-3 A Who owns billing state)", () =>
    Effect.gen(function* () {
      const { key, tenant } = yield* stage("both")
      const { sandbox } = tenant
      assert.deepInclude(yield* config(sandbox.key), { id: sandbox.id, enabled: false })
      const { body: card } = yield* saveCard(sandbox.key, "sbpm_ok")
      assert.deepInclude((yield* set(sandbox.key)).body, { id: sandbox.id, enabled: true, payment_method_id: card.id })
      yield* set(sandbox.key, { enabled: false })
      assert.deepInclude(yield* config(key), { enabled: true })
    })
  )
})
