import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import { makeStripe } from "@carteiro/provider-stripe/Stripe.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { simulatedStripe, stripeKey } from "../support/StripeVendor.ts"
import { overSockets } from "../support/Vendors.ts"

const back = "https://carteiro.example/dashboard/billing/cards"

const stage = Effect.gen(function* () {
  const simulator = yield* simulatedStripe
  const provider = yield* overSockets(makeStripe({ url: operatorUrl(simulator.url), apiKey: Redacted.make(stripeKey) }))
  const made = yield* provider.customer("org_1")
  const customer = made._tag === "Customer" ? made.id : ""
  const attach = Effect.map(provider.attach("pm_card_visa", customer), (card) => (card._tag === "Card" ? card.id : ""))
  const charge = (external_id: string, payment_method: string) =>
    provider.charge({
      external_id,
      customer,
      payment_method,
      amount_centavos: 4500,
      off_session: false,
      return_url: back
    })
  const stateOf = (external_id: string) =>
    Effect.map(provider.chargeOf(external_id, { customer, ordered_at: 0 }), (seen) =>
      seen._tag === "Charge" ? seen.status : seen._tag
    )
  return { simulator, provider, customer, attach, charge, stateOf }
})

/** Acts as the cardholder on a page of the processor, and returns where the browser goes. */
const press = (url: string, body: Record<string, string>) =>
  Effect.promise(async () => {
    const answer = await fetch(url, { method: "POST", body: new URLSearchParams(body), redirect: "manual" })
    return answer.headers.get("location") ?? ""
  })

describe("An account at Stripe", () => {
  it.live("collects a card on its own page, which names itself on the way back C-CARD-06", () =>
    Effect.gen(function* () {
      const { charge, customer, provider } = yield* stage
      const { pages } = provider
      if (pages === undefined) return assert.fail("no pages")
      const page = yield* pages.begin(customer, { return_url: back, cancel_url: `${back}?given=up` })
      if (page._tag !== "Page") return assert.fail(page._tag)
      assert.deepStrictEqual(yield* pages.card(page.id), { _tag: "Absent" })
      assert.strictEqual(yield* press(page.url, { card: "pm_card_ok" }), `${back}?collected=${page.id}`)
      const card = yield* pages.card(page.id)
      if (card._tag !== "Card") return assert.fail(card._tag)
      assert.deepInclude(card, { customer, isSetUp: true, brand: "visa", last4: "4242" })
      assert.deepInclude(yield* provider.attach(card.id, customer), { _tag: "Card", id: card.id })
      assert.deepInclude(yield* charge("ctu_1", card.id), { status: "succeeded" })
      assert.deepStrictEqual(yield* pages.card("cs_test_nobodys"), { _tag: "Absent" })
    }).pipe(Effect.scoped)
  )

  it.live("attaches a copy of a card that stands for many, and takes a detached one no more", () =>
    Effect.gen(function* () {
      const { attach, charge, customer, provider } = yield* stage
      const card = yield* attach
      assert.notStrictEqual(card, "pm_card_visa")
      assert.deepInclude(yield* charge("ctu_1", card), { status: "succeeded" })
      for (let n = 0; n < 2; n++) assert.deepInclude(yield* provider.detach(card, customer), { customer: null })
      assert.deepInclude(yield* provider.attach(card, customer), { _tag: "Refused", code: "card_unusable" })
      const refused = yield* charge("ctu_2", card)
      assert.deepInclude(refused, { _tag: "Refused", decline_code: null })
    }).pipe(Effect.scoped)
  )

  it.live("a charge waits on the bank's page, and moves when the cardholder answers there C-PKG-13", () =>
    Effect.gen(function* () {
      const { charge, customer, provider, stateOf } = yield* stage
      yield* provider.attach("pm_card_authentication", customer)
      for (const [id, outcome, state] of [
        ["ctu_1", "approve", "succeeded"],
        ["ctu_2", "deny", "failed"]
      ] as const) {
        const waiting = yield* charge(id, "pm_card_authentication")
        if (waiting._tag !== "Charge" || waiting.client_secret === null) return assert.fail(waiting._tag)
        const { client_secret } = waiting
        const url = yield* provider.authenticationPage({ id: waiting.id, client_secret })
        assert.isTrue((yield* press(url ?? "", { outcome })).startsWith(back))
        assert.strictEqual(yield* stateOf(id), state)
        assert.isUndefined(yield* provider.authenticationPage({ id: waiting.id, client_secret }))
      }
      const denied = yield* provider.chargeOf("ctu_2", { customer, ordered_at: 0 })
      assert.deepInclude(denied, { decline_code: "authentication_failed" })
    }).pipe(Effect.scoped)
  )

  it.live(
    "an open dispute leaves a charge paid, a won one too, and a lost one returns it (gaps-3 E Top-up transitions)",
    () =>
      Effect.gen(function* () {
        const { attach, charge, simulator, stateOf } = yield* stage
        const card = yield* attach
        for (const id of ["ctu_1", "ctu_2", "ctu_3"]) yield* charge(id, card)
        simulator.charges.dispute("ctu_1")
        simulator.charges.dispute("ctu_2", "won")
        simulator.charges.dispute("ctu_3", "lost")
        assert.deepStrictEqual(yield* Effect.all(["ctu_1", "ctu_2", "ctu_3"].map(stateOf)), [
          "succeeded",
          "succeeded",
          "refunded"
        ])
      }).pipe(Effect.scoped)
  )
})
