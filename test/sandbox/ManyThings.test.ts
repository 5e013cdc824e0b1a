import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Outbound } from "@carteiro/outbound/Outbound.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { noNames } from "../support/Vendors.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const receivers = new Set<string>()
const outgoing = Outbound.layer({ allowlist: receivers }).pipe(Layer.provide(noNames))
// `THINGS=1000 npm test -- test/sandbox/ManyThings.test.ts` prints what a year over a thousand of them takes.
const things = Number(process.env.THINGS ?? 60)
/** After how many seconds each of them expires. */
const spans = Array.from({ length: things }, (_, n) => 3600 + n * 600)
const day = 86_400

/** A receiver that answers at once, and how many deliveries it has had. */
const receiver = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly seen: { count: number }; readonly close: () => void }>((resume) => {
    const seen = { count: 0 }
    const server = createServer((request, response) => {
      seen.count++
      request.resume().on("end", () => response.writeHead(204).end())
    })
    server.listen(0, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      receivers.add(url)
      const close = () => {
        server.close()
        server.closeAllConnections()
      }
      resume(Effect.succeed({ url, seen, close }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

it.layer(WholeProduct({ clock: "live", outgoing }), { excludeTestServices: true })(
  "A sandbox full of open things",
  (it) => {
    it.effect(
      "goes a year ahead in one call: each payment expires at its own instant, and its event is delivered once",
      () =>
        Effect.gen(function* () {
          const api = yield* Api
          const { sandbox } = yield* seedProject(api.acme.organization_id, "full")
          const { key } = sandbox
          const { seen, url } = yield* receiver
          const endpoint = { url: `${url}/in`, subscribed_events: ["payment.expired"] }
          const made = yield* api.post("/v1/webhook-endpoints", endpoint, { key })
          assert.strictEqual(made.status, 201, made.text)
          const asked = yield* Effect.forEach(
            spans,
            (expires_in_seconds) =>
              api.post(
                "/v1/payments",
                { amount_brl_centavos: 5000, provider_options: { pixprov1: { expires_in_seconds } } },
                { key }
              ),
            { concurrency: 20 }
          )
          for (const { status, text } of asked) assert.strictEqual(status, 201, text)
          const began = yield* Clock.currentTimeMillis
          const { body } = yield* api.post("/v1/sandbox/clock/advance", { by_seconds: 365 * day }, { key })
          const path = `/v1/sandbox/clock/advances/${body.id}`
          yield* until(Effect.map(api.get(path, { key }), (read) => read.body.status !== "running"))
          const ended = (yield* api.get(path, { key })).body
          const tookMs = (yield* Clock.currentTimeMillis) - began
          yield* Effect.logInfo(`${things} payments in ${tookMs} ms and ${ended.steps} steps`)
          assert.deepStrictEqual([ended.status, ended.error], ["settled", null])
          assert.strictEqual(seen.count, things)
          // The months of the account and the clean-up behind the payments have instants of their own.
          assert.isAtMost(ended.steps, things + 60)
          const expired = yield* api.get("/v1/payments?status=expired&limit=100", { key })
          for (const { created_at, expired_at } of expired.body.data) {
            assert.include(spans, (Date.parse(expired_at) - Date.parse(created_at)) / 1000)
          }
        }).pipe(Effect.scoped),
      60_000 + things * 300
    )
  }
)
