import type { CardOrder } from "@carteiro/provider/payments/CardProvider.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { GivenAnswer } from "../support/AnsweredCalls.ts"
import { intentOf, stripeOver } from "../support/StripeCalls.ts"

const order = (external_id: string, more: Partial<CardOrder> = {}): CardOrder => ({
  external_id,
  customer: "cus_1",
  payment_method: "pm_1",
  amount_centavos: 4500,
  off_session: false,
  return_url: "https://carteiro.example/dashboard/billing",
  ...more
})
const trace = { customer: "cus_1", ordered_at: Date.parse("2026-01-01T00:00:00Z") }
const unknown = { _tag: "Unknown" } as const

const error = (more: object) => ({ error: { type: "invalid_request_error", message: "no", ...more } })

/** Answers that say nothing about a charge, each with its reason. */
const open: ReadonlyArray<readonly [string, GivenAnswer]> = [
  ["a broken call", "broken"],
  ["a key whose first call runs", [409, error({ type: "idempotency_error", code: "idempotency_key_in_use" })]],
  ["a lock", [429, error({ code: "lock_timeout" })]],
  ["too many calls", [429, error({ code: "rate_limit" }), { "retry-after": "1", "stripe-should-retry": "true" }]],
  ["too many calls, as 400", [400, error({ code: "rate_limit" })]],
  ["a failure elsewhere", [424, error({})]],
  ["a failure", [500, error({ type: "api_error" }), { "stripe-should-retry": "true" }]],
  ["a failure without the member error", [503, { message: "overloaded" }]],
  ["a page of a proxy", [502, "<html>Bad gateway</html>"]],
  ["a redirect", [302, {}, { location: "https://elsewhere.example" }]],
  ["no JSON", [200, "OK"]],
  ["null", [200, "null"]],
  ["another thing", [200, { object: "list", data: [] }]]
]

describe("The adapter to Stripe", () => {
  it.effect(
    "orders a charge under our id as its key, in centavos, at the pinned version, and reports nothing else",
    () =>
      Effect.gen(function* () {
        const { calls, provider } = yield* stripeOver(() => [200, intentOf("ctu_1")])
        assert.deepInclude(yield* provider.charge(order("ctu_1", { off_session: true })), {
          _tag: "Charge",
          id: "pi_ctu_1",
          external_id: "ctu_1",
          status: "succeeded",
          amount_centavos: 4500,
          client_secret: null
        })
        const [call] = calls
        assert.deepInclude(call?.headers, {
          "idempotency-key": "ctu_1",
          authorization: "Bearer sk_test_1",
          "stripe-version": "2026-10-28.endive"
        })
        assert.isUndefined(call?.headers["x-stripe-client-telemetry"])
        assert.notInclude(call?.headers["x-stripe-client-user-agent"], "telemetry_id")
        assert.notInclude(call?.headers["x-stripe-client-user-agent"], "platform")
        assert.deepInclude(Object.fromEntries(call?.form ?? []), {
          amount: "4500",
          currency: "brl",
          customer: "cus_1",
          payment_method: "pm_1",
          "allowed_payment_method_types[0]": "card",
          confirm: "true",
          off_session: "true",
          "metadata[external_id]": "ctu_1"
        })
      })
  )

  it.effect(
    "leaves the outcome of a charge unknown after each answer that does not decide it, and repeats nothing",
    () =>
      Effect.gen(function* () {
        for (const [name, answer] of open) {
          const { calls, provider } = yield* stripeOver(() => answer)
          assert.deepStrictEqual(yield* provider.charge(order("ctu_1")), unknown, name)
          assert.deepStrictEqual(yield* provider.chargeById("pi_1"), unknown, name)
          assert.strictEqual(calls.length, 2, name)
        }
      })
  )

  it.effect("a declined card is a failed charge with the bank's reason, other refusals are certain", () =>
    Effect.gen(function* () {
      const charged = Effect.fnUntraced(function* (status: number, body: object) {
        const { provider } = yield* stripeOver(() => [status, body])
        return yield* provider.charge(order("ctu_1"))
      })
      const declined = intentOf("ctu_1", {
        status: "requires_payment_method",
        latest_charge: "ch_1",
        last_payment_error: { type: "card_error", code: "card_declined", decline_code: "insufficient_funds" }
      })
      const card = (code: string, more: object = {}) => error({ type: "card_error", code, ...more })
      const about = { payment_intent: declined }
      assert.deepInclude(yield* charged(402, card("card_declined", { decline_code: "insufficient_funds", ...about })), {
        _tag: "Charge",
        id: "pi_ctu_1",
        status: "failed",
        decline_code: "insufficient_funds"
      })
      assert.deepInclude(yield* charged(402, card("authentication_required", about)), {
        status: "failed",
        decline_code: "authentication_required"
      })
      assert.deepStrictEqual(yield* charged(402, card("expired_card")), {
        _tag: "Refused",
        code: "expired_card",
        decline_code: "expired_card"
      })
      // Another charge than the ordered one decides nothing of it.
      const others = { payment_intent: intentOf("ctu_2", { status: "requires_payment_method" }) }
      assert.deepInclude(yield* charged(402, card("card_declined", others)), { _tag: "Refused" })
      const refused = (code: string) => ({ _tag: "Refused" as const, code, decline_code: null })
      assert.deepStrictEqual(yield* charged(401, error({})), refused("credentials_invalid"))
      assert.deepStrictEqual(yield* charged(404, error({})), refused("not_found"))
      assert.deepStrictEqual(yield* charged(400, error({ code: "resource_missing" })), refused("resource_missing"))
      assert.deepStrictEqual(yield* charged(400, error({ type: "idempotency_error" })), refused("idempotency_conflict"))
    })
  )

  it.effect("a charge that needs the cardholder waits, with the secret and the page of the bank C-PKG-13", () =>
    Effect.gen(function* () {
      const url = "https://hooks.stripe.example/redirect/1"
      const waiting = intentOf("ctu_1", {
        status: "requires_action",
        latest_charge: null,
        next_action: { type: "redirect_to_url", redirect_to_url: { url, return_url: "https://carteiro.example" } }
      })
      const { provider } = yield* stripeOver(() => [200, waiting])
      const charge = yield* provider.charge(order("ctu_1"))
      assert.deepInclude(charge, { status: "requires_action", client_secret: "pi_ctu_1_secret" })
      assert.strictEqual(yield* provider.authenticationPage({ id: "pi_ctu_1", client_secret: "secret" }), url)
      const done = yield* stripeOver(() => [200, intentOf("ctu_1")])
      assert.isUndefined(yield* done.provider.authenticationPage({ id: "pi_ctu_1", client_secret: "secret" }))
    })
  )

  it.effect(
    "money that went back whole, by refunds or lost disputes, makes a charge refunded (gaps-3 E Top-up transitions)",
    () =>
      Effect.gen(function* () {
        const seen = Effect.fnUntraced(function* (
          payment: object,
          ...disputes: ReadonlyArray<readonly [string, number]>
        ) {
          const { provider } = yield* stripeOver(({ path }) =>
            path.startsWith("/v1/disputes")
              ? [200, { data: disputes.map(([status, amount]) => ({ status, amount })), has_more: false }]
              : [200, intentOf("ctu_1", { latest_charge: { amount_refunded: 0, disputed: false, ...payment } })]
          )
          const charge = yield* provider.chargeById("pi_ctu_1")
          return charge._tag === "Charge" ? charge.status : charge._tag
        })
        assert.strictEqual(yield* seen({}), "succeeded")
        assert.strictEqual(yield* seen({ amount_refunded: 4499 }), "succeeded")
        assert.strictEqual(yield* seen({ amount_refunded: 4500 }), "refunded")
        for (const status of ["needs_response", "under_review", "won", "warning_closed"]) {
          assert.strictEqual(yield* seen({ disputed: true }, [status, 4500]), "succeeded", status)
        }
        assert.strictEqual(yield* seen({ disputed: true }, ["lost", 4500]), "refunded")
        assert.strictEqual(yield* seen({ disputed: true, amount_refunded: 1500 }, ["lost", 3000]), "refunded")
        const { provider } = yield* stripeOver(({ path }) =>
          path.startsWith("/v1/disputes") ? [500, {}] : [200, intentOf("ctu_1", { latest_charge: { disputed: true } })]
        )
        assert.deepStrictEqual(yield* provider.chargeById("pi_ctu_1"), unknown)
      })
  )

  it.effect("a charge in another currency, or without our id, is never ours", () =>
    Effect.gen(function* () {
      const { provider } = yield* stripeOver(() => [200, intentOf("ctu_1", { currency: "usd" })])
      assert.deepInclude(yield* provider.chargeById("pi_ctu_1"), { amount_centavos: -1 })
      const manual = yield* stripeOver(() => [200, intentOf("ctu_1", { metadata: {} })])
      assert.deepInclude(yield* manual.provider.chargeById("pi_ctu_1"), { external_id: "" })
    })
  )
})

describe("A look-up of a charge by our id", () => {
  const page = (ids: ReadonlyArray<string>, has_more: boolean): GivenAnswer => [
    200,
    { object: "list", has_more, data: ids.map((id) => intentOf(id)) }
  ]

  it.effect("walks the customer's list page by page, and only its end is absence", () =>
    Effect.gen(function* () {
      const { calls, provider } = yield* stripeOver(({ form }) =>
        form.has("starting_after") ? page(["ctu_1"], false) : page(["ctu_3", "ctu_2"], true)
      )
      assert.deepInclude(yield* provider.chargeOf("ctu_1", trace), { _tag: "Charge", external_id: "ctu_1" })
      assert.deepStrictEqual(
        calls.map(({ form }) => form.get("starting_after")),
        [null, "pi_ctu_2"]
      )
      assert.strictEqual(calls[0]?.form.get("customer"), "cus_1")
      assert.strictEqual(calls[0]?.form.get("created[gte]"), String(trace.ordered_at / 1000 - 86_400))
      assert.deepStrictEqual(yield* provider.chargeOf("ctu_9", trace), { _tag: "Absent" })
    })
  )

  it.effect("knows nothing after a broken page, a page of others, an empty page before others, or too many pages", () =>
    Effect.gen(function* () {
      const answers: ReadonlyArray<readonly [GivenAnswer, number]> = [
        ["broken", 1],
        [[404, error({ code: "resource_missing" })], 1],
        [[200, { data: [intentOf("ctu_1", { customer: "cus_2" })], has_more: false }], 1],
        [page([], true), 1],
        [[200, { data: [intentOf("ctu_2", { metadata: {} })], has_more: false }], 1],
        [[200, { data: [] }], 1],
        [page(["ctu_2"], true), 20]
      ]
      for (const [answer, count] of answers) {
        const { calls, provider } = yield* stripeOver(() => answer)
        assert.deepStrictEqual(yield* provider.chargeOf("ctu_1", trace), unknown)
        assert.strictEqual(calls.length, count)
      }
    })
  )

  it.effect("of two charges with our id, the paid one counts", () =>
    Effect.gen(function* () {
      const failed = intentOf("ctu_1", { id: "pi_failed", status: "requires_payment_method" })
      const { provider } = yield* stripeOver(() => [200, { data: [failed, intentOf("ctu_1")], has_more: false }])
      assert.deepInclude(yield* provider.chargeOf("ctu_1", trace), { id: "pi_ctu_1", status: "succeeded" })
    })
  )
})

describe("Customers and cards at Stripe", () => {
  it.effect("a customer is found by our id, else made under it as the key, and an unknown search makes none", () =>
    Effect.gen(function* () {
      const own = { id: "cus_9", object: "customer", metadata: { external_id: "org_1" } }
      const found = yield* stripeOver(() => [200, { data: [{ ...own, id: "cus_8", metadata: {} }, own] }])
      assert.deepStrictEqual(yield* found.provider.customer("org_1"), { _tag: "Customer", id: "cus_9" })
      const made = yield* stripeOver(({ method }) => (method === "GET" ? [200, { data: [] }] : [200, own]))
      assert.deepStrictEqual(yield* made.provider.customer("org_1"), { _tag: "Customer", id: "cus_9" })
      assert.strictEqual(made.calls.at(-1)?.headers["idempotency-key"], "org_1")
      const without = yield* stripeOver(({ method }) => (method === "GET" ? [400, error({})] : [200, own]))
      assert.deepInclude(yield* without.provider.customer("org_1"), { id: "cus_9" })
      const lost = yield* stripeOver(() => "broken")
      assert.deepStrictEqual(yield* lost.provider.customer("org_1"), unknown)
      assert.strictEqual(lost.calls.length, 1)
    })
  )

  it.effect("a card is attached and detached once, and one that Stripe takes no more has to be collected anew", () =>
    Effect.gen(function* () {
      const card = (customer: string | null) => ({
        id: "pm_1",
        type: "card",
        customer,
        card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 }
      })
      const held = yield* stripeOver(() => [200, card("cus_1")])
      assert.deepInclude(yield* held.provider.attach("pm_1", "cus_1"), {
        _tag: "Card",
        customer: "cus_1",
        last4: "4242"
      })
      assert.strictEqual(held.calls.length, 1)
      const loose = yield* stripeOver(() => [200, card(null)])
      assert.deepInclude(yield* loose.provider.detach("pm_1", "cus_1"), { _tag: "Card", customer: null })
      assert.strictEqual(loose.calls.length, 1)
      const used = yield* stripeOver(({ method }) => (method === "GET" ? [200, card(null)] : [400, error({})]))
      assert.deepStrictEqual(yield* used.provider.attach("pm_1", "cus_1"), {
        _tag: "Refused",
        code: "card_unusable",
        decline_code: null
      })
      const declined = yield* stripeOver(({ method }) =>
        method === "GET" ? [200, card(null)] : [402, error({ type: "card_error", code: "card_declined" })]
      )
      assert.deepInclude(yield* declined.provider.attach("pm_1", "cus_1"), { decline_code: "card_declined" })
    })
  )

  it.effect("a hosted page leads to the processor and back, and shows its card only once it is collected", () =>
    Effect.gen(function* () {
      const session = (more: object) => ({ id: "cs_1", mode: "setup", customer: "cus_1", status: "complete", ...more })
      const opened = yield* stripeOver(() => [200, session({ url: "https://checkout.example/c/1", status: "open" })])
      const exits = { return_url: "https://carteiro.example/cards", cancel_url: "https://carteiro.example/cards" }
      assert.deepStrictEqual(yield* opened.provider.pages?.begin("cus_1", exits) ?? Effect.undefined, {
        _tag: "Page",
        id: "cs_1",
        url: "https://checkout.example/c/1"
      })
      assert.strictEqual(
        opened.calls[0]?.form.get("success_url"),
        "https://carteiro.example/cards?collected={CHECKOUT_SESSION_ID}"
      )
      const collected = Effect.fnUntraced(function* (more: object) {
        const { provider } = yield* stripeOver(() => [200, session(more)])
        return yield* provider.pages?.card("cs_1") ?? Effect.undefined
      })
      const setup_intent = {
        status: "succeeded",
        payment_method: { id: "pm_1", type: "card", card: { last4: "4242" } }
      }
      assert.deepInclude(yield* collected({ setup_intent }), { _tag: "Card", id: "pm_1", customer: "cus_1" })
      assert.deepStrictEqual(yield* collected({ status: "open", setup_intent: null }), { _tag: "Absent" })
      assert.deepStrictEqual(yield* collected({ mode: "payment", setup_intent }), { _tag: "Absent" })
    })
  )

  it.effect("every text of an answer can be stored, and one without an id leaves the outcome unknown", () =>
    Effect.gen(function* () {
      const card = { id: "pm_1", type: "card", customer: null, card: { brand: "vi\u0000sa", last4: "\ud800" } }
      const { provider } = yield* stripeOver(() => [200, card])
      assert.deepInclude(yield* provider.card("pm_1"), { brand: "vi\ufffdsa", last4: "\ufffd" })
      const long = yield* stripeOver(() => [200, intentOf("ctu_1", { id: "x".repeat(3000) })])
      assert.deepStrictEqual(yield* long.provider.charge(order("ctu_1")), unknown)
    })
  )

  it.effect("a read proves the credential", () =>
    Effect.gen(function* () {
      const proof = (answer: GivenAnswer) =>
        Effect.flatMap(
          stripeOver(() => answer),
          ({ provider }) => provider.proveCredential
        )
      assert.strictEqual(yield* proof([200, { data: [] }]), "accepted")
      assert.strictEqual(yield* proof([401, error({})]), "refused")
      assert.strictEqual(yield* proof([403, error({})]), "refused")
      assert.strictEqual(yield* proof("broken"), "unknown")
    })
  )
})
