import { createHmac } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { Cardproc, cardprocSecret } from "../support/Cardproc.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { buy, cardProduct, creditsOf, saveCard, topupOf } from "./CardStage.ts"

const path = "/webhooks/cardproc"

/** `t` and `v1` of a body, as of an instant in epoch seconds. */
const signed = (body: string | Uint8Array, t: number, secret = cardprocSecret) =>
  `t=${t},v1=${createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex")}`

const seconds = Effect.map(Clock.currentTimeMillis, (now) => Math.floor(now / 1000))

const event = (id: string, external_id: string, more: object = {}) =>
  JSON.stringify({
    id,
    type: "payment_intent.succeeded",
    created_at: "2026-01-01T00:00:00Z",
    data: { id: `pi_${external_id}`, external_id, status: "succeeded", ...more }
  })

const tell = Effect.fnUntraced(function* (body: string, header?: string) {
  const { post } = yield* Api
  const signature = header ?? signed(body, yield* seconds)
  return yield* post(path, body, { headers: { "x-provider-signature": signature } })
})

const stored = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.orDie(Effect.map(sql`select 1 from vendor_webhooks where vendor = 'cardproc'`, (rows) => rows.length))
)

/** Calls that asked the processor how a charge stands. */
const looks = (id: string) =>
  Effect.map(Cardproc, ({ log }) => log.read(0, "charge_status").filter(({ external_id }) => external_id === id).length)

it.layer(cardProduct, { excludeTestServices: true })("The receiver of the card processor", (it) => {
  it.effect(
    "refuses what is not signed, forged, stale or too large, and stores nothing (gaps-3 G Inbound provider webhooks)",
    () =>
      Effect.gen(function* () {
        const { post } = yield* Api
        const before = yield* stored
        const body = event("evt_1", "ctu_1")
        const now = yield* seconds
        const v1 = signed(body, now).split("v1=")[1] ?? ""
        const headers = [
          "",
          "nonsense",
          `v1=${v1}`,
          `t=${now}`,
          `t=${now},v1=`,
          `t=${now},v1=${v1.toUpperCase()}`,
          `t=${now},v1=${"0".repeat(64)}`,
          `t=${now + 1},v1=${v1}`,
          `t=${now},t=${now + 1},v1=${v1}`,
          `t=${now},v0=${v1}`,
          signed(body, now, "another secret"),
          signed(`${body} `, now),
          signed(body, now - 301),
          signed(body, now + 301),
          `${signed(body, now)},${"v1=0,".repeat(1000)}`
        ]
        for (const header of headers) {
          const refused = yield* tell(body, header)
          assert.deepStrictEqual(
            [refused.status, refused.body.error.code, refused.body.error.type],
            [401, "provider_webhook_signature_invalid", "authentication_error"],
            header.slice(0, 80)
          )
        }
        assert.strictEqual((yield* post(path, body)).status, 401)
        const large = "x".repeat(1024 * 1024 + 1)
        const tooLarge = yield* tell(large)
        assert.deepStrictEqual([tooLarge.status, tooLarge.body.error.code], [413, "payload_too_large"])
        assert.strictEqual(yield* stored, before)
      })
  )

  it.effect("stores a signed body once, however often it arrives (gaps-3 G Inbound provider webhooks)", () =>
    Effect.gen(function* () {
      const before = yield* stored
      const now = yield* seconds
      const body = event("evt_2", "ctu_nobodys")
      const other = `v1=${"0".repeat(64)}`
      for (const header of [signed(body, now), signed(body, now - 299), `${signed(body, now)},${other}`]) {
        const taken = yield* tell(body, header)
        assert.deepStrictEqual([taken.status, taken.body.received], [200, true])
        assert.isString(taken.body.trace_id)
      }
      assert.strictEqual(yield* stored, before + 1)
      for (const strange of ["{}", "[]", "not JSON", '{"id":7,"data":null}', event("evt_3", "")]) {
        assert.strictEqual((yield* tell(strange)).status, 200, strange)
      }
    })
  )

  it.effect("is a hint: the processor's own answer decides, not the webhook (gaps-3 G Trust in webhook content)", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("hinted", 0)
      const { charges } = yield* Cardproc
      yield* saveCard(production.key, "pm_card_authentication")
      const { body } = yield* buy(production.key)
      const before = yield* looks(body.id)
      yield* tell(event("evt_4", body.id, { amount_centavos: 1, status: "succeeded" }))
      yield* turnBy(10)
      assert.isAbove(yield* looks(body.id), before)
      assert.deepInclude(yield* topupOf(production.key, body.id), { status: "pending" })
      charges.authenticate(body.cardproc_client_secret, true)
      // Out of order, and about what is over.
      yield* tell(event("evt_6", body.id, { status: "requires_action" }))
      yield* tell(event("evt_5", body.id, { status: "failed" }))
      yield* turnBy(10)
      assert.deepInclude(yield* topupOf(production.key, body.id), { status: "succeeded" })
      yield* tell(event("evt_7", body.id, { status: "succeeded" }))
      yield* turnBy(10)
      assert.lengthOf(yield* creditsOf(body.id), 1)
    })
  )

  it.effect("moves only the account of the charge (gaps-3 G Trust in webhook content)", () =>
    Effect.gen(function* () {
      const mine = yield* seedTenant("mine", 0)
      const theirs = yield* seedTenant("theirs", 0)
      const { charges } = yield* Cardproc
      yield* saveCard(mine.production.key, "pm_card_authentication")
      yield* saveCard(theirs.production.key, "pm_card_authentication")
      const { body: own } = yield* buy(mine.production.key)
      const { body: foreign } = yield* buy(theirs.production.key)
      charges.authenticate(foreign.cardproc_client_secret, true)
      // The charge of one, told as the other's.
      yield* tell(event("evt_8", own.id, { id: `pi_${foreign.id}` }))
      yield* turnBy(10)
      assert.deepInclude(yield* topupOf(mine.production.key, own.id), { status: "pending" })
      assert.deepStrictEqual(yield* creditsOf(own.id), [])
      yield* turnBy(2000)
      assert.deepInclude(yield* topupOf(theirs.production.key, foreign.id), { status: "succeeded" })
    })
  )

  it.effect("duplicate, reordered, late, lost and badly signed calls of the processor end in one credit", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("troubled", 0)
      const { baseUrl } = yield* Api
      const { charges, faults, webhooks } = yield* Cardproc
      webhooks.aim(`${baseUrl}${path}`)
      yield* saveCard(production.key, "pm_card_authentication")
      for (const name of [
        "duplicate_webhook",
        "reorder_webhooks",
        "lost_webhook",
        "bad_signature",
        "stale_webhook",
        "delay_webhook"
      ]) {
        faults.set([{ name, operation: "webhook", times: 2, value: 1 }], 1)
        const { body } = yield* buy(production.key)
        charges.authenticate(body.cardproc_client_secret, true)
        yield* turnBy(5000)
        assert.deepInclude(yield* topupOf(production.key, body.id), { status: "succeeded" }, name)
        assert.lengthOf(yield* creditsOf(body.id), 1)
      }
      faults.set([], 1)
    })
  )
})
