import { Ids } from "@carteiro/owners/Ids.ts"
import { verificationCodeOf } from "@carteiro/runtime/provider-connections/numprov/VerificationCode.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { providerSignature, tellSigned } from "../support/ProviderSignature.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const path = "/webhooks/numprov/platform"
const secret = "numprov-secret"

it("the code of a text message is found, and other digits are not taken for one", () => {
  const codes: ReadonlyArray<readonly [string, string | undefined]> = [
    ["Your code is 123456.", "123456"],
    ["123-456 is your code", "123456"],
    ["Seu código: 123 456", "123456"],
    ["code:654321", "654321"],
    ["<#> 4321 abcdefgh", "4321"],
    ["Call +5511912345678", undefined],
    ["R$ 1234,56 on 12/11/2026 at 10:22", undefined],
    ["123456789", undefined],
    ["", undefined]
  ]
  for (const [text, code] of codes) assert.strictEqual(verificationCodeOf(text), code, text)
})

const event = (id: string, type: string, data: object) =>
  JSON.stringify({ id, type, created_at: "2026-01-01T00:00:00Z", data })

let made = 0

/** A rented number in setup, and its order, which its owner handles in an hour. */
const stage = Effect.gen(function* () {
  const { acme, get } = yield* Api
  const sql = yield* SqlClient.SqlClient
  const ids = yield* Ids
  const now = yield* Clock.currentTimeMillis
  const at = new Date(now)
  const inAnHour = new Date(now + 3_600_000)
  const number = { id: ids.mint("pn", now), number_id: `num_${++made}`, phone: `+55119${70_000_000 + made}` }
  const order = ids.mint("pno", now)
  const { id: environment_id, key, organization_id, project_id } = acme.production
  yield* sql`insert into phone_numbers (environment_id, id, environment, source, status, phone, ddd, provider_number_id,
      created_at, updated_at)
    values (${environment_id}, ${number.id}, 'production', 'numprov', 'verifying', ${number.phone}, '11',
      ${number.number_id}, ${at}, ${at})`
  yield* sql`insert into phone_number_orders (environment_id, id, organization_id, project_id, environment, decision, ddd,
      amount, monthly_fee, terms_version, phone_number_id, decided_at, expires_at, due_at, created_at)
    values (${environment_id}, ${order}, ${organization_id}, ${project_id}, 'production', 'approved', '11', 0, 0,
      'phone_rental_v1', ${number.id}, ${at}, ${inAnHour}, ${inAnHour}, ${at})`
  const tell = (body: string) => tellSigned(path, body, secret)
  return {
    number,
    order,
    tell,
    sms: (id: string, text: string, more: object = {}) =>
      tell(event(id, "sms.received", { number_id: number.number_id, from: "+1555", to: number.phone, text, ...more })),
    read: Effect.map(get(`/v1/phone-numbers/${number.id}`, { key }), ({ body }) => body),
    isHastened: Effect.map(
      sql<{ readonly due_at: number | null }>`select due_at from phone_number_orders where id = ${order}`,
      ([row]) => row?.due_at !== inAnHour.getTime()
    )
  }
})

const settings = { CARTEIRO_NUMPROV_WEBHOOK_SECRET: secret }

it.layer(WholeProduct({ settings, sweeps: false }), { excludeTestServices: true })(
  "A notice of the number provider",
  (it) => {
    it.effect("about a text message sets the code of its number for ten minutes M-PHN-20", () =>
      Effect.gen(function* () {
        const { isHastened, read, sms } = yield* stage
        const told = yield* sms("evt_code", "Your code is 123-456")
        assert.deepStrictEqual([told.status, told.body.received], [200, true])
        assert.isString(told.body.trace_id)
        yield* quiesce
        const shown = yield* read
        assert.strictEqual(shown.verification_code, "123456")
        assert.isNotNull(shown.verification_code_received_at)
        assert.isTrue(yield* isHastened)
        yield* turnBy(10 * 60_000)
        const later = yield* read
        assert.deepStrictEqual([later.verification_code, later.verification_code_received_at], [null, null])
      })
    )

    it.effect("is handled once, and for its own number only", () =>
      Effect.gen(function* () {
        const { number, read, sms } = yield* stage
        yield* sms("evt_other", "code 111111", { to: "+5511900000000" })
        yield* sms("evt_none", "hello there")
        yield* quiesce
        assert.isNull((yield* read).verification_code)
        yield* sms("evt_twice", "code 222222")
        yield* sms("evt_twice", "code 333333")
        yield* quiesce
        assert.strictEqual((yield* read).verification_code, "222222")
        const sql = yield* SqlClient.SqlClient
        yield* sql`update phone_numbers set status = 'active' where id = ${number.id}`
        yield* sms("evt_active", "code 444444")
        yield* quiesce
        assert.strictEqual((yield* read).verification_code, "222222")
      })
    )

    it.effect("may arrive before the number is known here", () =>
      Effect.gen(function* () {
        const { number, read, sms } = yield* stage
        const sql = yield* SqlClient.SqlClient
        yield* sql`update phone_numbers set provider_number_id = null where id = ${number.id}`
        yield* sms("evt_early", "code 555555")
        yield* quiesce
        assert.isNull((yield* read).verification_code)
        yield* sql`update phone_numbers set provider_number_id = ${number.number_id} where id = ${number.id}`
        yield* turnBy(1000)
        assert.strictEqual((yield* read).verification_code, "555555")
      })
    )

    it.effect('about an order makes its owner act now gaps-2 K "Number provider calls"', () =>
      Effect.gen(function* () {
        for (const named of ["order", "number"] as const) {
          const { isHastened, number, order, tell } = yield* stage
          const external_id = named === "order" ? order : number.id
          yield* tell(event(`evt_${named}`, "order.updated", { id: "ord_1", external_id, status: "active" }))
          yield* quiesce
          assert.isTrue(yield* isHastened)
        }
      })
    )

    it.effect("is accepted only with a valid signature; a notice without content is stored", () =>
      Effect.gen(function* () {
        const { post } = yield* Api
        const { tell } = yield* stage
        const body = event("evt_forged", "order.updated", {})
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        for (const [to, signature] of [
          [path, undefined],
          [path, providerSignature(body, "another", now)],
          [path, providerSignature(body, secret, now - 301)],
          ["/webhooks/numprov/npc_01kah7v3m8q6x2r9d4t5w0y1z3", providerSignature(body, secret, now)]
        ] as const) {
          const answer = yield* post(to, body, {
            headers: signature === undefined ? {} : { "x-provider-signature": signature }
          })
          assert.deepStrictEqual([answer.status, answer.body.error?.code], [401, "provider_webhook_signature_invalid"])
        }
        for (const odd of [
          "",
          "[]",
          "null",
          '{"type":"sms.received"}',
          event("evt_odd", "sms.received", { text: 1 })
        ]) {
          assert.strictEqual((yield* tell(odd)).status, 200)
        }
        yield* quiesce
      })
    )
  }
)

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })(
  "Without a secret of our own account",
  (it) => {
    it.effect('no notice is accepted gaps-3 G "Inbound provider webhooks"', () =>
      Effect.gen(function* () {
        const answer = yield* tellSigned(path, "{}", secret)
        assert.deepStrictEqual([answer.status, answer.body.error.code], [503, "provider_webhook_not_configured"])
      })
    )
  }
)
