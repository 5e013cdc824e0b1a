import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { PixAnswer, PixCheckoutOrder } from "@carteiro/provider/payments/PixProvider.ts"
import { makeMercadoPago, mercadoPagoCharges } from "@carteiro/provider-mercadopago/MercadoPago.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startMercadopago } from "@carteiro/simulators/mercadopago/Simulator.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { startReceiver } from "../support/VendorReceiver.ts"
import { overSockets } from "../support/Vendors.ts"

const key = Redacted.make("TEST-merchant-key")
const secret = Redacted.make("secret")

/** The simulated vendor, a receiver of its notices, and the adapter over sockets to it. */
const stage = Effect.fnUntraced(function* (searchSettlesMs = 0) {
  const receiver = yield* startReceiver
  const accounts = [{ key: Redacted.value(key), webhook_secret: Redacted.value(secret), webhook_url: receiver.url }]
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() => startMercadopago({ now: vendorClock, accounts })),
    (running) => Effect.promise(() => running.close())
  )
  const options = { url: operatorUrl(simulator.url), totalTimeoutMs: 1000, searchSettlesMs }
  const provider = yield* overSockets(makeMercadoPago(options))
  const fault = (name: string, more: object = {}) => simulator.faults.set([{ name, times: 1, ...more }], 1)
  return { simulator, provider, receiver, fault }
})

const order = (external_id: string, more: Partial<PixCheckoutOrder> = {}): PixCheckoutOrder => ({
  external_id,
  amount_centavos: 12_551,
  description: "Pedido 1",
  expires_in_seconds: 3600,
  customer: { name: "Ana Souza", tax_id: "12345678909", phone: "+5511999990000", email: "ana@example.com" },
  mode: "transparent_pix",
  success_url: null,
  ...more
})

const chargeOf = (answer: PixAnswer) => {
  assert.strictEqual(answer._tag, "Charge", JSON.stringify(answer))
  return answer as Extract<PixAnswer, { readonly _tag: "Charge" }>
}
const statusOf = (answer: PixAnswer) => (answer._tag === "Charge" ? answer.status : answer._tag)

// What Mercado Pago alone does; `Pix.test.ts` has the promises of every driver.

for (const mode of ["transparent_pix", "hosted_checkout"] as const) {
  it.live(
    `mercadopago ${mode}: money that was given back or is argued about was paid gaps-3 G "Trust in webhook content"`,
    () =>
      Effect.gen(function* () {
        const { provider, simulator } = yield* stage()
        const made = chargeOf(yield* provider.create(key, order("pay_2", { mode })))
        for (const status of ["paid", "refunded"]) {
          yield* control(simulator.url, "/outcomes", { id: "pay_2", status })
          assert.strictEqual(statusOf(yield* provider.read(key, made.id)), "paid", status)
        }
      }).pipe(Effect.scoped)
  )
}

it.live("mercadopago: a search that returns charges of others does not decide ours", () =>
  Effect.gen(function* () {
    const { fault, provider } = yield* stage()
    yield* provider.create(key, order("pay_1"))
    fault("unfiltered_lookup", { times: 2 })
    assert.deepStrictEqual(yield* provider.lookUp(key, "pay_2"), { _tag: "Unknown" })
    assert.deepStrictEqual(yield* provider.lookUp(key, "pay_2"), { _tag: "Absent" })
  }).pipe(Effect.scoped)
)

it.live(
  "mercadopago: a page is over once its time and that of the search are over, and a cancelled one is told apart C-PCAN-10",
  () =>
    Effect.gen(function* () {
      const { provider } = yield* stage()
      const short = chargeOf(
        yield* provider.create(key, order("short", { mode: "hosted_checkout", expires_in_seconds: 0 }))
      )
      assert.strictEqual(statusOf(yield* provider.read(key, short.id)), "expired")
      assert.deepStrictEqual(yield* provider.cancel(key, short.id), { _tag: "Refused", code: "already_ended" })
      const page = chargeOf(yield* provider.create(key, order("page", { mode: "hosted_checkout" })))
      yield* provider.cancel(key, page.id)
      assert.strictEqual(statusOf(yield* provider.read(key, page.id)), "cancelled")
      const slow = yield* stage(600_000)
      const kept = chargeOf(yield* slow.provider.create(key, order("kept", { mode: "hosted_checkout" })))
      yield* slow.provider.cancel(key, kept.id)
      assert.strictEqual(statusOf(yield* slow.provider.read(key, kept.id)), "pending")
    }).pipe(Effect.scoped)
)

it.live(
  'mercadopago: the service\'s own account names a payer, and its codes end no sooner than allowed gaps-3 G "Shape of the adapters"',
  () =>
    Effect.gen(function* () {
      const { provider } = yield* stage()
      const own = { external_id: "ctu_1", amount_centavos: 5000, description: null, expires_in_seconds: 60 }
      const nameless = mercadoPagoCharges(provider, key, undefined)
      assert.strictEqual((yield* nameless.create({ ...own, external_id: "ctu_0" }))._tag, "Refused")
      const charges = mercadoPagoCharges(provider, key, "billing@example.com")
      const made = yield* charges.create(own)
      assert.deepInclude(made, { _tag: "Charge", external_id: "ctu_1", amount_centavos: 5000, status: "pending" })
      assert.isAbove(made._tag === "Charge" ? (made.expires_at ?? 0) : 0, vendorClock() + 1_800_000)
      assert.strictEqual((yield* charges.lookUp("ctu_1"))._tag, "Charge")
    }).pipe(Effect.scoped)
)

it.live("mercadopago: a notice is believed for five minutes, and only about the payment that its signature names", () =>
  Effect.gen(function* () {
    const { provider, receiver } = yield* stage()
    yield* provider.create(key, order("pay_1"))
    const notice = (yield* receiver.heard(1))[0] ?? assert.fail("no notice")
    const search = new URL(notice.path, receiver.url).search.slice(1)
    const call = { headers: notice.headers, search, token: null, body: notice.body, now: notice.at }
    assert.isDefined(provider.notices.prove(call, [secret]))
    assert.isUndefined(provider.notices.prove({ ...call, now: vendorClock() + 301_000 }, [secret]))
    const other = Buffer.from('{"type":"payment","data":{"id":"1"}}')
    assert.isUndefined(provider.notices.prove({ ...call, body: other }, [secret]))
  }).pipe(Effect.scoped)
)

const control = (url: string, path: string, body: object) =>
  Effect.promise(() =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  )

it.live('mercadopago: a notice counts once a look-up can show what it tells gaps-3 G "Trust in webhook content"', () =>
  Effect.gen(function* () {
    const { provider, receiver, simulator } = yield* stage()
    const lags = (times: number) => simulator.faults.set([{ name: "lagging_lookup", times, value: 60_000 }], 1)
    // The payments of a page are found by the search alone.
    yield* provider.create(key, order("pay_3", { mode: "hosted_checkout" }))
    yield* control(simulator.url, "/outcomes", { id: "pay_3", status: "paid" })
    const [notice] = yield* receiver.heard(1)
    const about = provider.notices.about(key, notice?.body ?? Buffer.alloc(0))
    lags(1)
    assert.isUndefined(yield* about)
    // A page that was paid at once is in no search yet, no more than its payment is.
    lags(2)
    assert.isUndefined(yield* about)
    assert.deepStrictEqual(yield* about, ["pay_3"])
    // A code is read by its own id.
    const { id } = chargeOf(yield* provider.create(key, order("pay_4")))
    lags(2)
    const body = Buffer.from(JSON.stringify({ type: "payment", data: { id } }))
    assert.deepStrictEqual(yield* provider.notices.about(key, body), ["pay_4"])
  }).pipe(Effect.scoped)
)
