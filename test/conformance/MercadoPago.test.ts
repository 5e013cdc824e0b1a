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

const modes = ["transparent_pix", "hosted_checkout"] as const

for (const mode of modes) {
  it.live(`mercadopago ${mode}: a charge shows its request to the centavo, and is found by either id C-PAY-25`, () =>
    Effect.gen(function* () {
      const { provider } = yield* stage()
      const made = chargeOf(yield* provider.create(key, order("pay_1", { mode })))
      assert.deepInclude(made, { external_id: "pay_1", amount_centavos: 12_551, status: "pending" })
      if (mode === "hosted_checkout") assert.match(made.payment_url ?? "", /^https?:\/\//)
      else assert.match(made.pix_copy_paste ?? "", /^000201/)
      const seen = chargeOf(yield* provider.read(key, made.id))
      assert.deepStrictEqual([seen.id, seen.external_id, seen.status], [made.id, "pay_1", "pending"])
      assert.strictEqual(chargeOf(yield* provider.lookUp(key, "pay_1")).id, made.id)
    }).pipe(Effect.scoped)
  )

  it.live(`mercadopago ${mode}: a lost call is unknown, and its charge is found by our id`, () =>
    Effect.gen(function* () {
      const { fault, provider } = yield* stage()
      for (const name of ["timeout", "reset", "error_500"]) {
        fault(name)
        assert.strictEqual((yield* provider.create(key, order(name, { mode })))._tag, "Unknown", name)
        assert.strictEqual((yield* provider.lookUp(key, name))._tag, "Absent", name)
      }
      for (const name of ["timeout_after", "reset_after", "error_500_after"]) {
        fault(name)
        assert.strictEqual((yield* provider.create(key, order(name, { mode })))._tag, "Unknown", name)
        assert.strictEqual((yield* provider.lookUp(key, name))._tag, "Charge", name)
      }
      fault("rate_limited")
      assert.strictEqual((yield* provider.create(key, order("limited", { mode })))._tag, "Unknown")
    }).pipe(Effect.scoped)
  )

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

it.live("mercadopago: the same payment is repeated under its key, and its key is our id", () =>
  Effect.gen(function* () {
    const { provider } = yield* stage()
    const made = chargeOf(yield* provider.create(key, order("pay_1")))
    const again = yield* provider.create(key, order("pay_1"))
    if (again._tag === "Charge") assert.strictEqual(again.id, made.id)
    else assert.strictEqual(again._tag, "Unknown")
  }).pipe(Effect.scoped)
)

it.live("mercadopago: refusals are certain and keep the vendor's code", () =>
  Effect.gen(function* () {
    const { provider } = yield* stage()
    const nobody = yield* provider.create(Redacted.make("invalid"), order("key"))
    assert.strictEqual(nobody._tag, "Refused")
    const zero = yield* provider.create(key, order("zero", { amount_centavos: 0 }))
    assert.strictEqual(zero._tag, "Refused")
    assert.match(zero._tag === "Refused" ? zero.code : "", /^\S+$/)
    assert.strictEqual((yield* provider.read(key, "999999999"))._tag, "Absent")
    assert.strictEqual((yield* provider.read(key, "1-nothing"))._tag, "Absent")
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

it.live("mercadopago: a code is taken back, and its notice is proven by its signature alone", () =>
  Effect.gen(function* () {
    const { provider, receiver, simulator } = yield* stage()
    const made = chargeOf(yield* provider.create(key, order("pay_1")))
    assert.strictEqual(statusOf(yield* provider.cancel(key, made.id)), "cancelled")
    yield* receiver.heard(1)
    const paid = chargeOf(yield* provider.create(key, order("pay_2")))
    yield* control(simulator.url, "/outcomes", { id: "pay_2", status: "paid" })
    const notices = yield* receiver.heard(1)
    const notice = notices.at(-1)
    if (notice === undefined) return assert.fail("no notice")
    const search = new URL(notice.path, receiver.url).search.slice(1)
    const call = { headers: notice.headers, search, token: null, body: Buffer.from(notice.body), now: vendorClock() }
    assert.isDefined(provider.notices.prove(call, [Redacted.make("another"), secret]))
    assert.isUndefined(provider.notices.prove(call, [Redacted.make("another")]))
    assert.isUndefined(provider.notices.prove({ ...call, now: vendorClock() + 301_000 }, [secret]))
    assert.isUndefined(
      provider.notices.prove({ ...call, body: Buffer.from('{"type":"payment","data":{"id":"1"}}') }, [secret])
    )
    const named = yield* provider.notices.about(key, call.body)
    assert.include([["pay_1"], ["pay_2"]].map(String), String(named))
    assert.strictEqual(statusOf(yield* provider.read(key, paid.id)), "paid")
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
