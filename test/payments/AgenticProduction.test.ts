import { AgenticWorker } from "@carteiro/runtime/payments/worker/AgenticWorker.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { correct } from "../billing/Accounts.ts"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { agentic, connectAgentic, disagreements } from "./AgenticStage.ts"
import { ScriptedAgentic } from "./ScriptedAgentic.ts"

const minuteMs = 60_000

const provider = new ScriptedAgentic()

/** An authorization of acme's production environment that its customer has given. */
const given = Effect.gen(function* () {
  const calls = yield* agentic("production")
  yield* connectAgentic
  const { id } = (yield* calls.authorize({ bank_id: "b1" })).body
  yield* turnBy(10)
  provider.decide(id, "authorized")
  yield* turnBy(minuteMs)
  return { ...calls, authorization_id: id }
})

/** Advances time; then the worker, which leaves memory after a quarter of an hour without work, handles due steps. */
const advance = Effect.fnUntraced(function* (millis: number) {
  const { acme } = yield* Api
  yield* turnBy(millis)
  ;(yield* AgenticWorker.client).wake(acme.production.id)
  yield* turnBy(10)
})

/** Resets the provider: no call is lost, none refused. */
const calm = Effect.sync(() => {
  provider.lost.clear()
  provider.refuses = undefined
})

const testedBy = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.ensuring(test, calm)

it.layer(WholeProduct({ sweeps: false, vendors: provider.layer }), { excludeTestServices: true })(
  "Agentic payments in production",
  (it) => {
    it.effect("needs a connection for banks and authorizations, and reads without one", () =>
      Effect.gen(function* () {
        const { authorize, get } = yield* agentic("production")
        for (const answer of [yield* get("/v1/agentic/banks"), yield* authorize()]) {
          assert.deepStrictEqual([answer.status, answer.body.error.code], [409, "agentic_connection_required"])
        }
        assert.deepStrictEqual((yield* get("/v1/agentic/authorizations")).body.data, [])
      })
    )

    it.effect("banks are the provider's, by name, for an hour C-AGT-01", () =>
      Effect.gen(function* () {
        const { get } = yield* agentic("production")
        yield* connectAgentic
        provider.banksAnswer = false
        const silent = yield* get("/v1/agentic/banks")
        assert.deepStrictEqual([silent.status, silent.body.error.code], [502, "provider_error"])
        provider.banksAnswer = true
        const names = (yield* get("/v1/agentic/banks")).body.data.map(({ name }: { name: string }) => name)
        assert.deepStrictEqual(names, ["Azul", "Verde"])
        provider.banksAnswer = false
        yield* turnBy(59 * minuteMs)
        assert.strictEqual((yield* get("/v1/agentic/banks")).status, 200)
        yield* turnBy(2 * minuteMs)
        assert.strictEqual((yield* get("/v1/agentic/banks")).status, 502)
        provider.banksAnswer = true
      })
    )

    it.effect("an authorization is created by a worker, given by its customer, and revoked at the provider too", () =>
      testedBy(
        Effect.gen(function* () {
          const { acme, authorization, authorize, revoke } = yield* agentic("production")
          const connection = yield* connectAgentic
          const created = (yield* authorize({ bank_id: "b1" })).body
          assert.deepInclude(created, {
            status: "pending",
            environment: "production",
            provider_connection_id: connection,
            provider_authorization_id: null
          })
          yield* turnBy(10)
          const asked = yield* authorization(created.id)
          assert.deepInclude(asked, {
            status: "pending",
            authorization_url: `https://bank.example/${created.id}`,
            provider_authorization_id: `aut_${created.id}`
          })
          provider.decide(created.id, "authorized")
          yield* turnBy(minuteMs)
          assert.strictEqual((yield* authorization(created.id)).status, "authorized")
          assert.strictEqual((yield* revoke(created.id)).body.status, "revoked")
          yield* turnBy(10)
          assert.strictEqual(provider.authorizations.get(created.id)?.status, "revoked")
          assert.strictEqual(acme.production.id.startsWith("env_"), true)
        })
      )
    )

    it.effect(
      "an undecided authorization is over after 30 minutes; one whose response was lost is found by our id",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { authorization, authorize } = yield* agentic("production")
            yield* connectAgentic
            const silent = (yield* authorize({ bank_id: "b1" })).body.id
            provider.lost.set("authorize", "after")
            const expires_at = new Date((yield* Clock.currentTimeMillis) + 45 * minuteMs).toISOString()
            const lost = (yield* authorize({ bank_id: "b1", expires_at })).body.id
            yield* turnBy(10)
            assert.isNull((yield* authorization(lost)).provider_authorization_id)
            yield* turnBy(minuteMs)
            assert.strictEqual((yield* authorization(lost)).provider_authorization_id, `aut_${lost}`)
            provider.decide(lost, "authorized")
            yield* advance(5 * minuteMs)
            yield* advance(24 * minuteMs)
            assert.strictEqual((yield* authorization(lost)).status, "authorized")
            assert.strictEqual((yield* authorization(silent)).status, "expired")
            yield* turnBy(10)
            assert.strictEqual(provider.authorizations.get(silent)?.status, "revoked")
            assert.strictEqual(provider.asked.filter(([one, id]) => one === "authorize" && id === lost).length, 1)
            yield* advance(16 * minuteMs)
            assert.strictEqual((yield* authorization(lost)).status, "expired")
          })
        )
    )

    it.effect("an authorization that the provider refuses is rejected", () =>
      testedBy(
        Effect.gen(function* () {
          const { authorization, authorize } = yield* agentic("production")
          yield* connectAgentic
          const unknown = yield* authorize({ bank_id: "b9" })
          assert.deepStrictEqual([unknown.status, unknown.body.error.code], [404, "agentic_bank_not_found"])
          provider.refuses = "authorize"
          const { id } = (yield* authorize({ bank_id: "b1" })).body
          yield* turnBy(10)
          assert.strictEqual((yield* authorization(id)).status, "rejected")
        })
      )
    )

    it.effect(
      "the initiation fee is charged and the completion fee held, then charged when it is paid C-AGT-02 C-AGT-05 C-LED-15..18",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { authorization_id, balance, ledger, pay, payment } = yield* given
            const [before] = yield* balance
            const created = (yield* pay(authorization_id)).body
            assert.deepInclude(created.fees.completion, { state: "held", amount_brl: "1.2550", rate: "0.01" })
            assert.strictEqual(created.fees.simulated, false)
            const units = (text: string) => Math.round(Number(text) * 10_000)
            const [held, aside] = yield* balance
            assert.deepStrictEqual([units(before) - units(held), aside], [4900 + 12_550, "1.2550"])
            yield* turnBy(10)
            assert.deepInclude(yield* payment(created.id), {
              status: "processing",
              provider_payment_id: `vp_${created.id}`
            })
            provider.end(created.id, { status: "paid" })
            yield* turnBy(minuteMs)
            const paid = yield* payment(created.id)
            assert.deepStrictEqual([paid.status, paid.fees.completion.state], ["paid", "settled"])
            assert.deepStrictEqual(yield* balance, [held, "0.0000"])
            const own = (yield* ledger()).filter(
              (entry: { payment_fee: { id: string } | null }) => entry.payment_fee?.id === created.id
            )
            assert.deepStrictEqual(
              own.map(({ amount_brl, meter_id, payment_fee, trace_id, type }: Record<string, unknown>) => [
                type,
                meter_id,
                amount_brl,
                (payment_fee as { object: string }).object,
                trace_id
              ]),
              [
                ["debit", "payment.completion", "1.2550", "agentic_payment", created.trace_id],
                ["hold", null, "1.2550", "agentic_payment", created.trace_id],
                ["debit", "payment.initiation", "0.4900", "agentic_payment", created.trace_id]
              ]
            )
            assert.deepStrictEqual(yield* disagreements, [])
          })
        )
    )

    it.effect("a payment whose response was lost is found by our id and made once C-AGT-03", () =>
      testedBy(
        Effect.gen(function* () {
          const { authorization_id, pay, payment } = yield* given
          provider.lost.set("pay", "after")
          const { id } = (yield* pay(authorization_id)).body
          yield* turnBy(10)
          assert.deepInclude(yield* payment(id), { status: "processing", provider_payment_id: null })
          provider.end(id, { status: "paid" })
          yield* turnBy(minuteMs)
          assert.deepInclude(yield* payment(id), { status: "paid", provider_payment_id: `vp_${id}` })
          assert.strictEqual(provider.asked.filter(([one, asked]) => one === "pay" && asked === id).length, 1)
          assert.deepStrictEqual(yield* disagreements, [])
        })
      )
    )

    it.effect(
      "the fee of a payment that never arrived is released only once its absence is proven, 10 and 70 minutes later C-FEE-31",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { authorization_id, balance, pay, payment } = yield* given
            provider.lost.set("pay", "before")
            const { id } = (yield* pay(authorization_id)).body
            yield* turnBy(10)
            yield* advance(11 * minuteMs)
            yield* advance(58 * minuteMs)
            assert.deepInclude(yield* payment(id), { status: "processing" })
            assert.strictEqual((yield* balance)[1], "1.2550")
            yield* turnBy(2 * minuteMs)
            const failed = yield* payment(id)
            assert.deepInclude(failed, { status: "failed", error_code: "payment_not_created" })
            assert.strictEqual(failed.fees.completion.state, "released")
            assert.strictEqual((yield* balance)[1], "0.0000")
            assert.strictEqual(provider.asked.filter(([one, asked]) => one === "pay" && asked === id).length, 1)
            assert.deepStrictEqual(yield* disagreements, [])
          })
        )
    )

    it.effect(
      "a refused payment fails at once; a failed one has the reason of the provider; both fees are released C-FEE-08 C-LED-16",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { authorization_id, balance, ledger, pay, payment } = yield* given
            provider.refuses = "pay"
            const refused = (yield* pay(authorization_id)).body.id
            yield* turnBy(10)
            assert.deepInclude(yield* payment(refused), { status: "failed", error_code: "payment_rejected" })
            provider.refuses = undefined
            const failing = (yield* pay(authorization_id)).body.id
            yield* turnBy(10)
            provider.end(failing, {
              status: "failed",
              error: { code: "no_funds", message: "The account has no funds." }
            })
            yield* turnBy(minuteMs)
            assert.deepInclude(yield* payment(failing), {
              status: "failed",
              error_code: "no_funds",
              error_message: "The account has no funds."
            })
            assert.strictEqual((yield* balance)[1], "0.0000")
            const releases = (yield* ledger("&source_type=payment_fee_hold")).filter(
              (entry: { payment_fee: { id: string }; type: string }) =>
                entry.type === "release" && [refused, failing].includes(entry.payment_fee.id)
            )
            assert.strictEqual(releases.length, 2)
            assert.deepStrictEqual(yield* disagreements, [])
          })
        )
    )

    it.effect(
      "a create whose response says failed ends nothing: a later read does (gaps-3 C Proven create history)",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { authorization_id, balance, pay, payment } = yield* given
            provider.createsFail = true
            const { id } = (yield* pay(authorization_id)).body
            provider.createsFail = false
            yield* turnBy(10)
            assert.deepInclude(yield* payment(id), { status: "processing", provider_payment_id: `vp_${id}` })
            assert.strictEqual((yield* balance)[1], "1.2550")
            provider.end(id, { status: "paid" })
            yield* turnBy(minuteMs)
            assert.strictEqual((yield* payment(id)).status, "paid")
          })
        )
    )

    it.effect(
      "a payment that the provider shows with another amount or id does not change; a day later the fee reads unresolved C-FEE-10 C-FEE-11",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { authorization_id, pay, payment } = yield* given
            const { id } = (yield* pay(authorization_id)).body
            yield* turnBy(10)
            provider.end(id, { status: "paid", amount_centavos: 12_549 })
            yield* turnBy(minuteMs)
            assert.strictEqual((yield* payment(id)).status, "processing")
            provider.end(id, { amount_centavos: 12_550, external_id: "agp_other" })
            yield* advance(24 * 60 * minuteMs)
            const doubtful = yield* payment(id)
            assert.deepStrictEqual([doubtful.status, doubtful.fees.completion.state], ["processing", "unresolved"])
            provider.end(id, { external_id: id })
            yield* advance(61 * minuteMs)
            const paid = yield* payment(id)
            assert.deepStrictEqual([paid.status, paid.fees.completion.state], ["paid", "settled"])
            assert.deepStrictEqual(yield* disagreements, [])
          })
        )
    )

    it.effect(
      "a balance that does not cover the fees refuses, and one that just does is enough A-ERR-27 C-AGT-03 C-FEE-22 C-FEE-23 C-FEE-25 C-FEE-26 C-FEE-30",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { acme, authorization_id, balance, get, pay } = yield* given
            const sql = yield* SqlClient.SqlClient
            const listed = (yield* get("/v1/agentic/payments?limit=100")).body.data.length
            const [wallet] = yield* sql<{ readonly balance: number }>`select balance from wallets
            where account_id = ${acme.organization_id}`
            const fee = 4900 + 12_550
            const left = wallet?.balance ?? 0
            yield* correct(acme.organization_id, "debit", left - fee + 1)
            const short = yield* pay(authorization_id, {}, { idempotencyKey: "short" })
            assert.deepStrictEqual([short.status, short.body.error.code], [402, "insufficient_balance"])
            assert.deepStrictEqual(short.body.error.feedback, { endpoint: "/v1/feedback", method: "POST" })
            assert.strictEqual((yield* get("/v1/agentic/payments?limit=100")).body.data.length, listed)
            // The refusal is equal whether or not the authorization exists.
            assert.strictEqual((yield* pay("aga_none")).body.error.code, "insufficient_balance")
            yield* correct(acme.organization_id, "credit", 1)
            const both = yield* Effect.all(
              [pay(authorization_id, {}, { idempotencyKey: "short" }), pay(authorization_id)],
              {
                concurrency: "unbounded"
              }
            )
            assert.deepStrictEqual(both.map(({ status }) => status).sort(), [201, 402])
            assert.deepStrictEqual(yield* balance, ["0.0000", "1.2550"])
            // No credit is left: the key is blocked before any other check. C-AGT-04, C-FEE-27, C-FEE-28
            const blocked = yield* pay(authorization_id)
            assert.deepStrictEqual([blocked.status, blocked.body.error.code], [402, "credit_balance_exhausted"])
            assert.deepStrictEqual([blocked.body.error.retryable, blocked.body.error.feedback], [false, undefined])
            assert.strictEqual((yield* get("/v1/agentic/payments")).status, 200)
            yield* correct(acme.organization_id, "credit", 1000_0000)
            assert.deepStrictEqual(yield* disagreements, [])
          })
        )
    )

    it.effect("an exhausted credit refuses first C-AGT-04", () =>
      testedBy(
        Effect.gen(function* () {
          const { acme, authorization_id, pay } = yield* given
          const sql = yield* SqlClient.SqlClient
          yield* sql`update organizations set credit_blocked = true where id = ${acme.organization_id}`
          const { body, status } = yield* pay(authorization_id)
          assert.deepStrictEqual(
            [status, body.error.code, body.error.retryable],
            [402, "credit_balance_exhausted", false]
          )
          assert.notProperty(body.error, "feedback")
          yield* sql`update organizations set credit_blocked = false where id = ${acme.organization_id}`
        })
      )
    )

    it.effect('a project\'s cap refuses once the initiation fee would exceed it gaps-3 D "Spend cap and fees"', () =>
      testedBy(
        Effect.gen(function* () {
          const { acme, authorization_id, pay } = yield* given
          const sql = yield* SqlClient.SqlClient
          const [spent] = yield* sql<{ readonly spent: number }>`select coalesce(sum(spent), 0)::int8 as spent
            from project_spending where project_id = ${acme.project.id}
            and month = to_char(${new Date(yield* Clock.currentTimeMillis)}::timestamptz at time zone 'utc', 'YYYY-MM')`
          const cap = (amount: number | null) =>
            sql`update projects set monthly_spend_cap = ${amount} where id = ${acme.project.id}`
          yield* cap((spent?.spent ?? 0) + 4899)
          const refused = yield* pay(authorization_id)
          assert.deepStrictEqual([refused.status, refused.body.error.code], [402, "spend_limit_exceeded"])
          yield* cap((spent?.spent ?? 0) + 4900)
          assert.strictEqual((yield* pay(authorization_id)).status, 201)
          yield* cap(null)
        })
      )
    )

    it.effect(
      "fees that cannot be read refuse, in sandbox and production, and nothing is left behind C-AGT-03 C-FEE-24 C-FEE-25 C-ERR-10",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { authorization_id, pay } = yield* given
            const sandbox = yield* agentic("sandbox")
            const sql = yield* SqlClient.SqlClient
            const ending = sql`update rate_cards set effective_to = effective_from + interval '1 second'`
            yield* ending
            for (const answer of [
              yield* pay(authorization_id, {}, { idempotencyKey: "fees" }),
              yield* sandbox.pay("aga_none")
            ]) {
              assert.deepStrictEqual(
                [answer.status, answer.body.error.code, answer.body.error.feedback?.endpoint],
                [503, "payment_fee_pricing_unavailable", "/v1/feedback"]
              )
            }
            yield* sql`update rate_cards set effective_to = null`
            assert.strictEqual((yield* pay(authorization_id, {}, { idempotencyKey: "fees" })).status, 201)
            assert.deepStrictEqual(yield* disagreements, [])
          })
        )
    )
  }
)
