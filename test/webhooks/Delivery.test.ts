import { verifyWebhook } from "@carteiro/receiver/verify.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { attemptsOf, DeliveryTest, raise, receiver, register } from "./Deliveries.ts"

it.layer(DeliveryTest, { excludeTestServices: true })("deliveries", (it) => {
  it.effect("an event reaches a subscribed endpoint, signed over its raw bytes A-SIG-01..11", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("signed")
      const { url, received } = yield* receiver()
      const endpoint = yield* register(sandbox, url)
      yield* raise(sandbox)
      yield* turnBy(0)
      assert.strictEqual(received.length, 1)
      const [request] = received
      const result = verifyWebhook({
        headers: request?.headers ?? {},
        rawBody: request?.rawBody ?? Buffer.alloc(0),
        secrets: [endpoint.signing_secret],
        nowSeconds: Date.parse("2026-01-01T00:00:00Z") / 1000
      })
      assert.isTrue(result.verified)
      const [attempt] = yield* attemptsOf(endpoint.id)
      assert.deepInclude(attempt, { status: "succeeded", status_code: 200, response_body_redacted: "body" })
    })
  )
})
