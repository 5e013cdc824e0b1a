import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import { TopupRepo } from "@carteiro/runtime/billing/topups/TopupRepo.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { entriesOf, type Funded, mint, seedFunds, violations } from "./Accounts.ts"
import { passDue } from "./CardStage.ts"
import { billingOwners } from "./TestActs.ts"
import { Vendors } from "./Vendors.ts"

const minute = 60_000
const hour = 60 * minute
const vendors = new Vendors()
const product = OwnerTest(
  Layer.provideMerge(Layer.provide(billingOwners, vendors.layer()), billingRoom.services),
  billingRoom.followers
)

const topUp = Effect.fnUntraced(function* (account: Funded) {
  const topup_id = yield* mint("ctu")
  yield* (yield* BillingAccountEntity.client).TopUpByPix(account.id, { topup_id, amount: 50_0000 })
  yield* turnBy(500)
  return topup_id
})

/** The provider tells that a charge has changed. */
const told = Effect.fnUntraced(function* (account: Funded, charge_id: string) {
  yield* (yield* BillingAccountEntity.client).LookAtCharge(account.id, { charge_id })
  yield* turnBy(2000)
})

const statusOf = Effect.fnUntraced(function* (account: Funded, id: string) {
  return (yield* (yield* TopupRepo).find(account.id, id))?.status
})

const creditsOf = (account: Funded, id: string) =>
  Effect.map(entriesOf(account), (entries) =>
    entries.filter(({ source_id }) => source_id === id).map(({ amount, type }) => [type, amount])
  )

const mails = (account: Funded) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.orDie(
      sql<{ readonly kind: string; readonly subject_id: string }>`select kind, subject_id from emails
        where organization_id = ${account.id}`
    )
  )

it.layer(product, { excludeTestServices: true })("A top-up by Pix", (it) => {
  it.effect(
    "a Pix that is paid after its expiry is credited once, and the owners are told (gaps-3 E Top-up transitions)",
    () =>
      Effect.gen(function* () {
        const account = yield* seedFunds(1_0000)
        const id = yield* topUp(account)
        yield* passDue(account.id, 25 * hour)
        assert.strictEqual(yield* statusOf(account, id), "expired")
        vendors.pay(id)
        yield* told(account, id)
        yield* told(account, id)
        assert.strictEqual(yield* statusOf(account, id), "succeeded")
        assert.deepStrictEqual(yield* creditsOf(account, id), [["credit", 50_0000]])
        assert.deepStrictEqual(yield* mails(account), [{ kind: "topup_paid_late", subject_id: id }])
        assert.deepStrictEqual(yield* violations, [])
      })
  )

  it.effect("a Pix that is paid after its expiry is found within a week although its provider sends no webhook", () =>
    Effect.gen(function* () {
      const account = yield* seedFunds(2_0000)
      const id = yield* topUp(account)
      yield* passDue(account.id, 72 * hour)
      assert.strictEqual(yield* statusOf(account, id), "expired")
      vendors.pay(id)
      yield* passDue(account.id, 26 * hour)
      assert.strictEqual(yield* statusOf(account, id), "succeeded")
    })
  )

  it.effect("a Pix whose create was cut off is unknown until the charge appears, and is requested once C-PKG-08", () =>
    Effect.gen(function* () {
      const account = yield* seedFunds(3_0000)
      vendors.pixMode = "late"
      const id = yield* topUp(account)
      vendors.pixMode = "makes"
      yield* passDue(account.id, 40 * minute)
      assert.isUndefined(vendors.pix.get(id))
      assert.strictEqual(yield* statusOf(account, id), "pending")
      yield* passDue(account.id, 40 * minute)
      assert.include(vendors.pix.get(id)?.pix_copy_paste ?? "", id)
      assert.strictEqual(vendors.repeated, 0)
      vendors.pay(id)
      yield* told(account, id)
      assert.deepStrictEqual(yield* creditsOf(account, id), [["credit", 50_0000]])
    })
  )
})
