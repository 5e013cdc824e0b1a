import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { turnBy, turnTo } from "../support/OwnerTest.ts"
import { seedKey } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { agentic, bodyOfAuthorization, disagreements } from "./AgenticStage.ts"

const later = (days: number) => new Date(Date.parse("2026-01-01T00:00:00.000Z") + days * 86_400_000).toISOString()

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Agentic payments in a sandbox", (it) => {
  it.effect("banks are listed by name, on pages C-AGT-01", () =>
    Effect.gen(function* () {
      const { get } = yield* agentic("sandbox")
      const all = (yield* get("/v1/agentic/banks")).body
      assert.deepStrictEqual(
        all.data.map(({ id, object, status }: Record<string, string>) => [id, object, status]),
        [
          ["sbbank_alpha", "agentic_bank", "available"],
          ["sbbank_beta", "agentic_bank", "available"],
          ["sbbank_gamma", "agentic_bank", "unavailable"]
        ]
      )
      assert.deepStrictEqual(Object.keys(all.data[0]), ["id", "name", "ispb", "logo_url", "status", "object"])
      const first = (yield* get("/v1/agentic/banks?limit=2")).body
      assert.deepStrictEqual([first.data.length, first.has_more], [2, true])
      const second = (yield* get(`/v1/agentic/banks?limit=2&starting_after=${first.next_cursor}`)).body
      assert.deepStrictEqual([second.data[0].id, second.has_more], ["sbbank_gamma", false])
      const bad = yield* get("/v1/agentic/banks?other=1")
      assert.deepStrictEqual([bad.status, bad.body.error.code], [400, "invalid_payments_query"])
    })
  )

  it.effect("an authorization is pending, then given half a second later, and over in 90 days C-AGT-01", () =>
    Effect.gen(function* () {
      const { acme, authorization, authorize, get } = yield* agentic("sandbox")
      const created = yield* authorize({ external_reference: "ref-1", metadata: { order: "42" } })
      assert.strictEqual(created.status, 201)
      const { id, trace_id, ...rest } = created.body
      assert.match(id, /^aga_/)
      assert.deepStrictEqual(rest, {
        object: "agentic_authorization",
        status: "pending",
        environment: "sandbox",
        bank_id: "sbbank_alpha",
        customer_name: "Ana Souza",
        customer_tax_id: "12345678909",
        max_amount_brl: "500.0000",
        currency: "BRL",
        authorization_url: null,
        external_reference: "ref-1",
        metadata: { order: "42" },
        provider: "pixprov1",
        provider_connection_id: null,
        provider_authorization_id: null,
        created_at: created.body.created_at,
        updated_at: created.body.created_at,
        authorized_at: null,
        rejected_at: null,
        revoked_at: null,
        expires_at: later(90)
      })
      yield* turnBy(499)
      assert.strictEqual((yield* authorization(id)).status, "pending")
      yield* turnBy(1)
      const given = yield* authorization(id)
      assert.deepInclude(given, { status: "authorized", trace_id, provider_authorization_id: `sbaut_${id.slice(4)}` })
      assert.strictEqual(given.authorized_at, "2026-01-01T00:00:00.500Z")
      const listed = (yield* get("/v1/agentic/authorizations?status=authorized")).body.data
      assert.deepStrictEqual(listed[0], { ...given, trace_id: listed[0].trace_id })
      assert.deepStrictEqual((yield* get("/v1/agentic/authorizations?status=rejected")).body.data, [])
      const { get: getAs, other } = yield* Api
      for (const key of [other.sandbox.key, acme.production.key]) {
        const foreign = yield* getAs(`/v1/agentic/authorizations/${id}`, { key })
        assert.deepStrictEqual([foreign.status, foreign.body.error.code], [404, "agentic_authorization_not_found"])
      }
    })
  )

  it.effect("a scenario rejects an authorization; it is revoked once, and one that is over does not change", () =>
    Effect.gen(function* () {
      const { authorization, authorize, revoke } = yield* agentic("sandbox")
      const rejected = (yield* authorize({ metadata: { sandbox_scenario: "authorization_rejected" } })).body.id
      const given = (yield* authorize()).body.id
      const pending = (yield* authorize()).body.id
      assert.deepInclude((yield* revoke(pending)).body, { status: "revoked" })
      yield* turnBy(500)
      assert.strictEqual((yield* authorization(pending)).status, "revoked")
      assert.deepInclude(yield* authorization(rejected), { status: "rejected", revoked_at: null })
      assert.isNotNull((yield* authorization(rejected)).rejected_at)
      const unchanged = yield* revoke(rejected)
      assert.deepStrictEqual([unchanged.status, unchanged.body.status], [200, "rejected"])
      const first = (yield* revoke(given, undefined, { idempotencyKey: "revoke-1" })).body
      assert.strictEqual(first.status, "revoked")
      yield* turnBy(1000)
      assert.deepStrictEqual((yield* revoke(given, undefined, { idempotencyKey: "revoke-1" })).body, first)
      const again = (yield* revoke(given)).body
      assert.strictEqual(again.revoked_at, first.revoked_at)
      const bad = yield* revoke(given, { reason: "x" })
      assert.deepStrictEqual(
        [bad.status, bad.body.error.code, bad.body.error.param],
        [400, "invalid_payment_request", "reason"]
      )
    })
  )

  it.effect("bad authorizations are refused, each by its field", () =>
    Effect.gen(function* () {
      const { authorize } = yield* agentic("sandbox")
      const bad: ReadonlyArray<readonly [string, object]> = [
        ["bank_id", { bank_id: "" }],
        ["customer_name", { customer_name: " " }],
        ["customer_name", { customer_name: "x".repeat(256) }],
        ["customer_tax_id", { customer_tax_id: "123.456.789-09" }],
        ["customer_tax_id", { customer_tax_id: "123456789012" }],
        ["max_amount_brl_centavos", { max_amount_brl_centavos: 99 }],
        ["max_amount_brl_centavos", { max_amount_brl_centavos: 100_000_000 }],
        ["max_amount_brl_centavos", { max_amount_brl_centavos: "100" }],
        ["max_amount_brl_centavos", { max_amount_brl_centavos: 100.5 }],
        ["expires_at", { expires_at: "2025-12-31T00:00:00Z" }],
        ["expires_at", { expires_at: later(367) }],
        ["expires_at", { expires_at: "soon" }],
        ["return_url", { return_url: "http://shop.example" }],
        ["return_url", { return_url: "https://shop.example/\u0000" }],
        ["external_reference", { external_reference: "" }],
        ["metadata", { metadata: "x" }],
        ["other", { other: 1 }]
      ]
      for (const [param, more] of bad) {
        const { body, status } = yield* authorize(more)
        assert.deepStrictEqual([status, body.error?.code, body.error?.param], [400, "invalid_payment_request", param])
      }
      const nobody = yield* authorize({ bank_id: "sbbank_omega" })
      assert.deepStrictEqual([nobody.status, nobody.body.error.code], [404, "agentic_bank_not_found"])
      const closed = yield* authorize({ bank_id: "sbbank_gamma" })
      assert.deepStrictEqual([closed.status, closed.body.error.param], [400, "bank_id"])
      const whole = yield* authorize({
        expires_at: later(365),
        return_url: "https://shop.example/back",
        customer_tax_id: "12345678000199",
        external_reference: null,
        metadata: null
      })
      assert.deepStrictEqual([whole.status, whole.body.expires_at, whole.body.metadata], [201, later(365), null])
    })
  )

  it.effect(
    "a payment takes simulated fees and is paid half a second later C-AGT-02 C-AGT-05 C-FEE-12 C-FEE-16 C-FEE-17",
    () =>
      Effect.gen(function* () {
        const { authorize, balance, get, ledger, pay, payment } = yield* agentic("sandbox")
        const authorization_id = (yield* authorize()).body.id
        yield* turnBy(500)
        const before = yield* balance
        const created = yield* pay(authorization_id, { description: "Pedido 1", metadata: { order: 1 } })
        assert.strictEqual(created.status, 201)
        const { created_at, fees, id, trace_id, updated_at, ...rest } = created.body
        assert.match(id, /^agp_/)
        assert.deepStrictEqual(rest, {
          object: "agentic_payment",
          status: "processing",
          environment: "sandbox",
          authorization_id,
          amount_brl: "125.5000",
          currency: "BRL",
          description: "Pedido 1",
          external_reference: null,
          metadata: { order: 1 },
          provider: "pixprov1",
          provider_payment_id: null,
          error_code: null,
          error_message: null,
          paid_at: null,
          failed_at: null
        })
        assert.deepStrictEqual(fees, {
          simulated: true,
          rate_card_id: "rct_2026_01",
          initiation: { amount_brl: "0.4900", reservation_id: fees.initiation.reservation_id },
          completion: {
            rate: "0.01",
            amount_brl: "1.2550",
            state: "held",
            reservation_id: fees.completion.reservation_id
          }
        })
        yield* turnBy(500)
        const paid = yield* payment(id)
        assert.deepInclude(paid, {
          status: "paid",
          provider_payment_id: `sbagp_${id.slice(4)}`,
          trace_id,
          failed_at: null
        })
        assert.deepStrictEqual(paid.fees, { ...fees, completion: { ...fees.completion, state: "settled" } })
        assert.isAbove(Date.parse(paid.paid_at), Date.parse(created_at))
        assert.strictEqual(paid.updated_at, paid.paid_at)
        assert.strictEqual(updated_at, created_at)
        assert.deepStrictEqual(yield* balance, before)
        const entries = (yield* ledger("&environment=sandbox")).filter(
          (entry: { payment_fee: { id: string } | null }) => entry.payment_fee?.id === id
        )
        assert.deepStrictEqual(
          entries.map(({ amount_brl, meter_id, payment_fee, type, uncollected_brl }: Record<string, unknown>) => [
            type,
            meter_id,
            amount_brl,
            uncollected_brl,
            (payment_fee as { object: string }).object,
            (payment_fee as { reservation_id: string }).reservation_id
          ]),
          [
            ["debit", "payment.completion", "1.2550", null, "agentic_payment", fees.completion.reservation_id],
            ["hold", null, "1.2550", null, "agentic_payment", fees.completion.reservation_id],
            ["debit", "payment.initiation", "0.4900", null, "agentic_payment", fees.initiation.reservation_id]
          ]
        )
        assert.deepStrictEqual((yield* get("/v1/agentic/payments")).body.data[0].id, id)
        // Agentic payments are no payment requests. C-PAY-33
        assert.notStrictEqual((yield* get(`/v1/payments/${id}`)).status, 200)
        yield* turnTo(later(3))
        assert.strictEqual((yield* payment(id)).fees.completion.state, "settled")
        assert.deepStrictEqual(yield* disagreements, [])
      })
  )

  it.effect("a scenario fails a payment and releases its fee; invalid payments are refused", () =>
    Effect.gen(function* () {
      const { authorize, pay, payment } = yield* agentic("sandbox")
      const pending = (yield* authorize()).body.id
      const early = yield* pay(pending)
      assert.deepStrictEqual([early.status, early.body.error.code], [409, "agentic_authorization_not_active"])
      yield* turnBy(500)
      const failing = (yield* pay(pending, { metadata: { sandbox_scenario: "payment_failed" } })).body.id
      yield* turnBy(500)
      const failed = yield* payment(failing)
      assert.deepInclude(failed, { status: "failed", error_code: "payment_failed", paid_at: null })
      assert.strictEqual(failed.fees.completion.state, "released")
      const bad: ReadonlyArray<readonly [string, object]> = [
        ["amount_brl_centavos", { amount_brl_centavos: 50_001 }],
        ["amount_brl_centavos", { amount_brl_centavos: 99 }],
        ["amount_brl_centavos", { amount_brl_centavos: "12550" }],
        ["amount_brl_centavos", { amount_brl_centavos: 1.5 }],
        ["description", { description: "" }],
        ["description", { description: "x".repeat(501) }],
        ["external_reference", { external_reference: "x".repeat(256) }],
        ["metadata", { metadata: [] }],
        ["authorization_id", { authorization_id: 7 }],
        ["other", { other: 1 }]
      ]
      for (const [param, more] of bad) {
        const { body, status } = yield* pay(pending, more)
        assert.deepStrictEqual([status, body.error?.code, body.error?.param], [400, "invalid_payment_request", param])
      }
      const nobody = yield* pay("aga_01kah7v3m8q6x2r9d4t5w0y1z3")
      assert.deepStrictEqual([nobody.status, nobody.body.error.code], [404, "agentic_authorization_not_found"])
      const strange = yield* pay("anything")
      assert.strictEqual(strange.body.error.code, "agentic_authorization_not_found")
      const none = yield* payment("agp_01kah7v3m8q6x2r9d4t5w0y1z3")
      assert.strictEqual(none.error.code, "agentic_payment_not_found")
      assert.deepStrictEqual(yield* disagreements, [])
    })
  )

  it.effect("a keyed retry replays the response of the create, with the fees of that time C-FEE-19", () =>
    Effect.gen(function* () {
      const { authorize, ledger, pay, payment } = yield* agentic("sandbox")
      const authorization_id = (yield* authorize({}, { idempotencyKey: "auth-1" })).body.id
      assert.strictEqual((yield* authorize({}, { idempotencyKey: "auth-1" })).body.id, authorization_id)
      yield* turnBy(500)
      const first = yield* pay(authorization_id, {}, { idempotencyKey: "pay-1" })
      yield* turnBy(500)
      const again = yield* pay(authorization_id, {}, { idempotencyKey: "pay-1" })
      assert.deepStrictEqual([again.status, again.text], [201, first.text])
      assert.strictEqual((yield* payment(first.body.id)).fees.completion.state, "settled")
      const other = yield* pay(authorization_id, { amount_brl_centavos: 200 }, { idempotencyKey: "pay-1" })
      assert.strictEqual(other.body.error.code, "idempotency_key_conflict")
      const holds = (yield* ledger("&environment=sandbox&source_type=payment_fee_hold")).filter(
        (entry: { payment_fee: { id: string } | null; type: string }) => entry.payment_fee?.id === first.body.id
      )
      assert.strictEqual(holds.length, 1)
    })
  )

  it.effect("scopes, and the family that an owner switches off C-AGT-01", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { get, post } = yield* Api
      const { key: writes } = yield* seedKey(acme.sandbox, { scopes: ["payments:write"] })
      const { key: reads } = yield* seedKey(acme.sandbox, { scopes: ["payments:read"] })
      for (const path of ["banks", "authorizations", "payments", "authorizations/aga_1", "payments/agp_1"]) {
        const refused = yield* get(`/v1/agentic/${path}`, { key: writes })
        assert.strictEqual(refused.body.error.code, "insufficient_scope", path)
      }
      for (const path of ["authorizations", "payments", "authorizations/aga_1/revoke"]) {
        const refused = yield* post(`/v1/agentic/${path}`, bodyOfAuthorization, { key: reads })
        assert.strictEqual(refused.body.error.code, "insufficient_scope", path)
      }
    })
  )
})
