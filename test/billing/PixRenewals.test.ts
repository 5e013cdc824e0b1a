import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import { SubscriptionRepo } from "@carteiro/runtime/billing/subscription/SubscriptionRepo.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { leapTo, OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { steadyDatabase } from "../support/SteadyDatabase.ts"
import { layerClock } from "../support/TurnedClock.ts"
import { type Funded, mint, seedFunds, violations } from "./Accounts.ts"
import { billingOwners } from "./TestActs.ts"
import { Vendors } from "./Vendors.ts"

const day = 86_400_000
const vendors = new Vendors()

/** What looks every half a minute for owners to put to sleep does not look: a virtual year has fewer steps. */
const neverReaping: typeof layerClock = Layer.effectContext(
  Effect.map(Layer.build(layerClock), (context) => {
    const clock = Context.get(context, Clock.Clock)
    const sleep: typeof clock.sleep = (duration) =>
      clock.sleep(Duration.toMillis(duration) === 30_000 ? Duration.days(2000) : duration)
    return Context.add(context, Clock.Clock, { ...clock, sleep })
  })
)
const product = OwnerTest(
  Layer.provideMerge(Layer.provide(billingOwners, vendors.layer()), billingRoom.services),
  billingRoom.followers,
  { database: steadyDatabase, clock: neverReaping }
)

/** Goes straight to an instant, and the account looks at what is due. */
const wakeAt = Effect.fnUntraced(function* (account: Funded, instant: number) {
  yield* leapTo(instant)
  ;(yield* BillingAccountEntity.client).wake(account.id)
  yield* turnBy(3000)
})

/** The provider has been paid, and says so. */
const pay = Effect.fnUntraced(function* (account: Funded, charge_id: string) {
  vendors.pay(charge_id)
  yield* (yield* BillingAccountEntity.client).LookAtCharge(account.id, { charge_id })
  yield* turnBy(2000)
})

const subscriptionOf = Effect.fnUntraced(function* (account: Funded) {
  return yield* (yield* SubscriptionRepo).read(account.id)
})

const chargesOf = (account: Funded) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.orDie(
      sql<{ readonly id: string; readonly state: string; readonly amount: number; readonly expires_at: number }>`
        select id, state, amount, expires_at from charges where account_id = ${account.id} order by created_at, id`
    )
  )

const planInForce = (account: Funded) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      Effect.orDie(
        sql<{ readonly plan: string | null }>`select plan_offering_id as plan from account_plans
          where account_id = ${account.id} order by effective_from desc limit 1`
      ),
      ([row]) => row?.plan
    )
  )

/** An account whose first year is paid by Pix; answers when that ends. */
const subscribed = Effect.fnUntraced(function* () {
  const account = yield* seedFunds(10_0000)
  const invoice_id = yield* mint("inv")
  yield* (yield* BillingAccountEntity.client).BeginSubscription(account.id, {
    invoice_id,
    plan_offering_id: "plo_standard",
    rail: "pix_annual",
    request: undefined
  })
  yield* turnBy(2000)
  assert.strictEqual((yield* subscriptionOf(account)).status, "none")
  yield* pay(account, invoice_id)
  const { current_period_end: end, status } = yield* subscriptionOf(account)
  assert.strictEqual(status, "active")
  return { account, end: end ?? assert.fail("no period") }
})

/** The renewal's charge, made seven days before the end and not before. */
const renewalOf = Effect.fnUntraced(function* (account: Funded, end: number) {
  yield* wakeAt(account, end - 7 * day - 60_000)
  assert.strictEqual((yield* chargesOf(account)).length, 1)
  yield* wakeAt(account, end - 7 * day)
  const [, renewal] = yield* chargesOf(account)
  assert.deepInclude(renewal, { state: "open", amount: 1490_0000, expires_at: end + 7 * day })
  const { id } = renewal ?? assert.fail("no renewal")
  assert.deepInclude(vendors.pix.get(id), { status: "pending", amount_centavos: 149_000 })
  return id
})

it.layer(product, { excludeTestServices: true })("The renewal of an annual plan by Pix", (it) => {
  it.effect(
    "is issued seven days before the end, is past due with all benefits when unpaid at the end, and continues from the end when paid late C-PLAN-03 C-PLAN-06 C-PLAN-15 (gaps-3 E Subscription states)",
    () =>
      Effect.gen(function* () {
        const { account, end } = yield* subscribed()
        const renewal = yield* renewalOf(account, end)
        yield* wakeAt(account, end)
        assert.strictEqual((yield* subscriptionOf(account)).status, "past_due")
        yield* wakeAt(account, end + 4 * day)
        assert.deepInclude(yield* subscriptionOf(account), { status: "past_due", plan_offering_id: "plo_standard" })
        assert.strictEqual(yield* planInForce(account), "plo_standard")
        assert.strictEqual((yield* chargesOf(account)).length, 2)
        yield* pay(account, renewal)
        const later = new Date(end)
        later.setUTCFullYear(later.getUTCFullYear() + 1)
        assert.deepInclude(yield* subscriptionOf(account), {
          status: "active",
          billing_rail: "pix_annual",
          current_period_end: later.getTime()
        })
        assert.strictEqual(vendors.repeated, 0)
        assert.deepStrictEqual(yield* violations, [])
      })
  )

  it.effect(
    "ends the plan seven days after the period when unpaid, and charges nothing afterwards C-PLAN-03 C-PLAN-04 (gaps-3 E Subscription states)",
    () =>
      Effect.gen(function* () {
        const { account, end } = yield* subscribed()
        const renewal = yield* renewalOf(account, end)
        for (const days of [0, 1, 3, 5]) {
          yield* wakeAt(account, end + days * day)
          assert.strictEqual((yield* subscriptionOf(account)).status, "past_due", `day ${days}`)
        }
        yield* wakeAt(account, end + 7 * day)
        assert.deepInclude(yield* subscriptionOf(account), { status: "canceled", plan_offering_id: null })
        assert.isNull(yield* planInForce(account))
        yield* wakeAt(account, end + 20 * day)
        const charges = yield* chargesOf(account)
        assert.deepStrictEqual(
          charges.map(({ state }) => state),
          ["paid", "expired"]
        )
        assert.strictEqual(charges[1]?.id, renewal)
        assert.deepStrictEqual(yield* violations, [])
      })
  )
})
