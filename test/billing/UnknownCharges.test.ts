import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { Cardproc } from "../support/Cardproc.ts"
import { leapTo, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { correct, violations, walletOf } from "./Accounts.ts"
import { buy, cardProduct, creditsOf, passDue, saveCard, topupOf } from "./CardStage.ts"

const minute = 60_000
const hour = 60 * minute

/** An organization with a card that tops itself up by 200.0000 at 50.0000. */
const stage = Effect.fnUntraced(function* (name: string, balance: number, card = "pm_card_ok") {
  const { organization_id, production } = yield* seedTenant(name, balance)
  const { key } = production
  const { call } = yield* Api
  const { charges, faults, log } = yield* Cardproc
  yield* saveCard(key, card)
  const set = { enabled: true, threshold_brl: "50", amount_brl: "200.00" }
  yield* call("PUT", "/v1/billing/auto-topup", set, { key })
  return { account: { id: organization_id }, key, charges, faults, log }
})
type Stage = Effect.Success<ReturnType<typeof stage>>

/** Takes the balance below the threshold; answers the automatic run. */
const cross = Effect.fnUntraced(function* ({ account }: Stage) {
  yield* correct(account.id, "debit", 60_0000)
  const sql = yield* SqlClient.SqlClient
  const [run] = yield* sql<{ readonly id: string }>`select id from credit_topups
    where account_id = ${account.id} and kind = 'cash' and provider = 'cardproc'`
  return run?.id ?? assert.fail("no run")
})

const statusOf = (key: string, id: string) => Effect.map(topupOf(key, id), (topup) => topup?.status)

const isEnabled = (key: string) =>
  Effect.flatMap(Api, ({ get }) =>
    Effect.map(get("/v1/billing/auto-topup", { key }), ({ body }) => body.enabled as boolean)
  )

/** How calls that would charge under an id ended at the processor. */
const callsOf = ({ log }: Stage, id: string) =>
  log
    .read(0, "charge")
    .filter(({ external_id }) => external_id === id)
    .map(({ outcome }) => outcome)

const planOf = (key: string) =>
  Effect.flatMap(Api, ({ get }) => Effect.map(get("/v1/billing/plan", { key }), ({ body }) => body))

const invoicesOf = ({ account }: Stage) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.orDie(
      sql<{
        readonly id: string
        readonly kind: string
        readonly status: string
        readonly is_credited: boolean
      }>`select id, kind, status, is_credited from subscription_invoices where account_id = ${account.id} order by id`
    )
  )

const mails = ({ account }: Stage) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.orDie(
      sql<{ readonly kind: string; readonly subject_id: string }>`select kind, subject_id from emails
        where organization_id = ${account.id} order by id`
    )
  )

/** Has the processor tell of a charge, until its webhook is taken. */
const taken = Effect.fnUntraced(function* (happens: () => unknown) {
  const { baseUrl } = yield* Api
  const { log, webhooks } = yield* Cardproc
  webhooks.aim(`${baseUrl}/webhooks/cardproc`)
  const before = log.read(0, "webhook").length
  happens()
  yield* until(Effect.sync(() => log.read(0, "webhook").length > before))
})

/** The same, until the account has looked at the charge. */
const told = (happens: () => unknown) => Effect.andThen(taken(happens), turnBy(2000))

it.layer(cardProduct, { excludeTestServices: true })("A charge that may have reached the processor", (it) => {
  it.effect(
    "is unknown while look-ups find nothing, is not requested again, and is credited once when it appears C-PKG-14 (gaps-3 E Purchase outcomes)",
    () =>
      Effect.gen(function* () {
        const of = yield* stage("lander", 100_0000)
        of.faults.set([{ name: "lands_late", operation: "charge", times: 1, value: 45 * minute }], 1)
        const run = yield* cross(of)
        yield* passDue(of.account.id, 44 * minute)
        assert.deepStrictEqual([yield* statusOf(of.key, run), yield* isEnabled(of.key)], ["pending", true])
        assert.deepStrictEqual(callsOf(of, run), ["lands_late"])
        yield* passDue(of.account.id, 25 * minute)
        assert.deepStrictEqual([yield* statusOf(of.key, run), yield* isEnabled(of.key)], ["succeeded", true])
        assert.deepStrictEqual(yield* creditsOf(run), [{ type: "credit", amount: 200_0000 }])
        assert.deepStrictEqual(callsOf(of, run), ["lands_late"])
        assert.deepStrictEqual(yield* mails(of), [])
        assert.strictEqual((yield* walletOf(of.account)).balance, 240_0000)
      })
  )

  it.effect(
    "stays unknown although a repeat after 70 minutes is refused with 409, and is credited by its webhook (gaps-3 E Auto top-up execution)",
    () =>
      Effect.gen(function* () {
        const of = yield* stage("in-use", 100_0000)
        of.faults.set([{ name: "lands_late", operation: "charge", times: 1, value: 3 * hour }], 1)
        const run = yield* cross(of)
        yield* passDue(of.account.id, 2 * hour)
        assert.deepStrictEqual(callsOf(of, run), ["lands_late", "idempotency_key_in_use"])
        assert.deepStrictEqual([yield* statusOf(of.key, run), yield* isEnabled(of.key)], ["pending", true])
        yield* leapTo((yield* Clock.currentTimeMillis) + hour)
        yield* told(() => of.charges.landDue())
        assert.strictEqual(yield* statusOf(of.key, run), "succeeded")
        assert.deepStrictEqual(yield* creditsOf(run), [{ type: "credit", amount: 200_0000 }])
        assert.isTrue(yield* isEnabled(of.key))
        assert.lengthOf(
          of.charges.list.filter(({ external_id }) => external_id === run),
          1
        )
      })
  )

  it.effect("is not requested again while look-ups lag behind C-PKG-14", () =>
    Effect.gen(function* () {
      const of = yield* stage("laggard", 0)
      of.faults.set(
        [
          { name: "reset_after", operation: "charge", times: 1 },
          { name: "lagging_lookup", operation: "charge_lookup", value: 40 * minute }
        ],
        1
      )
      const { body } = yield* buy(of.key)
      yield* passDue(of.account.id, 39 * minute)
      assert.strictEqual(yield* statusOf(of.key, body.id), "pending")
      yield* passDue(of.account.id, 30 * minute)
      assert.strictEqual(yield* statusOf(of.key, body.id), "succeeded")
      assert.deepStrictEqual(callsOf(of, body.id), ["succeeded"])
      of.faults.set([], 1)
    })
  )

  it.effect(
    "fails when nothing is found after the refusal of its repeat has settled too (gaps-3 E Purchase outcomes)",
    () =>
      Effect.gen(function* () {
        const of = yield* stage("refused", 100_0000)
        of.faults.set([{ name: "reset", operation: "charge", times: 1 }], 1)
        const run = yield* cross(of)
        yield* passDue(of.account.id, 69 * minute)
        of.faults.set([{ name: "card_declined", operation: "charge", times: 1 }], 1)
        yield* passDue(of.account.id, 30 * minute)
        assert.lengthOf(
          of.log.read(0, "charge").filter(({ outcome }) => outcome === "card_declined"),
          1
        )
        assert.deepStrictEqual([yield* statusOf(of.key, run), yield* isEnabled(of.key)], ["pending", true])
        yield* passDue(of.account.id, 2 * hour)
        assert.deepStrictEqual([yield* statusOf(of.key, run), yield* isEnabled(of.key)], ["failed", false])
        assert.deepStrictEqual(yield* mails(of), [{ kind: "auto_topup_failed", subject_id: run }])
      })
  )

  it.effect("is awaited beyond its day while the processor itself has not decided", () =>
    Effect.gen(function* () {
      const of = yield* stage("undecided", 0)
      of.faults.set([{ name: "processing", operation: "charge", times: 1, value: 1_000_000_000 }], 1)
      const { body } = yield* buy(of.key)
      yield* passDue(of.account.id, 30 * hour)
      assert.strictEqual(yield* statusOf(of.key, body.id), "pending")
    })
  )
})

it.layer(cardProduct, { excludeTestServices: true })("Money that arrives after its end", (it) => {
  it.effect("is credited once to a top-up that had failed, and the owners are told (gaps-3 E Top-up transitions)", () =>
    Effect.gen(function* () {
      const of = yield* stage("late-topup", 100_0000, "pm_card_declined")
      const run = yield* cross(of)
      assert.deepStrictEqual([yield* statusOf(of.key, run), yield* isEnabled(of.key)], ["failed", false])
      yield* told(() => of.charges.payLate(run))
      assert.strictEqual(yield* statusOf(of.key, run), "succeeded")
      const { webhooks } = yield* Cardproc
      yield* told(() => webhooks.tell("payment_intent.succeeded", { external_id: run, status: "succeeded" }))
      assert.deepStrictEqual(yield* creditsOf(run), [{ type: "credit", amount: 200_0000 }])
      assert.strictEqual((yield* walletOf(of.account)).balance, 240_0000)
      assert.deepStrictEqual(yield* mails(of), [
        { kind: "auto_topup_failed", subject_id: run },
        { kind: "topup_paid_late", subject_id: run }
      ])
      assert.deepStrictEqual(yield* violations, [])
    })
  )

  it.effect("is found although its webhook arrives during the look-up", () =>
    Effect.gen(function* () {
      const of = yield* stage("meanwhile", 100_0000, "pm_card_declined")
      const run = yield* cross(of)
      const { webhooks } = yield* Cardproc
      of.faults.set([{ name: "delay", operation: "charge_status", times: 1, value: 200 }], 1)
      const looks = () => of.log.read(0, "charge_status").filter(({ external_id }) => external_id === run).length
      const before = looks()
      yield* taken(() => webhooks.tell("payment_intent.failed", { external_id: run, status: "failed" }))
      yield* until(Effect.sync(() => looks() > before))
      yield* told(() => of.charges.payLate(run))
      assert.strictEqual(yield* statusOf(of.key, run), "succeeded")
      of.faults.set([], 1)
    })
  )

  it.effect("starts the plan of its invoice, and the owners are told C-PLAN-19", () =>
    Effect.gen(function* () {
      const of = yield* stage("late-plan", 0, "pm_card_declined")
      const { post } = yield* Api
      const asked = { plan_offering_id: "plo_standard", rail: "cardproc_card" }
      assert.strictEqual((yield* post("/v1/billing/plan/subscribe", asked, { key: of.key })).status, 402)
      const [invoice] = yield* invoicesOf(of)
      yield* told(() => of.charges.payLate(invoice?.id ?? ""))
      assert.deepInclude(yield* planOf(of.key), { status: "active", plan_offering_id: "plo_standard" })
      assert.deepInclude((yield* invoicesOf(of))[0], { status: "paid", is_credited: false })
      assert.deepStrictEqual(yield* mails(of), [{ kind: "invoice_paid_late", subject_id: invoice?.id ?? "" }])
      assert.deepStrictEqual(yield* violations, [])
    })
  )

  it.effect(
    "of an upgrade whose period is over is credited and reported, and its refund takes the credit back (gaps-3 E Change details)",
    () =>
      Effect.gen(function* () {
        const of = yield* stage("late-upgrade", 0)
        const { post } = yield* Api
        const { key } = of
        const asked = { plan_offering_id: "plo_starter", rail: "cardproc_card" }
        assert.strictEqual((yield* post("/v1/billing/plan/subscribe", asked, { key })).status, 201)
        const end = Date.parse((yield* planOf(key)).current_period_end)
        const { body: asking } = yield* saveCard(key, "pm_card_authentication", { set_default: true })
        yield* leapTo(end - 40_000)
        yield* post("/v1/billing/plan/change", { plan_offering_id: "plo_growth" }, { key })
        yield* turnBy(1000)
        yield* saveCard(key, "pm_card_ok", { set_default: true })
        yield* leapTo(end)
        ;(yield* BillingAccountEntity.client).wake(of.account.id)
        yield* turnBy(1000)
        const [first, upgrade, renewal] = yield* invoicesOf(of)
        assert.deepStrictEqual(
          [first, upgrade, renewal].map((one) => [one?.kind, one?.status]),
          [
            ["first", "paid"],
            ["upgrade", "void"],
            ["renewal", "paid"]
          ]
        )
        assert.isString(asking.id)
        const charge = of.charges.list.find(({ external_id }) => external_id === upgrade?.id)
        yield* told(() => of.charges.authenticate(charge?.client_secret ?? "", true))
        assert.deepInclude(yield* planOf(key), { status: "active", plan_offering_id: "plo_starter" })
        assert.deepStrictEqual(yield* creditsOf(upgrade?.id ?? ""), [{ type: "credit", amount: 1_0000 }])
        assert.deepInclude((yield* invoicesOf(of))[1], { status: "paid", is_credited: true })
        yield* told(() => of.charges.refund(upgrade?.id ?? ""))
        assert.deepStrictEqual(
          (yield* creditsOf(upgrade?.id ?? "")).map(({ type }) => type),
          ["credit", "debit"]
        )
        assert.deepInclude(yield* planOf(key), { status: "active", plan_offering_id: "plo_starter" })
        assert.deepStrictEqual(
          (yield* mails(of)).map(({ kind }) => kind),
          ["invoice_paid_late", "invoice_refunded"]
        )
        assert.deepStrictEqual(yield* violations, [])
      })
  )
})

it.layer(cardProduct, { excludeTestServices: true })("A payment for a plan that goes back", (it) => {
  it.effect(
    "ends the plan at once, leaves the wallet untouched and tells the owners (gaps-3 E Subscription states)",
    () =>
      Effect.gen(function* () {
        const of = yield* stage("refunded-plan", 70_0000)
        const { post } = yield* Api
        const { key } = of
        const asked = { plan_offering_id: "plo_standard", rail: "cardproc_card" }
        yield* post("/v1/billing/plan/subscribe", asked, { key })
        yield* post("/v1/billing/plan/change", { plan_offering_id: "plo_growth" }, { key })
        yield* turnBy(1000)
        assert.deepInclude(yield* planOf(key), { plan_offering_id: "plo_growth" })
        const [, upgrade] = yield* invoicesOf(of)
        yield* told(() => of.charges.refund(upgrade?.id ?? ""))
        assert.deepInclude(yield* planOf(key), {
          status: "canceled",
          plan_offering_id: null,
          throughput_tier: "starter"
        })
        assert.deepStrictEqual(
          (yield* invoicesOf(of)).map(({ status }) => status),
          ["paid", "refunded"]
        )
        assert.strictEqual((yield* walletOf(of.account)).balance, 70_0000)
        assert.deepStrictEqual(yield* mails(of), [{ kind: "invoice_refunded", subject_id: upgrade?.id ?? "" }])
        const again = yield* post("/v1/billing/plan/subscribe", asked, { key })
        assert.strictEqual(again.body.subscription.status, "active")
        assert.deepStrictEqual(yield* violations, [])
      })
  )
})
