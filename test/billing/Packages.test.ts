import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { Cardproc } from "../support/Cardproc.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedKey, seedTenant } from "../support/Tenants.ts"
import { use, walletOf } from "./Accounts.ts"
import { bareProduct, buy, cardProduct, creditsOf, passDue, saveCard, topupOf } from "./CardStage.ts"

const refusal = ({ body, status }: { readonly status: number; readonly body: { error: { code: string } } }) => [
  status,
  body.error.code
]

it.layer(cardProduct, { excludeTestServices: true })("Packages", (it) => {
  it.effect("a purchase charges the default card once and credits its price C-PKG-01..08 C-PKG-13", () =>
    Effect.gen(function* () {
      const tenant = yield* seedTenant("buyer", 0)
      const { key } = tenant.production
      yield* saveCard(key, "pm_card_ok")
      const bought = yield* buy(key, { payment_method: "card" })
      assert.strictEqual(bought.status, 201)
      const { trace_id, ...shown } = bought.body
      assert.isString(trace_id)
      assert.deepInclude(shown, {
        object: "credit_topup",
        kind: "package",
        status: "succeeded",
        amount_brl: "45.0000",
        payment_method: "card",
        package_code: "pack_1k",
        quota_messages: 1000,
        quota_remaining: 1000,
        cardproc_payment_intent_id: `pi_${shown.id}`,
        cardproc_client_secret: null,
        provider: "cardproc"
      })
      assert.match(shown.id, /^ctu_/)
      assert.match(shown.completed_at, /^2026-01-01T/)
      assert.deepStrictEqual(yield* topupOf(key, shown.id), shown)
      assert.deepStrictEqual(yield* creditsOf(shown.id), [{ type: "credit", amount: 45_0000 }])
      assert.deepInclude(yield* walletOf({ id: tenant.organization_id }), { balance: 45_0000, blocked: false })
    })
  )

  it.effect("a repeated request is the same purchase; another body under the key is refused C-PKG-11 C-PKG-14", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("repeater", 0)
      const { charges } = yield* Cardproc
      yield* saveCard(production.key, "pm_card_ok")
      const options = { idempotencyKey: "buy-1" }
      const first = yield* buy(production.key, {}, options)
      const again = yield* buy(production.key, {}, options)
      assert.deepStrictEqual(again.body, first.body)
      assert.strictEqual(again.headers["svc-idempotent-replayed"], "true")
      const other = yield* buy(production.key, { package_code: "pack_5k" }, options)
      assert.deepStrictEqual(refusal(other), [409, "idempotency_key_conflict"])
      assert.strictEqual(charges.list.filter(({ external_id }) => external_id === first.body.id).length, 1)
      assert.strictEqual((yield* creditsOf(first.body.id)).length, 1)
    })
  )

  it.effect("a repeated request whose answer was never stored finds its charge C-PKG-14", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("forgotten", 0)
      yield* saveCard(production.key, "pm_card_ok")
      const options = { idempotencyKey: "buy-2" }
      const first = yield* buy(production.key, {}, options)
      const sql = yield* SqlClient.SqlClient
      const forget = Effect.andThen(
        sql`delete from idempotency_records where environment_id = ${production.id}`,
        // Nobody holds the key any more.
        turnBy(21_000)
      )
      yield* forget
      const again = yield* buy(production.key, {}, options)
      assert.strictEqual(again.body.id, first.body.id)
      assert.isUndefined(again.headers["svc-idempotent-replayed"])
      yield* forget
      const other = yield* buy(production.key, { package_code: "pack_5k" }, options)
      assert.deepStrictEqual(refusal(other), [409, "idempotency_key_conflict"])
    })
  )

  it.effect(
    "a declined card is 402 and keeps a failed top-up; the key keeps the answer (gaps-3 E Purchase outcomes)",
    () =>
      Effect.gen(function* () {
        const { organization_id, production } = yield* seedTenant("declined", 0)
        yield* saveCard(production.key, "pm_card_declined")
        const options = { idempotencyKey: "buy-3" }
        const declined = yield* buy(production.key, {}, options)
        assert.deepStrictEqual(refusal(declined), [402, "card_declined"])
        assert.strictEqual(declined.body.error.type, "payment_required")
        const { credit_topup_id, decline_code } = declined.body.error.details
        assert.strictEqual(decline_code, "insufficient_funds")
        assert.deepInclude(yield* topupOf(production.key, credit_topup_id), { status: "failed", quota_remaining: 1000 })
        assert.isString((yield* topupOf(production.key, credit_topup_id))?.completed_at)
        const again = yield* buy(production.key, {}, options)
        assert.deepStrictEqual([again.status, again.text], [402, declined.text])
        assert.strictEqual((yield* walletOf({ id: organization_id })).balance, 0)
        assert.deepStrictEqual(yield* creditsOf(credit_topup_id), [])
      })
  )

  it.effect(
    "a card that needs authentication leaves a pending top-up with a secret that no read shows C-PKG-06 C-CARD-07",
    () =>
      Effect.gen(function* () {
        const { production } = yield* seedTenant("authenticating", 0)
        const { charges } = yield* Cardproc
        yield* saveCard(production.key, "pm_card_authentication")
        const waiting = yield* buy(production.key)
        assert.strictEqual(waiting.status, 201)
        assert.deepInclude(waiting.body, { status: "pending", completed_at: null })
        const secret = waiting.body.cardproc_client_secret
        assert.match(secret, /^pi_.+_secret_/)
        assert.deepInclude(yield* topupOf(production.key, waiting.body.id), { cardproc_client_secret: null })
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ readonly sealed: Uint8Array }>`select client_secret as sealed from charges
        where id = ${waiting.body.id}`
        assert.notInclude(Buffer.from(rows[0]?.sealed ?? new Uint8Array()).toString("latin1"), secret)
        charges.authenticate(secret, true)
        yield* turnBy(5000)
        assert.deepInclude(yield* topupOf(production.key, waiting.body.id), { status: "succeeded" })
        assert.strictEqual((yield* creditsOf(waiting.body.id)).length, 1)
      })
  )

  it.effect(
    "a purchase without authentication expires after a day, and a late payment still counts (gaps-3 E Top-up transitions)",
    () =>
      Effect.gen(function* () {
        const { organization_id, production } = yield* seedTenant("late", 0)
        const { charges } = yield* Cardproc
        yield* saveCard(production.key, "pm_card_authentication")
        const { body } = yield* buy(production.key)
        yield* turnBy(24 * 3_600_000 + 1000)
        ;(yield* BillingAccountEntity.client).wake(organization_id)
        yield* turnBy(1000)
        assert.deepInclude(yield* topupOf(production.key, body.id), { status: "expired", completed_at: null })
        charges.authenticate(body.cardproc_client_secret, true)
        yield* tell(body.id)
        assert.deepInclude(yield* topupOf(production.key, body.id), { status: "succeeded" })
        assert.strictEqual((yield* creditsOf(body.id)).length, 1)
      })
  )

  it.effect("a lost answer is looked up by our id, and never charged twice C-PKG-14", () =>
    Effect.gen(function* () {
      const { organization_id, production } = yield* seedTenant("lost", 0)
      const { charges, faults } = yield* Cardproc
      yield* saveCard(production.key, "pm_card_ok")
      let balance = 0
      const names = { reset_after: 5000, error_500_after: 5000, reset: 80 * 60_000, error_500: 80 * 60_000 }
      for (const [name, knownAfter] of Object.entries(names)) {
        faults.set([{ name, operation: "charge", times: 1 }], 1)
        const bought = yield* buy(production.key)
        assert.deepStrictEqual([name, bought.status, bought.body.status], [name, 201, "pending"])
        yield* passDue(organization_id, knownAfter)
        assert.deepInclude(yield* topupOf(production.key, bought.body.id), { status: "succeeded" }, name)
        assert.strictEqual(charges.list.filter(({ external_id }) => external_id === bought.body.id).length, 1)
        balance += 45_0000
        assert.strictEqual((yield* walletOf({ id: organization_id })).balance, balance)
      }
      faults.set([], 1)
    })
  )

  it.effect("a processor that refuses before any effect is 502, and the key may be used again (gaps-3 A Codes)", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("refused", 0)
      const { faults } = yield* Cardproc
      yield* saveCard(production.key, "pm_card_ok")
      faults.set([{ name: "credentials_invalid", operation: "charge", times: 1 }], 1)
      const options = { idempotencyKey: "buy-4" }
      assert.deepStrictEqual(refusal(yield* buy(production.key, {}, options)), [502, "provider_error"])
      assert.strictEqual((yield* buy(production.key, {}, options)).body.status, "succeeded")
    })
  )

  it.effect("a charge of another amount has no effect (gaps-3 G Trust in webhook content)", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("mismatched", 0)
      const { faults } = yield* Cardproc
      yield* saveCard(production.key, "pm_card_ok")
      faults.set([{ name: "other_amount", operation: "charge_status" }], 1)
      const { body } = yield* buy(production.key)
      assert.strictEqual(body.status, "pending")
      yield* turnBy(5000)
      assert.deepInclude(yield* topupOf(production.key, body.id), { status: "pending" })
      assert.deepStrictEqual(yield* creditsOf(body.id), [])
      faults.set([], 1)
      yield* turnBy(60_000)
      assert.deepInclude(yield* topupOf(production.key, body.id), { status: "succeeded" })
    })
  )

  it.effect("a refund takes back the credit and the rest of the quota (gaps-3 D Refund entries)", () =>
    Effect.gen(function* () {
      const { organization_id, production } = yield* seedTenant("refunded", 0)
      const { charges } = yield* Cardproc
      yield* saveCard(production.key, "pm_card_ok")
      const { body } = yield* buy(production.key)
      charges.refund(body.id)
      yield* tell(body.id)
      yield* tell(body.id)
      assert.deepInclude(yield* topupOf(production.key, body.id), { status: "refunded", quota_remaining: 0 })
      assert.deepStrictEqual(yield* creditsOf(body.id), [
        { type: "credit", amount: 45_0000 },
        { type: "debit", amount: 45_0000 }
      ])
      assert.strictEqual((yield* walletOf({ id: organization_id })).balance, 0)
    })
  )

  it.effect("messages take units of the oldest package while its price is lower (gaps-3 E What a package gives)", () =>
    Effect.gen(function* () {
      const { organization_id, production, project } = yield* seedTenant("sender", 0)
      const account = { id: organization_id, project_id: project.id, environment_id: production.id } as never
      yield* saveCard(production.key, "pm_card_ok")
      const { body } = yield* buy(production.key)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update credit_topups set quota_remaining = 2 where id = ${body.id}`
      const { body: second } = yield* buy(production.key, { package_code: "pack_5k" })
      const before = (yield* walletOf({ id: organization_id })).balance
      yield* turnBy(1000)
      // Lower than any package: no unit is used.
      yield* use(account, "message.transport.service")
      yield* turnBy(2000)
      assert.strictEqual((yield* walletOf({ id: organization_id })).balance, before - 300)
      for (let n = 0; n < 3; n++) yield* use(account, "message.transport.marketing")
      yield* turnBy(2000)
      assert.strictEqual((yield* walletOf({ id: organization_id })).balance, before - 300 - 2 * 450 - 400)
      assert.deepInclude(yield* topupOf(production.key, body.id), { quota_remaining: 0 })
      assert.deepInclude(yield* topupOf(production.key, second.id), { quota_remaining: 4999 })
    })
  )

  it.effect("refuses invalid purchases with the code of each C-PKG-12 (gaps-3 E Purchase outcomes)", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("refusals", 0)
      const { key } = production
      const { delete: remove, post } = yield* Api
      assert.deepStrictEqual(refusal(yield* buy(key, { package_code: "pack_2k" })), [404, "package_not_found"])
      const none = yield* buy(key)
      assert.deepStrictEqual(refusal(none), [402, "payment_method_required"])
      assert.isUndefined(none.body.error.feedback)
      const { body: card } = yield* saveCard(key, "pm_card_ok")
      assert.deepStrictEqual(refusal(yield* buy(key, { payment_method_id: "bpm_0" })), [
        404,
        "payment_method_not_found"
      ])
      yield* remove(`/v1/billing/payment-methods/${card.id}`, { key })
      const deleted = yield* buy(key, { payment_method_id: card.id })
      assert.deepStrictEqual(refusal(deleted), [409, "payment_method_not_active"])
      for (const [body, param] of [
        [{}, "package_code"],
        [{ package_code: 1 }, "package_code"],
        [{ package_code: "pack_1k", payment_method: "pix" }, "payment_method"],
        [{ package_code: "pack_1k", payment_method_id: 7 }, "payment_method_id"],
        [{ package_code: "pack_1k", quantity: 2 }, "quantity"]
      ] as const) {
        const refused = yield* post("/v1/billing/packages/purchase", body, { key })
        assert.deepStrictEqual([...refusal(refused), refused.body.error.param], [400, "invalid_billing_request", param])
      }
    })
  )

  it.effect("lists every top-up newest first, by status, beside the catalog C-PKG-09 C-PKG-10 C-LIM-06", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("lister", 0)
      const { get } = yield* Api
      const { key } = production
      yield* saveCard(key, "pm_card_ok")
      const ids: Array<string> = []
      for (let n = 0; n < 3; n++) {
        yield* turnBy(1000)
        ids.unshift((yield* buy(key)).body.id)
      }
      const { body: declined } = yield* saveCard(key, "pm_card_declined")
      const failed = (yield* buy(key, { payment_method_id: declined.id })).body.error.details.credit_topup_id
      const first = yield* get("/v1/billing/packages?limit=2", { key })
      assert.deepStrictEqual(idsOf(first.body), [failed, ids[0]])
      assert.isTrue(first.body.has_more)
      const rest = yield* get(`/v1/billing/packages?starting_after=${first.body.next_cursor}`, { key })
      assert.deepStrictEqual(idsOf(rest.body), ids.slice(1))
      assert.deepStrictEqual(idsOf((yield* get("/v1/billing/packages?status=failed", { key })).body), [failed])
      assert.deepStrictEqual(idsOf((yield* get("/v1/billing/packages?status=succeeded", { key })).body), ids)
      for (const { body } of [first, rest]) {
        assert.deepStrictEqual(
          body.available_packages.map((one: { readonly [member: string]: unknown }) => Object.values(one)),
          [
            ["pack_1k", "package_offering", "pack_1k", "1,000 messages", "45.0000", 1000, "0.0450", "brl"],
            ["pack_5k", "package_offering", "pack_5k", "5,000 messages", "200.0000", 5000, "0.0400", "brl"],
            ["pack_25k", "package_offering", "pack_25k", "25,000 messages", "875.0000", 25000, "0.0350", "brl"],
            ["pack_100k", "package_offering", "pack_100k", "100,000 messages", "3000.0000", 100000, "0.0300", "brl"]
          ]
        )
      }
      for (const [query, code, param] of [
        ["limit=0", "invalid_billing_query", "limit"],
        ["limit=101", "invalid_billing_query", "limit"],
        ["status=paid", "invalid_billing_query", "status"],
        ["kind=cash", "invalid_billing_query", "kind"],
        ["starting_after=nonsense", "invalid_cursor", "starting_after"]
      ]) {
        const refused = yield* get(`/v1/billing/packages?${query}`, { key })
        assert.deepStrictEqual([...refusal(refused), refused.body.error.param], [400, code, param])
      }
    })
  )

  it.effect("needs its scope, and stays open under a credit block C-PKG-11 (gaps-3 A Credit block)", () =>
    Effect.gen(function* () {
      const { organization_id, production } = yield* seedTenant("blocked", 0)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update organizations set credit_blocked = true where id = ${organization_id}`
      const { key: reader } = yield* seedKey(production, { scopes: ["billing:read"] })
      assert.deepStrictEqual(refusal(yield* buy(reader)), [403, "insufficient_scope"])
      const { key: writer } = yield* seedKey(production, { scopes: ["billing:write"] })
      const { get } = yield* Api
      assert.deepStrictEqual(refusal(yield* get("/v1/billing/packages", { key: writer })), [403, "insufficient_scope"])
      yield* saveCard(writer, "pm_card_ok")
      assert.strictEqual((yield* buy(writer)).status, 201)
    })
  )

  it.effect(
    "a sandbox buys on its own account with its own cards, without any call (gaps-3 A Sandbox card fixtures)",
    () =>
      Effect.gen(function* () {
        const { organization_id, production, sandbox } = yield* seedTenant("playing", 0)
        const { log } = yield* Cardproc
        const calls = log.read(0, null).length
        const refused = yield* saveCard(sandbox.key, "pm_card_ok")
        assert.deepStrictEqual(
          [...refusal(refused), refused.body.error.param],
          [400, "invalid_billing_request", "cardproc_payment_method_id"]
        )
        const cards = new Map<string, string>()
        for (const card of ["sbpm_ok", "sbpm_declined", "sbpm_authentication"]) {
          cards.set(card, (yield* saveCard(sandbox.key, card)).body.id)
        }
        const bought = yield* buy(sandbox.key)
        assert.strictEqual(bought.body.status, "succeeded")
        const declined = yield* buy(sandbox.key, { payment_method_id: cards.get("sbpm_declined") })
        assert.deepStrictEqual(refusal(declined), [402, "card_declined"])
        const waiting = yield* buy(sandbox.key, { payment_method_id: cards.get("sbpm_authentication") })
        assert.strictEqual(waiting.body.status, "pending")
        assert.isString(waiting.body.cardproc_client_secret)
        yield* turnBy(999)
        assert.deepInclude(yield* topupOf(sandbox.key, waiting.body.id), { status: "pending" })
        yield* turnBy(1)
        assert.deepInclude(yield* topupOf(sandbox.key, waiting.body.id), { status: "succeeded" })
        // The processor is still asked about charges of the tests before.
        const asked = JSON.stringify(log.read(0, null).slice(calls))
        for (const name of ["sbpm_", bought.body.id, waiting.body.id]) assert.notInclude(asked, name)
        const { get } = yield* Api
        assert.deepStrictEqual((yield* get("/v1/billing/packages", { key: production.key })).body.data, [])
        assert.strictEqual((yield* walletOf({ id: organization_id })).balance, 0)
        const { body } = yield* get("/v1/billing/ledger?environment=sandbox", { key: sandbox.key })
        assert.deepStrictEqual(
          body.data.map((entry: { type: string; environment: string; trace_id: null }) => [
            entry.type,
            entry.environment,
            entry.trace_id
          ]),
          [
            ["credit", "sandbox", null],
            ["credit", "sandbox", null]
          ]
        )
      })
  )
})

const idsOf = (body: { readonly data: ReadonlyArray<{ readonly id: string }> }) => body.data.map(({ id }) => id)

/** Has a charge looked at, as a webhook does. */
const tell = Effect.fnUntraced(function* (id: string) {
  const { webhooks } = yield* Cardproc
  const { baseUrl } = yield* Api
  webhooks.aim(`${baseUrl}/webhooks/cardproc`)
  const { log } = yield* Cardproc
  const told = log.read(0, "webhook").length
  webhooks.tell("payment_intent.updated", { id: `pi_${id}`, external_id: id, status: "succeeded" })
  while (log.read(0, "webhook").length === told) yield* Effect.promise(() => new Promise(setImmediate))
  yield* turnBy(2000)
})

it.layer(bareProduct, { excludeTestServices: true })("Without a card processor", (it) => {
  it.effect(
    "cards and purchases are 503 without a processor, and charge nothing (gaps-3 G Provider selected but setting missing)",
    () =>
      Effect.gen(function* () {
        const { acme, get, post } = yield* Api
        const { key } = acme.production
        for (const answered of [
          yield* buy(key),
          yield* saveCard(key, "pm_card_ok"),
          yield* post("/v1/billing/payment-methods/setup-intent", undefined, { key })
        ]) {
          assert.deepStrictEqual(refusal(answered), [503, "billing_provider_not_configured"])
          assert.strictEqual(answered.body.error.type, "internal_error")
        }
        const unset = yield* post("/webhooks/cardproc", {})
        assert.deepStrictEqual(refusal(unset), [503, "provider_webhook_not_configured"])
        assert.deepStrictEqual((yield* get("/v1/billing/packages", { key })).body.data, [])
      })
  )
})
