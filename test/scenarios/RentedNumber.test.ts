import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startNumprov } from "@carteiro/simulators/numprov/Simulator.ts"
import { startUpstream } from "@carteiro/simulators/upstream/Simulator.ts"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { violations } from "../billing/Accounts.ts"
import { signedIn } from "../console/Visitor.ts"
import { orderStage } from "../phone-orders/Orders.ts"
import { until } from "../support/Until.ts"
import { account, customer } from "../support/Upstream.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

/** The number provider and the chat platform; text messages of the one come in at the other. */
class Vendors extends Context.Service<Vendors, Effect.Success<typeof vendors>>()("@carteiro/test/scenarios/Vendors") {}

const vendors = Effect.acquireRelease(
  Effect.promise(async () => {
    const numprov = await startNumprov({ apiKey: "ours", webhookSecret: "secret", workMs: 50, now: vendorClock })
    const upstream = await startUpstream({
      now: vendorClock,
      appId: "app",
      appSecret: account.app_secret,
      verifyToken: account.verify_token,
      statusUnitMs: 0,
      reviewMs: 0,
      sms: (to, text) => void numprov.inventory.sms(to, text)
    })
    upstream.world.add({
      ...account,
      templates: [],
      numbers: [{ id: account.phone_number_id, display_phone_number: "+1" }]
    })
    return { numprov, upstream }
  }),
  ({ numprov, upstream }) => Effect.promise(() => Promise.all([numprov.close(), upstream.close()]))
)

const Renting = Layer.unwrap(
  Effect.map(vendors, (running) =>
    WholeProduct({
      clock: "live",
      settings: {
        CARTEIRO_UPSTREAM_API_BASE_URL: running.upstream.url,
        CARTEIRO_UPSTREAM_APP_ID: "app",
        CARTEIRO_UPSTREAM_APP_SECRET: account.app_secret,
        CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN: account.verify_token,
        CARTEIRO_NUMPROV_DRIVER: "bridge",
        CARTEIRO_NUMPROV_API_BASE_URL: running.numprov.url,
        CARTEIRO_NUMPROV_API_KEY: "ours",
        CARTEIRO_NUMPROV_WEBHOOK_SECRET: "secret"
      }
    }).pipe(Layer.provideMerge(Layer.succeed(Vendors, running)))
  )
)

it.layer(Renting, { excludeTestServices: true })("A rented number", (it) => {
  it.effect(
    "is ordered by a key, approved by its owner, sends and receives, and is returned; nothing is rented without a record M-ORD-12 M-ORD-17",
    () =>
      Effect.gen(function* () {
        const { api, production, tenant } = yield* orderStage()
        const { numprov, upstream } = yield* Vendors
        const { key } = tenant.production
        numprov.webhooks.aim(`${api.baseUrl}/webhooks/numprov/platform`)
        yield* Effect.promise(() => upstream.notices.subscribe(`${api.baseUrl}/webhooks/upstream`))
        const connected = yield* api.post(
          "/v1/provider-connections/upstream",
          {
            display_name: "Shop",
            biz_account_id: account.biz_account_id,
            phone_number_id: account.phone_number_id,
            access_token: account.token
          },
          { key, idempotencyKey: "connect" }
        )
        assert.strictEqual(connected.status, 201, connected.text)

        const made = yield* production.post("/orders", { ddd: "21", display_name: "Loja Aurora" })
        const someone = yield* signedIn(tenant)
        const page = `/dashboard/phone-orders/${made.body.id}`
        assert.strictEqual((yield* someone.submit(page, `${page}/approve`)).status, 303)
        const order = Effect.map(production.get(`/orders/${made.body.id}`), ({ body }) => body)
        yield* until(Effect.map(order, ({ status }) => status === "fulfilled" || status === "failed"))
        const { phone_number_id, status } = yield* order
        const read = Effect.map(production.get(`/${phone_number_id}`), ({ body }) => body)
        const number = yield* read
        assert.deepStrictEqual([status, number.status, number.error_code], ["fulfilled", "active", null])

        const inbound = { phone_number_id: number.upstream_phone_number_id, from: customer, text: { body: "oi" } }
        yield* Effect.promise(() => fetch(`${upstream.url}/inbound`, { method: "POST", body: JSON.stringify(inbound) }))
        const heard = Effect.map(
          api.get("/v1/messages?direction=inbound", { key }),
          ({ body }) => body.data.length === 1
        )
        yield* until(heard)
        const sent = yield* api.post(
          "/v1/messages",
          {
            channel: "chatapp",
            sender: { type: "chatapp_phone_number", id: phone_number_id },
            recipient: { type: "phone_e164", id: customer },
            message: { type: "text", text: { body: "Olá" } }
          },
          { key }
        )
        assert.strictEqual(sent.status, 202, sent.text)
        const message = Effect.map(api.get(`/v1/messages/${sent.body.id}`, { key }), ({ body }) => body)
        yield* until(Effect.map(message, (one) => one.status === "read" || one.status === "failed"))
        const one = yield* message
        assert.deepStrictEqual([one.status, one.error_code], ["read", null])

        assert.strictEqual((yield* production.post(`/${phone_number_id}/release`, { reason: "moved" })).status, 202)
        yield* until(Effect.map(read, (gone) => gone.status === "released"))
        const placed = numprov.log.read(0, "order")
        assert.deepStrictEqual(
          placed.map(({ external_id, outcome }) => [external_id, outcome]),
          [[made.body.id, "ok"]]
        )
        const rented = [...numprov.inventory.accounts.values()].flatMap(({ numbers }) => [...numbers.values()])
        assert.deepStrictEqual(
          rented.map(({ number_id, status }) => [number_id, status]),
          [[number.provider_number_id, "released"]]
        )
        const debits = yield* api.get("/v1/billing/ledger?limit=100", { key })
        const rent = debits.body.data.filter(({ meter_id }: { meter_id: string }) => meter_id === "phone.rental.month")
        assert.deepStrictEqual(
          rent.map(({ amount_brl }: { amount_brl: string }) => amount_brl),
          ["49.9000"]
        )
        assert.deepStrictEqual(yield* violations, [])
      })
  )
})
