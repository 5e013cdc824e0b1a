import * as Billing from "@carteiro/runtime/billing/room.ts"
import { CountedNumbers } from "@carteiro/runtime/tenancy/CountedNumbers.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedKey, seedTenant, type TestEnvironment } from "../support/Tenants.ts"
import { billingOwners } from "./TestActs.ts"

const day = 86_400_000

/** Numbers each account has, as the room of numbers would tell. */
const counted = new Map<string, number>()
const counting = Layer.succeed(CountedNumbers, (accountId) => Effect.sync(() => counted.get(accountId) ?? 0))
const owners = Layer.provideMerge(Layer.provide(billingOwners, counting), Billing.room.services)

/** What a test does with the account of one environment. */
const of = (environment: TestEnvironment) =>
  Effect.map(Api, ({ get, post }) => {
    const options = (idempotencyKey?: string) =>
      idempotencyKey === undefined ? { key: environment.key } : { key: environment.key, idempotencyKey }
    return {
      account: environment.id,
      plan: Effect.map(get("/v1/billing/plan", options()), ({ body }) => body),
      save: (card: string, set_default = true) =>
        post("/v1/billing/payment-methods", { cardproc_payment_method_id: card, set_default }, options()),
      subscribe: (plan_offering_id: string, rail = "cardproc_card", idempotencyKey?: string) =>
        post("/v1/billing/plan/subscribe", { plan_offering_id, rail }, options(idempotencyKey)),
      change: (plan_offering_id: string, idempotencyKey?: string) =>
        post("/v1/billing/plan/change", { plan_offering_id }, options(idempotencyKey)),
      cancel: (idempotencyKey?: string) => post("/v1/billing/plan/cancel", undefined, options(idempotencyKey))
    }
  })

/** The account of a sandbox nobody else uses. */
const fresh = (name: string) => Effect.flatMap(seedTenant(name), ({ sandbox }) => of(sandbox))

const refused = ({
  body,
  status
}: {
  readonly status: number
  readonly body: { readonly error: { readonly code: string } }
}) => [status, body.error.code]
const feedback = { endpoint: "/v1/feedback", method: "POST" }

it.layer(ApiTest(Billing.room.routes, owners, { followers: Billing.room.followers }), { excludeTestServices: true })(
  "Plans",
  (it) => {
    it.effect("lists the offered plans on one page, the cheapest first C-PLAN-01", () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const { body, status } = yield* get("/v1/billing/plans", { key: acme.sandbox.key })
        assert.deepStrictEqual([status, body.object, body.has_more, body.next_cursor], [200, "list", false, null])
        assert.deepStrictEqual(body.data[2], {
          id: "plo_growth",
          object: "plan_offering",
          code: "growth",
          display_name: "Growth",
          monthly_fee_brl: "499.0000",
          annual_fee_brl: "4990.0000",
          currency: "brl",
          billing_rails: ["cardproc_card", "pix_annual"],
          throughput_tier: "growth",
          max_phones: 20,
          platform_fee_multiplier: "0.65",
          net_transport_rate_brl: "0.0325",
          numprov_byok_enabled: true
        })
        const columns = ["id", "monthly_fee_brl", "throughput_tier", "max_phones", "platform_fee_multiplier"] as const
        assert.deepStrictEqual(
          body.data.map((plan: Record<string, unknown>) => [
            ...columns.map((column) => plan[column]),
            plan.net_transport_rate_brl,
            plan.numprov_byok_enabled
          ]),
          [
            ["plo_starter", "49.0000", "starter", 2, "0.90", "0.0450", false],
            ["plo_standard", "149.0000", "growth", 5, "0.80", "0.0400", true],
            ["plo_growth", "499.0000", "growth", 20, "0.65", "0.0325", true],
            ["plo_scale", "1499.0000", "scale", null, "0.50", "0.0250", false]
          ]
        )
      })
    )

    it.effect("shows the free tier to an organization without a subscription C-PLAN-02..10", () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const { body } = yield* get("/v1/billing/plan", { key: acme.production.key })
        const { trace_id, ...plan } = body
        assert.isString(trace_id)
        assert.deepStrictEqual(plan, {
          id: `sub_${acme.organization_id.slice(4)}`,
          object: "subscription",
          status: "none",
          plan_offering_id: null,
          display_name: null,
          billing_rail: null,
          throughput_tier: "starter",
          max_phones: 1,
          platform_fee_multiplier: "1.00",
          net_transport_rate_brl: "0.0500",
          numprov_byok_enabled: false,
          monthly_fee_brl: null,
          current_period_end: null,
          cancel_at_period_end: false
        })
      })
    )

    it.effect("charges the default card in the request, and replays the answer C-PLAN-11..14", () =>
      Effect.gen(function* () {
        const account = yield* fresh("card-plan")
        yield* account.save("sbpm_ok")
        const first = yield* account.subscribe("plo_standard", "cardproc_card", "one")
        assert.strictEqual(first.status, 201)
        assert.deepInclude(first.body, { object: "subscription_checkout", pix: null })
        assert.deepInclude(first.body.subscription, {
          object: "subscription",
          status: "active",
          plan_offering_id: "plo_standard",
          display_name: "Standard",
          billing_rail: "cardproc_card",
          throughput_tier: "growth",
          max_phones: 5,
          platform_fee_multiplier: "0.80",
          net_transport_rate_brl: "0.0400",
          monthly_fee_brl: "149.0000",
          cancel_at_period_end: false,
          numprov_byok_enabled: true
        })
        const { trace_id: _trace, ...plan } = yield* account.plan
        assert.deepStrictEqual(plan, first.body.subscription)
        const again = yield* account.subscribe("plo_standard", "cardproc_card", "one")
        assert.deepStrictEqual([again.status, again.text], [201, first.text])
        const sql = yield* SqlClient.SqlClient
        const invoices = yield* sql`select 1 from subscription_invoices where account_id = ${account.account}`
        assert.strictEqual(invoices.length, 1)
        const other = yield* account.subscribe("plo_growth", "cardproc_card", "one")
        assert.deepStrictEqual(refused(other), [409, "idempotency_key_conflict"])
        assert.deepStrictEqual(refused(yield* account.subscribe("plo_growth")), [409, "subscription_already_active"])
      })
    )

    it.effect(
      "a subscription by card is refused without a default card, and points to the cards C-PLAN-16 C-ERR-14",
      () =>
        Effect.gen(function* () {
          const account = yield* fresh("cardless")
          const { body, status } = yield* account.subscribe("plo_starter")
          assert.deepStrictEqual(
            [status, body.error.code, body.error.type],
            [402, "payment_method_required", "payment_required"]
          )
          assert.deepStrictEqual(body.error.feedback, feedback)
        })
    )

    it.effect("a declined card answers 402, leaves no subscription, and is answered from its key again", () =>
      Effect.gen(function* () {
        const account = yield* fresh("declined")
        yield* account.save("sbpm_declined")
        const first = yield* account.subscribe("plo_starter", "cardproc_card", "k")
        assert.deepStrictEqual(refused(first), [402, "card_declined"])
        assert.isString(first.body.error.details.decline_code)
        assert.strictEqual((yield* account.subscribe("plo_starter", "cardproc_card", "k")).text, first.text)
        assert.strictEqual((yield* account.plan).status, "none")
        yield* account.save("sbpm_ok")
        assert.strictEqual(
          (yield* account.subscribe("plo_starter", "cardproc_card", "l")).body.subscription.status,
          "active"
        )
      })
    )

    it.effect("a card that needs authentication is shown as pending, and pays a second later", () =>
      Effect.gen(function* () {
        const account = yield* fresh("authenticated")
        yield* account.save("sbpm_authentication")
        const { body, status } = yield* account.subscribe("plo_starter")
        assert.deepStrictEqual([status, body.subscription.status, body.pix], [201, "none", null])
        assert.deepStrictEqual(refused(yield* account.subscribe("plo_starter")), [409, "subscription_change_pending"])
        yield* turnBy(1500)
        assert.strictEqual((yield* account.plan).status, "active")
      })
    )

    it.effect("an annual plan is paid by Pix, and applies a second later in a sandbox C-PLAN-15", () =>
      Effect.gen(function* () {
        const account = yield* fresh("pix")
        const { body, status } = yield* account.subscribe("plo_growth", "pix_annual", "pix")
        assert.deepStrictEqual([status, body.subscription.status], [201, "none"])
        assert.strictEqual(body.pix.amount_brl, "4990.0000")
        assert.property(body.pix, "pix_qr_code_base64")
        for (const member of ["pixprov2_charge_id", "pix_copy_paste"]) assert.isString(body.pix[member])
        assert.match(body.pix.expires_at, /^2026-01-0\dT/)
        assert.deepStrictEqual((yield* account.subscribe("plo_growth", "pix_annual", "pix")).body, body)
        yield* turnBy(1500)
        const plan = yield* account.plan
        assert.deepInclude(plan, {
          status: "active",
          plan_offering_id: "plo_growth",
          billing_rail: "pix_annual",
          monthly_fee_brl: "499.0000"
        })
        assert.match(plan.current_period_end, /^2027-01-0\dT/)
      })
    )

    it.effect("an upgrade is shown when it is paid, a downgrade waits for the renewal C-PLAN-17..19", () =>
      Effect.gen(function* () {
        const account = yield* fresh("changing")
        yield* account.save("sbpm_ok")
        const before = (yield* account.subscribe("plo_standard")).body.subscription
        yield* turnBy(day)
        const { body, status } = yield* account.change("plo_growth", "up")
        assert.deepStrictEqual([status, body.object, body.plan_offering_id], [200, "subscription", "plo_standard"])
        const repeated = yield* account.change("plo_growth", "up")
        assert.strictEqual(repeated.body.plan_offering_id, "plo_standard")
        yield* turnBy(100)
        const after = yield* account.plan
        assert.deepStrictEqual(
          [after.plan_offering_id, after.current_period_end],
          ["plo_growth", before.current_period_end]
        )
        const sql = yield* SqlClient.SqlClient
        const [upgrade] = yield* sql<{ readonly amount: number }>`select amount from subscription_invoices
          where account_id = ${account.account} and kind = 'upgrade'`
        // 350.00 for 30 of 31 days.
        assert.strictEqual(upgrade?.amount, 338_7100)
        const lower = yield* account.change("plo_starter")
        assert.deepStrictEqual([lower.status, lower.body.plan_offering_id], [200, "plo_growth"])
        yield* turnBy(100)
        assert.strictEqual((yield* account.plan).plan_offering_id, "plo_growth")
        assert.deepStrictEqual(refused(yield* account.change("plo_growth")), [409, "plan_already_current"])
        assert.deepStrictEqual(refused(yield* account.change("plo_other")), [404, "plan_offering_not_found"])
      })
    )

    it.effect("an upgrade whose card is declined is dropped; without a card there is no pointer", () =>
      Effect.gen(function* () {
        const { call, get } = yield* Api
        const { sandbox } = yield* seedTenant("upgrade-declined")
        const account = yield* of(sandbox)
        yield* account.save("sbpm_ok")
        yield* account.subscribe("plo_starter")
        const { body: card } = yield* account.save("sbpm_declined")
        assert.strictEqual((yield* account.change("plo_scale")).status, 200)
        yield* turnBy(100)
        assert.strictEqual((yield* account.plan).plan_offering_id, "plo_starter")
        yield* call("DELETE", `/v1/billing/payment-methods/${card.id}`, undefined, { key: sandbox.key })
        const { body } = yield* account.change("plo_scale")
        assert.deepStrictEqual([body.error.code, body.error.feedback], ["payment_method_required", undefined])
        assert.strictEqual((yield* get("/v1/billing/payment-methods", { key: sandbox.key })).body.data.length, 1)
      })
    )

    it.effect(
      "a cancellation takes effect at the end of the period; repeats change nothing, and subscribing again withdraws it C-PLAN-20..22",
      () =>
        Effect.gen(function* () {
          const account = yield* fresh("cancelling")
          for (const answer of [yield* account.cancel(), yield* account.change("plo_starter")]) {
            assert.deepStrictEqual(refused(answer), [404, "subscription_not_found"])
            assert.deepStrictEqual(answer.body.error.feedback, feedback)
          }
          yield* account.save("sbpm_ok")
          yield* account.subscribe("plo_starter")
          const first = yield* account.cancel("c")
          assert.deepStrictEqual(
            [first.status, first.body.cancel_at_period_end, first.body.status],
            [200, true, "active"]
          )
          assert.strictEqual((yield* account.cancel("c")).text, first.text)
          const { trace_id: _one, ...once } = first.body
          const { trace_id: _two, ...twice } = (yield* account.cancel()).body
          assert.deepStrictEqual(twice, once)
          const kept = yield* account.change("plo_starter")
          assert.deepStrictEqual([kept.status, kept.body.cancel_at_period_end], [200, false])
          assert.strictEqual((yield* account.plan).cancel_at_period_end, false)
        })
    )

    it.effect("allows no more numbers than the plan, without a pointer C-PLAN-23 C-ERR-15", () =>
      Effect.gen(function* () {
        const account = yield* fresh("many-numbers")
        yield* account.save("sbpm_ok")
        counted.set(account.account, 6)
        const { body, status } = yield* account.subscribe("plo_standard")
        assert.deepStrictEqual(
          [status, body.error.code, body.error.feedback],
          [402, "plan_phone_limit_reached", undefined]
        )
        assert.strictEqual((yield* account.subscribe("plo_growth")).status, 201)
        assert.deepStrictEqual(refused(yield* account.change("plo_standard")), [402, "plan_phone_limit_reached"])
        counted.set(account.account, 5)
        assert.strictEqual((yield* account.change("plo_standard")).status, 200)
      })
    )

    it.effect("refuses what breaks the contract by its field, and a plan without a provider C-PLAN-12 C-PLAN-17", () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const key = acme.sandbox.key
        const ok = { plan_offering_id: "plo_growth", rail: "cardproc_card" }
        for (const [path, body, param] of [
          ["subscribe", {}, "plan_offering_id"],
          ["subscribe", { plan_offering_id: "plo_growth" }, "rail"],
          ["subscribe", { ...ok, rail: "pix" }, "rail"],
          ["subscribe", { ...ok, plan_offering_id: 7 }, "plan_offering_id"],
          ["subscribe", { ...ok, other: 1 }, "other"],
          ["change", {}, "plan_offering_id"],
          ["change", { plan_offering_id: null }, "plan_offering_id"],
          ["change", { plan_offering_id: "plo_growth", rail: "pix_annual" }, "rail"]
        ] as const) {
          const answer = yield* post(`/v1/billing/plan/${path}`, body, { key })
          assert.deepStrictEqual(
            [answer.status, answer.body.error.code, answer.body.error.param],
            [400, "invalid_billing_request", param]
          )
        }
        assert.deepStrictEqual(
          refused(yield* post("/v1/billing/plan/subscribe", { ...ok, plan_offering_id: "plo_x" }, { key })),
          [404, "plan_offering_not_found"]
        )
        for (const rail of ["cardproc_card", "pix_annual"]) {
          const answer = yield* post("/v1/billing/plan/subscribe", { ...ok, rail }, { key: acme.production.key })
          assert.deepStrictEqual(
            [answer.status, answer.body.error.code, answer.body.error.type],
            [503, "billing_provider_not_configured", "internal_error"]
          )
        }
        const { key: reader } = yield* seedKey(acme.sandbox, { scopes: ["billing:read"] })
        for (const path of ["subscribe", "change", "cancel"]) {
          const answer = yield* post(`/v1/billing/plan/${path}`, ok, { key: reader })
          assert.deepStrictEqual(refused(answer), [403, "insufficient_scope"])
        }
      })
    )

    it.effect("two sandboxes of one organization have their own subscriptions (gaps-3 A Who owns billing state)", () =>
      Effect.gen(function* () {
        const { project, sibling } = yield* seedTenant("two-sandboxes")
        const [one, two] = [yield* of(project.sandbox), yield* of(sibling.sandbox)]
        const production = yield* of(project.production)
        yield* one.save("sbpm_ok")
        yield* one.subscribe("plo_scale")
        assert.deepStrictEqual(
          [(yield* one.plan).status, (yield* two.plan).status, (yield* production.plan).status],
          ["active", "none", "none"]
        )
      })
    )
  }
)
