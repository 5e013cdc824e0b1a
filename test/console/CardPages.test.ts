import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Api } from "../support/ApiTest.ts"
import { StripeAccount, stripeKey, stripeSecret } from "../support/StripeVendor.ts"
import { layerClock } from "../support/TurnedClock.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { outgoing } from "../webhooks/Deliveries.ts"
import { seedMember, signedIn, textOf } from "./Visitor.ts"

const cards = "/dashboard/billing/cards"

/** The console over a simulated Stripe account, which collects cards on pages of its own. */
const product = Layer.unwrap(
  Effect.map(StripeAccount, ({ url }) =>
    WholeProduct({
      outgoing,
      sweeps: false,
      settings: {
        CARTEIRO_CARDPROC_DRIVER: "stripe",
        CARTEIRO_CARDPROC_API_BASE_URL: url,
        CARTEIRO_CARDPROC_API_KEY: stripeKey,
        CARTEIRO_CARDPROC_WEBHOOK_SECRET: stripeSecret
      }
    })
  )
).pipe(Layer.provideMerge(StripeAccount.layer), Layer.provide(layerClock))

/** Enters a card on the processor's page, and returns the path that the browser is sent back to. */
const enter = (page: string, card: string) =>
  Effect.promise(async () => {
    const answer = await fetch(page, { method: "POST", body: new URLSearchParams({ card }), redirect: "manual" })
    const url = new URL(answer.headers.get("location") ?? "")
    return `${url.pathname}${url.search}`
  })

const linkOf = (text: string): string =>
  (/class="button primary" href="([^"]*)"/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&")

it.layer(product, { excludeTestServices: true })("Cards that the processor collects", (it) => {
  it.effect(
    "a card is entered at the processor, asked about on the way back, and saved by a form C-CARD-06 C-CARD-07",
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const someone = yield* signedIn(acme)
        const before = yield* someone.get(cards)
        assert.include(textOf(before.text), "Enter a card")
        assert.notInclude(before.text, 'name="card" id')
        const opened = yield* someone.submit(cards, `${cards}/collect`)
        assert.strictEqual(opened.status, 200)
        const back = yield* enter(linkOf(opened.text), "pm_card_ok")
        assert.isTrue(back.startsWith(`${cards}?collected=cs_test_`))
        const question = yield* someone.get(back)
        assert.include(textOf(question.text), "has collected visa ending in 4242, 12/2034")
        // Coming back saves nothing by itself.
        assert.include(textOf((yield* someone.get(cards)).text), "No card is saved.")
        const [, card = ""] = /name="card" value="([^"]*)"/.exec(question.text) ?? []
        assert.strictEqual((yield* someone.submit(back, cards, { card })).status, 303)
        assert.include(textOf((yield* someone.get(cards)).text), "visa ending in 4242, 12/2034")
      })
  )

  it.effect("the page of another organization's card, or of none, collects nothing here", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const someone = yield* signedIn(acme)
      const opened = yield* someone.submit(cards, `${cards}/collect`)
      const back = yield* enter(linkOf(opened.text), "pm_card_ok")
      const stranger = yield* signedIn(other)
      for (const path of [back, `${cards}?collected=cs_test_nobodys`]) {
        const answer = yield* stranger.get(path)
        assert.deepStrictEqual([answer.status, answer.text.includes("no card was collected")], [400, true], path)
      }
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      const shown = yield* member.get(back)
      assert.deepStrictEqual([shown.status, shown.text.includes("Save this card?")], [200, false])
    })
  )

  it.effect("a declined card is told on the page of its top-up and on the page of plans C-PKG-13 C-PLAN-14", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const opened = yield* someone.submit(cards, `${cards}/collect`)
      const question = yield* someone.get(yield* enter(linkOf(opened.text), "pm_card_declined"))
      const [, card = ""] = /name="card" value="([^"]*)"/.exec(question.text) ?? []
      yield* someone.submit(cards, cards, { card, default: "1" })
      const [, saved = ""] = /cards\/(bpm_\w+)\/delete/.exec((yield* someone.get(cards)).text) ?? []
      const topUp = "/dashboard/billing/top-up"
      const offer = yield* someone.submit(topUp, topUp, { package: "pack_1k", card: saved })
      assert.include(textOf(offer.text), "is charged R$ 45,00 now.")
      assert.notInclude((yield* someone.get("/dashboard/billing")).text, "pack_1k")
      const bought = yield* someone.submit(topUp, topUp, { package: "pack_1k", card: saved, confirmed: "1" })
      const page = String(bought.headers.location)
      assert.match(page, /top-up\/ctu_\w+$/)
      const shown = textOf((yield* someone.get(page)).text)
      assert.include(shown, "The card was declined. Nothing was charged.")
      assert.include(shown, "insufficient_funds")
      assert.match(textOf((yield* someone.get("/dashboard/billing")).text), /pack_1k failed R\$ 45,00 card (?!1000)/)
      const plan = "/dashboard/billing/plan"
      const taken = yield* someone.submit(plan, plan, { plan: "plo_standard" })
      assert.strictEqual(taken.status, 400)
      assert.include(textOf(taken.text), "The card was declined; use another, or ask its bank.")
    })
  )
})
