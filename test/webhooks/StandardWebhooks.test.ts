import { verifyWebhook } from "@carteiro/receiver/verify.ts"
import { isSensitiveKey, redactText, replacement } from "@carteiro/runtime/telemetry/Redaction.ts"
import { WebhookEndpointEntity } from "@carteiro/runtime/webhooks/owner/WebhookEndpointEntity.ts"
import type { WebhookEndpointWithSecret } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook } from "standardwebhooks"
import { vi } from "vitest"
import { Api } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { type Received, raise, receiver, register, WebhooksTest } from "./Deliveries.ts"

const path = "/v1/webhook-endpoints"
const shape = /^whsec_[A-Za-z0-9+/]{43}=$/
const day = 24 * 3_600_000

/**
 * The public library's verdict on a received request: it compares with the machine's clock, which is set to the test's.
 */
const judge = ({ headers, rawBody }: Received, secret: string): string => {
  vi.setSystemTime(Number(headers["webhook-timestamp"]) * 1000)
  try {
    const event = new Webhook(secret).verify(rawBody, headers as Record<string, string>) as { readonly id: string }
    return event.id === headers["webhook-id"] ? "verified" : "another event"
  } catch (error) {
    return String((error as Error).message)
  } finally {
    vi.useRealTimers()
  }
}

const signaturesOf = ({ headers }: Received) => String(headers["webhook-signature"]).split(" ")

const rotate = Effect.fnUntraced(function* (environmentId: string, id: string) {
  const owners = yield* WebhookEndpointEntity.client
  const answer = yield* owners.RotateSecret(id, { environment_id: environmentId, trace_id: "0", claim: undefined })
  return JSON.parse(answer.body) as WebhookEndpointWithSecret
})

/** One more delivered event. */
const next = Effect.fnUntraced(function* (
  sandbox: { readonly id: string; readonly kind: "sandbox" | "production" },
  received: ReadonlyArray<Received>
) {
  yield* raise(sandbox)
  yield* quiesce
  return received.at(-1) as Received
})

it.layer(WebhooksTest, { excludeTestServices: true })("Standard Webhooks", (it) => {
  it.effect("the public library verifies a delivery, beside the contract's own headers A-SIG-07 (gaps-1 J)", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("library")
      const { url, received } = yield* receiver()
      const endpoint = yield* register(sandbox, url)
      const request = yield* next(sandbox, received)
      const { headers, rawBody } = request
      assert.match(endpoint.standard_webhooks_secret, shape)
      assert.strictEqual(judge(request, endpoint.standard_webhooks_secret), "verified")
      assert.strictEqual(
        judge({ ...request, rawBody: Buffer.from(`${rawBody} `) }, endpoint.standard_webhooks_secret),
        "No matching signature found"
      )
      assert.strictEqual(headers["webhook-id"], headers["svc-webhook-id"])
      assert.strictEqual(headers["webhook-timestamp"], headers["svc-webhook-timestamp"])
      assert.match(String(headers["webhook-signature"]), /^v1,[A-Za-z0-9+/]{43}=$/)
      const nowSeconds = (yield* Clock.currentTimeMillis) / 1000
      assert.isTrue(verifyWebhook({ headers, rawBody, secrets: [endpoint.signing_secret], nowSeconds }).verified)
    })
  )

  it.effect(
    "for 24 hours after a rotation both secrets verify, newest first, and then the new one alone (gaps-1 J)",
    () =>
      Effect.gen(function* () {
        const { sandbox } = yield* seedTenant("overlap")
        const { url, received } = yield* receiver()
        const before = yield* register(sandbox, url)
        const after = yield* rotate(sandbox.id, before.id)
        assert.match(after.standard_webhooks_secret, shape)
        assert.notStrictEqual(after.standard_webhooks_secret, before.standard_webhooks_secret)
        const [old, fresh] = [before.standard_webhooks_secret, after.standard_webhooks_secret]
        const rotatedAt = yield* Clock.currentTimeMillis
        const during = yield* next(sandbox, received)
        assert.strictEqual(judge(during, old), "verified")
        const [first = "", second = ""] = signaturesOf(during)
        const only = (signature: string) => ({
          ...during,
          headers: { ...during.headers, "webhook-signature": signature }
        })
        assert.strictEqual(judge(only(first), fresh), "verified")
        assert.strictEqual(judge(only(second), old), "verified")
        // The contract's own header has no overlap.
        const { headers, rawBody } = during
        const contract = (secret: string) =>
          verifyWebhook({ headers, rawBody, secrets: [secret], nowSeconds: rotatedAt / 1000 }).verified
        assert.deepStrictEqual([contract(before.signing_secret), contract(after.signing_secret)], [false, true])

        yield* turnBy(rotatedAt + day - 1 - (yield* Clock.currentTimeMillis))
        assert.strictEqual(judge(yield* next(sandbox, received), old), "verified")
        yield* turnBy(1)
        const later = yield* next(sandbox, received)
        assert.strictEqual(signaturesOf(later).length, 1)
        assert.strictEqual(judge(later, old), "No matching signature found")
        assert.strictEqual(judge(later, fresh), "verified")
      })
  )

  it.effect("a second rotation within the day ends the first secret: at most two sign (gaps-1 J)", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("twice-rotated")
      const { url, received } = yield* receiver()
      const first = yield* register(sandbox, url)
      const second = yield* rotate(sandbox.id, first.id)
      const third = yield* rotate(sandbox.id, first.id)
      const request = yield* next(sandbox, received)
      assert.deepStrictEqual(
        [third, second, first].map(({ standard_webhooks_secret }) => judge(request, standard_webhooks_secret)),
        ["verified", "verified", "No matching signature found"]
      )
    })
  )

  it.effect(
    "an endpoint of an earlier release signs with its own new secret, which its rotation shows (gaps-1 J)",
    () =>
      Effect.gen(function* () {
        const { sandbox } = yield* seedTenant("earlier")
        const { url, received } = yield* receiver()
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* register(sandbox, url)
        const stored = sql<{ readonly sealed: Uint8Array | null }>`select standard_webhooks_secret as sealed
        from webhook_endpoints where id = ${id}`
        yield* sql`update webhook_endpoints set standard_webhooks_secret = null where id = ${id}`
        const early = yield* next(sandbox, received)
        assert.strictEqual(signaturesOf(early).length, 1)
        const [given] = yield* stored
        assert.isNotNull(given?.sealed)
        const { standard_webhooks_secret } = yield* rotate(sandbox.id, id)
        const request = yield* next(sandbox, received)
        assert.strictEqual(judge(request, standard_webhooks_secret), "verified")
        assert.strictEqual(signaturesOf(request).length, 2)
      })
  )

  it.effect("the secret and the one before a rotation are encrypted at rest (gaps-1 J)", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("sealed")
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* register(sandbox, "https://203.0.113.7/hook")
      const rotated = yield* rotate(sandbox.id, endpoint.id)
      const [row] = yield* sql<{ readonly text: string }>`select
        encode(standard_webhooks_secret || previous_standard_webhooks_secret, 'escape') as text
        from webhook_endpoints where id = ${endpoint.id}`
      for (const { standard_webhooks_secret: secret } of [endpoint, rotated]) {
        assert.notInclude(row?.text, secret)
        const bytes = Buffer.from(secret.slice(6), "base64").toString("hex")
        assert.strictEqual(bytes.length, 64)
      }
    })
  )

  it.effect("create and rotation return and replay the secret; reads never show it A-WHE-14 A-WHE-35 (gaps-1 B)", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { key } = (yield* seedTenant("replayed")).sandbox
      const body = { url: "https://203.0.114.7/hook", subscribed_events: ["message.received"] }
      const made = yield* api.post(path, body, { key, idempotencyKey: "made" })
      assert.match(made.body.standard_webhooks_secret, shape)
      assert.strictEqual((yield* api.post(path, body, { key, idempotencyKey: "made" })).text, made.text)
      const at = `${path}/${made.body.id}`
      const rotated = yield* api.post(`${at}/rotate-secret`, undefined, { key, idempotencyKey: "rotated" })
      assert.match(rotated.body.standard_webhooks_secret, shape)
      const again = yield* api.post(`${at}/rotate-secret`, undefined, { key, idempotencyKey: "rotated" })
      assert.strictEqual(again.text, rotated.text)
      for (const answer of [
        yield* api.get(at, { key }),
        yield* api.get(path, { key }),
        yield* api.patch(at, { description: "x" }, { key })
      ]) {
        assert.notInclude(answer.text, "whsec_")
        assert.notInclude(answer.text, "standard_webhooks_secret")
      }
    })
  )

  it.effect("logs and feedback show neither the member nor its text (gaps-1 H)", () =>
    Effect.sync(() => {
      assert.isTrue(isSensitiveKey("standard_webhooks_secret"))
      assert.isTrue(isSensitiveKey("webhook-signature"))
      const secret = `whsec_${Buffer.alloc(32, 0xfb).toString("base64")}`
      assert.strictEqual(redactText(`uses ${secret}.`).text, `uses ${replacement}.`)
    })
  )
})
