import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import { CardWebhookSecrets } from "@carteiro/runtime/billing/routes/CardWebhookHttp.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { StripeAccount, stripeAdapter, stripeSecret } from "../support/StripeVendor.ts"
import { seedTenant } from "../support/Tenants.ts"
import { layerClock } from "../support/TurnedClock.ts"
import { buy, creditsOf, passDue, saveCard, topupOf } from "./CardStage.ts"
import { billingOwners } from "./TestActs.ts"

const owners = Layer.provideMerge(billingOwners, billingRoom.services)

/** The routes of billing over a simulated Stripe account, with two secrets during a rotation. */
const stripeProduct = ApiTest(billingRoom.routes, owners, { followers: billingRoom.followers }).pipe(
  Layer.provide(Layer.succeed(CardWebhookSecrets, [Redacted.make("whsec_new"), Redacted.make(stripeSecret)])),
  Layer.provideMerge(stripeAdapter),
  Layer.provideMerge(StripeAccount.layer),
  Layer.provide(layerClock)
)

/** A tenant with a card, whose product the vendor tells of what happens. */
const stage = Effect.fnUntraced(function* (name: string, card: string) {
  const { organization_id, production } = yield* seedTenant(name, 0)
  const account = yield* StripeAccount
  account.webhooks.aim(`${(yield* Api).baseUrl}/webhooks/cardproc`)
  account.faults.set([], 1)
  const saved = yield* saveCard(production.key, card)
  assert.strictEqual(saved.status, 201)
  return { account, key: production.key, organization_id }
})

it.layer(stripeProduct, { excludeTestServices: true })("Cards by Stripe", (it) => {
  it.effect("a package is paid, a declined card is refused with the bank's reason C-PKG-11 C-PKG-13", () =>
    Effect.gen(function* () {
      const { account, key } = yield* stage("payer", "pm_card_ok")
      const bought = yield* buy(key)
      assert.deepStrictEqual([bought.status, bought.body.status], [201, "succeeded"])
      assert.match(bought.body.cardproc_payment_intent_id, /^pi_/)
      assert.lengthOf(yield* creditsOf(bought.body.id), 1)
      const charge = account.charges.list.find(({ external_id }) => external_id === bought.body.id)
      assert.strictEqual(charge?.amount_centavos, 4500)
      const poor = yield* stage("poor", "pm_card_declined")
      const declined = yield* buy(poor.key)
      assert.deepStrictEqual(
        [declined.status, declined.body.error.code, declined.body.error.details.decline_code],
        [402, "card_declined", "insufficient_funds"]
      )
    })
  )

  it.effect("authentication at the bank is told by a webhook, and read back before it counts C-PKG-13", () =>
    Effect.gen(function* () {
      const { account, key } = yield* stage("asked", "pm_card_authentication")
      const { body } = yield* buy(key)
      assert.strictEqual(body.status, "pending")
      account.charges.authenticate(body.cardproc_client_secret, true)
      yield* turnBy(5000)
      assert.deepInclude(yield* topupOf(key, body.id), { status: "succeeded" })
      assert.lengthOf(yield* creditsOf(body.id), 1)
    })
  )

  it.effect(
    "a refund and a lost dispute take the credit back, by webhooks that name the charge by Stripe's id alone (gaps-3 E Top-up transitions)",
    () =>
      Effect.gen(function* () {
        const { account, key } = yield* stage("returned", "pm_card_ok")
        const refunded = yield* buy(key)
        const disputed = yield* buy(key)
        const contested = yield* buy(key)
        account.charges.refund(refunded.body.id)
        account.charges.dispute(disputed.body.id, "lost")
        account.charges.dispute(contested.body.id)
        yield* turnBy(5000)
        for (const { body } of [refunded, disputed]) {
          assert.deepInclude(yield* topupOf(key, body.id), { status: "refunded" })
          assert.lengthOf(yield* creditsOf(body.id), 2)
        }
        assert.deepInclude(yield* topupOf(key, contested.body.id), { status: "succeeded" })
      })
  )

  it.effect("a lost call is found in the customer's list or made again, and never charged twice C-PKG-14", () =>
    Effect.gen(function* () {
      const { account, key, organization_id } = yield* stage("lost", "pm_card_ok")
      const names = { reset_after: 5000, error_500_after: 5000, reset: 80 * 60_000 }
      for (const [name, knownAfter] of Object.entries(names)) {
        account.faults.set([{ name, operation: "charge", times: 1 }], 1)
        const { body } = yield* buy(key)
        yield* passDue(organization_id, knownAfter)
        assert.deepInclude(yield* topupOf(key, body.id), { status: "succeeded" }, name)
        assert.lengthOf(
          account.charges.list.filter(({ external_id }) => external_id === body.id),
          1
        )
      }
    })
  )

  it.effect("duplicate, reordered, late, lost and badly signed webhooks end in one credit", () =>
    Effect.gen(function* () {
      const { account, key } = yield* stage("troubled", "pm_card_authentication")
      for (const name of ["duplicate_webhook", "reorder_webhooks", "lost_webhook", "bad_signature", "stale_webhook"]) {
        account.faults.set([{ name, operation: "webhook", times: 2, value: 1 }], 1)
        const { body } = yield* buy(key)
        account.charges.authenticate(body.cardproc_client_secret, true)
        yield* turnBy(5000)
        assert.deepInclude(yield* topupOf(key, body.id), { status: "succeeded" }, name)
        assert.lengthOf(yield* creditsOf(body.id), 1)
      }
      account.faults.set([], 1)
    })
  )

  it.effect("a deleted card is not saved again: Stripe forgets it", () =>
    Effect.gen(function* () {
      const { account, key } = yield* stage("forgetful", "pm_card_visa")
      const { delete: remove, get } = yield* Api
      const { body } = yield* get("/v1/billing/payment-methods", { key })
      const card = account.account.methods.objects.list.at(-1)?.id ?? ""
      assert.strictEqual((yield* remove(`/v1/billing/payment-methods/${body.data[0].id}`, { key })).status, 200)
      const again = yield* saveCard(key, card)
      assert.deepStrictEqual(
        [again.status, again.body.error.code, again.body.error.param],
        [400, "invalid_billing_request", "cardproc_payment_method_id"]
      )
    })
  )
})
