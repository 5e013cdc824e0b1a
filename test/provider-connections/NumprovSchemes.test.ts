import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { Ids } from "@carteiro/owners/Ids.ts"
import { NumprovWebhooks } from "@carteiro/provider/NumberProvider.ts"
import { telnyxWebhooks } from "@carteiro/provider-telnyx/TelnyxWebhooks.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { quiesce } from "../support/OwnerTest.ts"
import { tellSigned } from "../support/ProviderSignature.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

/** A key pair of the provider's, its public half as the secret of the settings. */
const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const { x = "" } = publicKey.export({ format: "jwk" })
  return { privateKey, secret: Buffer.from(x, "base64url").toString("base64") }
}

const [present, next, stranger] = [pair(), pair(), pair()]

const settings = {
  CARTEIRO_NUMPROV_BYOK_ENABLED: "true",
  CARTEIRO_NUMPROV_WEBHOOK_SECRET: present.secret,
  CARTEIRO_NUMPROV_WEBHOOK_SECRET_SECOND: next.secret
}

const path = "/webhooks/numprov/platform"

/** Posts a body as the provider does, signed now. */
const tell = Effect.fnUntraced(function* (body: string, privateKey: KeyObject) {
  const { post } = yield* Api
  const timestamp = String(Math.floor((yield* Clock.currentTimeMillis) / 1000))
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), privateKey).toString("base64")
  return yield* post(path, body, {
    headers: { "telnyx-timestamp": timestamp, "telnyx-signature-ed25519": signature }
  })
})

let made = 0

/** A rented number in setup, whose id at the provider is its phone. */
const stage = Effect.gen(function* () {
  const { acme, get } = yield* Api
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("pn", now)
  const phone = `+55119${80_000_000 + ++made}`
  const { id: environment_id, key } = acme.production
  yield* sql`insert into phone_numbers (environment_id, id, environment, source, status, phone, ddd, provider_number_id,
      created_at, updated_at)
    values (${environment_id}, ${id}, 'production', 'numprov', 'verifying', ${phone}, '11', ${phone},
      ${new Date(now)}, ${new Date(now)})`
  const sms = (event: string, text: string) =>
    JSON.stringify({
      data: {
        event_type: "message.received",
        id: event,
        occurred_at: "2026-01-01T00:00:00Z",
        payload: { from: { phone_number: "+1555" }, to: [{ phone_number: phone }], text },
        record_type: "event"
      },
      meta: { attempt: 1 }
    })
  return { sms, read: Effect.map(get(`/v1/phone-numbers/${id}`, { key }), ({ body }) => body.verification_code) }
})

it.layer(WholeProduct({ settings, sweeps: false, vendors: Layer.succeed(NumprovWebhooks, telnyxWebhooks) }), {
  excludeTestServices: true
})("A notice of a number provider with a signature scheme of its own", (it) => {
  it.effect("brings the code of a number, under either key while one is rotated, and once M-PHN-20", () =>
    Effect.gen(function* () {
      for (const { privateKey } of [present, next]) {
        const { read, sms } = yield* stage
        const event = `evt_${made}`
        assert.deepStrictEqual((yield* tell(sms(event, "code 123-456"), privateKey)).status, 200)
        yield* tell(sms(event, "code 654321"), privateKey)
        yield* quiesce
        assert.strictEqual(yield* read, "123456")
      }
    })
  )

  it.effect(
    'is refused under another key, and under the bridge\'s signature gaps-3 G "Inbound provider webhooks"',
    () =>
      Effect.gen(function* () {
        const { read, sms } = yield* stage
        const body = sms("evt_refused", "code 123456")
        const refused = yield* tell(body, stranger.privateKey)
        assert.deepStrictEqual([refused.status, refused.body.error.code], [401, "provider_webhook_signature_invalid"])
        assert.strictEqual((yield* tellSigned(path, body, present.secret)).status, 401)
        yield* quiesce
        assert.isNull(yield* read)
      })
  )

  it.effect("a secret that verifies nothing is refused when an account is connected or its key replaced M-IMP-17", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { key } = acme.production
      const account = { display_name: "Ours", account_id: "acc_1", api_key: "key-of-ours" }
      const connect = (webhook_secret: string) =>
        post(
          "/v1/provider-connections/numprov",
          { ...account, webhook_secret },
          { key, headers: { "idempotency-key": webhook_secret } }
        )
      const refused = yield* connect("a secret")
      assert.deepStrictEqual(
        [refused.status, refused.body.error.param, refused.body.error.message],
        [400, "webhook_secret", "webhook_secret: expected the account's public key, 32 bytes in base64."]
      )
      const { body, status } = yield* connect(stranger.secret)
      assert.strictEqual(status, 202)
      const rotate = `/v1/provider-connections/numprov/${body.id}/rotate`
      const rotated = yield* post(
        rotate,
        { api_key: "key-of-ours", webhook_secret: "a secret" },
        { key, headers: { "idempotency-key": "rotate" } }
      )
      assert.deepStrictEqual([rotated.status, rotated.body.error.param], [400, "webhook_secret"])
    })
  )
})
