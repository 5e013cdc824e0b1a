import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { PixAnswer, PixCheckoutOrder, PixProvider } from "@carteiro/provider/payments/PixProvider.ts"
import { makePixprov1 } from "@carteiro/provider-pixprov1/Pixprov1.ts"
import { makePixprov2 } from "@carteiro/provider-pixprov2/Pixprov2.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { isTimeSigned } from "@carteiro/vendor-http/TimedSignature.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { simulatedPix } from "../support/Pix.ts"
import { type Heard, startReceiver } from "../support/VendorReceiver.ts"
import { overSockets } from "../support/Vendors.ts"

const vendors = ["pixprov1", "pixprov2"] as const
const key = Redacted.make("merchant-key")

/** What the log of each vendor names its operations. */
const named = { pixprov1: "charge", pixprov2: "checkout" } as const

/** A simulated vendor, a receiver of its webhooks, and the adapter over sockets to it. */
const stage = Effect.fnUntraced(function* (vendor: "pixprov1" | "pixprov2") {
  const receiver = yield* startReceiver
  const accounts = [{ key: Redacted.value(key), webhook_secret: "secret", webhook_url: receiver.url }]
  const simulator = yield* simulatedPix(vendor, { accounts })
  const options = { url: operatorUrl(simulator.url), totalTimeoutMs: 1000 }
  const provider: PixProvider =
    (vendor === "pixprov1" ? (yield* overSockets(makePixprov1(options))).pix : undefined) ??
    (yield* overSockets(makePixprov2(options)))
  const operation = named[vendor]
  const fault = (name: string, more: object = {}) => simulator.faults.set([{ name, operation, times: 1, ...more }], 1)
  const outcomes = (kind: string) => simulator.log.read(0, kind).map(({ outcome }) => outcome)
  return { simulator, provider, fault, outcomes, receiver, operation }
})

const order = (external_id: string, more: Partial<PixCheckoutOrder> = {}): PixCheckoutOrder => ({
  external_id,
  amount_centavos: 12_550,
  description: "Pedido 1",
  expires_in_seconds: 3600,
  customer: { name: "Ana", tax_id: "12345678909", phone: "+5511999990000", email: "ana@example.com" },
  mode: "hosted_checkout",
  success_url: null,
  ...more
})

const chargeOf = (answer: PixAnswer) => {
  assert.strictEqual(answer._tag, "Charge")
  return answer as Extract<PixAnswer, { readonly _tag: "Charge" }>
}

const statusOf = (answer: PixAnswer) => (answer._tag === "Charge" ? answer.status : answer._tag)

for (const vendor of vendors) {
  it.live(`${vendor}: a charge is made once, shown with its request, and found by either id C-PAY-25`, () =>
    Effect.gen(function* () {
      const { operation, provider, simulator } = yield* stage(vendor)
      const made = chargeOf(yield* provider.create(key, order("pay_1")))
      assert.deepInclude(made, { external_id: "pay_1", amount_centavos: 12_550, status: "pending" })
      assert.match(made.payment_url ?? "", new RegExp(`^${simulator.url}/pay/`))
      assert.isTrue((made.expires_at ?? 0) > vendorClock())
      assert.strictEqual(chargeOf(yield* provider.create(key, order("pay_1"))).id, made.id)
      assert.deepStrictEqual(yield* provider.read(key, made.id), made)
      assert.deepStrictEqual(yield* provider.lookUp(key, "pay_1"), made)
      const [first, second] = simulator.log.read(0, operation)
      assert.deepInclude(first, {
        outcome: "made",
        external_id: "pay_1",
        idempotency_key: "pay_1",
        amount_centavos: 12_550
      })
      assert.deepInclude(second, { outcome: "repeated", id: made.id })
    }).pipe(Effect.scoped)
  )

  it.live(`${vendor}: an unknown charge is absent, also for another account`, () =>
    Effect.gen(function* () {
      const { provider } = yield* stage(vendor)
      const made = chargeOf(yield* provider.create(key, order("pay_1")))
      const stranger = Redacted.make("another")
      assert.deepStrictEqual(yield* provider.read(key, "nothing"), { _tag: "Absent" })
      assert.deepStrictEqual(yield* provider.lookUp(key, "pay_2"), { _tag: "Absent" })
      assert.deepStrictEqual(yield* provider.read(stranger, made.id), { _tag: "Absent" })
      assert.deepStrictEqual(yield* provider.lookUp(stranger, "pay_1"), { _tag: "Absent" })
    }).pipe(Effect.scoped)
  )

  it.live(
    `${vendor}: a charge that takes effect after its connection was cut is unknown until a look-up finds it`,
    () =>
      Effect.gen(function* () {
        const { fault, operation, outcomes, provider, simulator } = yield* stage(vendor)
        fault("lands_late", { value: 300 })
        assert.strictEqual((yield* provider.create(key, order("pay_1")))._tag, "Unknown")
        assert.strictEqual((yield* provider.lookUp(key, "pay_1"))._tag, "Absent")
        // The vendor refuses the repeat, which says nothing about the first call.
        assert.strictEqual((yield* provider.create(key, order("pay_1")))._tag, "Unknown")
        const isThere = Effect.map(provider.lookUp(key, "pay_1"), ({ _tag }) => _tag === "Charge")
        yield* eventually(isThere)
        assert.deepStrictEqual(outcomes(operation), ["lands_late", "idempotency_key_in_use", "made"])
        simulator.faults.set([{ name: "lagging_lookup", operation: `${operation}_lookup`, value: 600_000 }], 1)
        assert.strictEqual((yield* provider.lookUp(key, "pay_1"))._tag, "Absent")
      }).pipe(Effect.scoped)
  )

  it.live(`${vendor}: refusals are certain, lost calls are not, and their charges are found by our id`, () =>
    Effect.gen(function* () {
      const { fault, outcomes, operation, provider } = yield* stage(vendor)
      for (const code of ["charge_rejected", "credentials_invalid", "amount_invalid"]) {
        fault(code)
        assert.deepStrictEqual(yield* provider.create(key, order(code)), { _tag: "Refused", code })
      }
      const zero = yield* provider.create(key, order("zero", { amount_centavos: 0 }))
      assert.deepStrictEqual(zero, { _tag: "Refused", code: "amount_invalid" })
      const nobody = yield* provider.create(Redacted.make("invalid"), order("key"))
      assert.deepStrictEqual(nobody, { _tag: "Refused", code: "credentials_invalid" })
      fault("rate_limited")
      assert.strictEqual((yield* provider.create(key, order("limited")))._tag, "Unknown")
      for (const name of ["timeout", "reset", "error_500"]) {
        fault(name)
        assert.strictEqual((yield* provider.create(key, order(name)))._tag, "Unknown", name)
        assert.strictEqual((yield* provider.lookUp(key, name))._tag, "Absent", name)
      }
      for (const name of ["timeout_after", "reset_after", "error_500_after"]) {
        fault(name)
        assert.strictEqual((yield* provider.create(key, order(name)))._tag, "Unknown", name)
        assert.strictEqual((yield* provider.lookUp(key, name))._tag, "Charge", name)
        assert.strictEqual((yield* provider.create(key, order(name)))._tag, "Charge", name)
        assert.strictEqual(outcomes(operation).at(-1), "repeated", name)
      }
    }).pipe(Effect.scoped)
  )

  it.live(
    `${vendor}: a charge under another id is not taken for ours by a look-up, and another amount is reported`,
    () =>
      Effect.gen(function* () {
        const { fault, provider } = yield* stage(vendor)
        const made = chargeOf(yield* provider.create(key, order("pay_1")))
        fault("wrong_external_id")
        assert.strictEqual((yield* provider.lookUp(key, "pay_1"))._tag, "Unknown")
        fault("wrong_external_id")
        assert.strictEqual(chargeOf(yield* provider.read(key, made.id)).external_id, "pay_1x")
        fault("wrong_amount")
        assert.strictEqual(chargeOf(yield* provider.read(key, made.id)).amount_centavos, 12_551)
        // An amount that cannot be compared is not the absence of one.
        fault("unreadable_amount")
        assert.strictEqual((yield* provider.read(key, made.id))._tag, "Unknown")
      }).pipe(Effect.scoped)
  )

  it.live(`${vendor}: people pay on the vendor's page, and the vendor sends a signed webhook C-PAY-27`, () =>
    Effect.gen(function* () {
      const { provider, receiver } = yield* stage(vendor)
      const made = chargeOf(yield* provider.create(key, order("pay_1")))
      const url = made.payment_url ?? ""
      const page = yield* Effect.promise(() => fetch(url).then((answer) => answer.text()))
      assert.include(page, "R$ 125,50")
      assert.include(page, "Pedido 1")
      yield* press(url, "paid")
      assert.strictEqual(statusOf(yield* provider.read(key, made.id)), "paid")
      yield* press(url, "failed")
      assert.strictEqual(statusOf(yield* provider.read(key, made.id)), "paid")
      const [told] = yield* receiver.heard(1)
      assert.isTrue(isGood(told))
      assert.deepInclude(bodyOf(told), {
        type: `${named[vendor]}.updated`,
        data: { id: made.id, external_id: "pay_1", status: "paid" }
      })
    }).pipe(Effect.scoped)
  )

  it.live(`${vendor}: every outcome arrives at its time`, () =>
    Effect.gen(function* () {
      const { fault, provider, simulator } = yield* stage(vendor)
      for (const status of ["paid", "failed", "expired", "cancelled", "approved"] as const) {
        const made = chargeOf(yield* provider.create(key, order(`pay_${status}`)))
        yield* control(simulator.url, "/outcomes", { id: made.id, status })
        assert.strictEqual(statusOf(yield* provider.read(key, made.id)), status)
      }
      fault("paid_after", { value: 0 })
      const itself = chargeOf(yield* provider.create(key, order("itself")))
      yield* eventually(Effect.map(provider.read(key, itself.id), (answer) => statusOf(answer) === "paid"))
      const short = chargeOf(yield* provider.create(key, order("short", { expires_in_seconds: 0.001 })))
      yield* eventually(Effect.map(provider.read(key, short.id), (answer) => statusOf(answer) === "expired"))
    }).pipe(Effect.scoped)
  )

  it.live(`${vendor}: webhooks arrive twice, late, out of order, forged, stale or not at all`, () =>
    Effect.gen(function* () {
      const { provider, receiver, simulator } = yield* stage(vendor)
      const told = (name: string, ...ids: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          for (const id of ids) yield* provider.create(key, order(id))
          simulator.faults.set(name === "" ? [] : [{ name, times: 1, value: 0 }], 1)
          for (const id of ids) yield* control(simulator.url, "/outcomes", { id, status: "paid" })
        })
      const idsOf = (heard: ReadonlyArray<Heard>) => heard.map((one) => bodyOf(one).data.external_id)
      yield* told("duplicate_webhook", "a")
      const twice = yield* receiver.heard(2)
      assert.deepStrictEqual(idsOf(twice), ["a", "a"])
      assert.strictEqual(bodyOf(twice[0]).id, bodyOf(twice[1]).id)
      yield* told("reorder_webhooks", "b", "c")
      assert.deepStrictEqual(idsOf(yield* receiver.heard(2)).sort(), ["b", "c"])
      yield* told("lost_webhook", "d")
      yield* told("delay_webhook", "e")
      assert.deepStrictEqual(idsOf(yield* receiver.heard(1)), ["e"])
      for (const name of ["bad_signature", "stale_webhook"]) {
        yield* told(name, name)
        assert.isFalse(isGood((yield* receiver.heard(1))[0]), name)
      }
    }).pipe(Effect.scoped)
  )
}

it.live(
  "pixprov2: a transparent Pix has a code and its picture, and is paid from a bank's app C-PAY-25 C-PCAN-08",
  () =>
    Effect.gen(function* () {
      const { provider, simulator } = yield* stage("pixprov2")
      const cancel = provider.cancel ?? (() => Effect.die("no cancel"))
      const made = chargeOf(yield* provider.create(key, order("pix_1", { mode: "transparent_pix" })))
      assert.strictEqual(made.payment_url, null)
      assert.match(made.pix_copy_paste ?? "", /^000201.*5303986.*6304[0-9A-F]{4}$/)
      const png = Buffer.from(made.pix_qr_code_base64 ?? "", "base64")
      assert.strictEqual(png.subarray(1, 4).toString(), "PNG")
      assert.deepStrictEqual(yield* cancel(key, made.id), {
        _tag: "Refused",
        code: "cancellation_unsupported"
      })
      const form = { method: "POST", body: new URLSearchParams({ code: made.pix_copy_paste ?? "" }) }
      const page = yield* Effect.promise(() => fetch(`${simulator.url}/bank`, form))
      yield* press(page.url, "paid")
      assert.strictEqual(statusOf(yield* provider.read(key, made.id)), "paid")
    }).pipe(Effect.scoped)
)

it.live("pixprov2: a cancel is confirmed later or never, and not after a final status C-PCAN-04 C-PCAN-10", () =>
  Effect.gen(function* () {
    const { provider, receiver, simulator } = yield* stage("pixprov2")
    const cancel = provider.cancel ?? (() => Effect.die("no cancel"))
    const made = chargeOf(yield* provider.create(key, order("one")))
    assert.strictEqual(statusOf(yield* cancel(key, made.id)), "pending")
    yield* eventually(Effect.map(provider.read(key, made.id), (answer) => statusOf(answer) === "cancelled"))
    assert.strictEqual(bodyOf((yield* receiver.heard(1))[0]).data.status, "cancelled")
    assert.strictEqual(statusOf(yield* cancel(key, made.id)), "cancelled")

    const paid = chargeOf(yield* provider.create(key, order("two")))
    yield* control(simulator.url, "/outcomes", { id: "two", status: "paid" })
    assert.deepStrictEqual(yield* cancel(key, paid.id), { _tag: "Refused", code: "already_ended" })
    assert.deepStrictEqual(yield* cancel(key, "nothing"), { _tag: "Absent" })

    const stuck = chargeOf(yield* provider.create(key, order("three")))
    simulator.faults.set([{ name: "stuck_cancel" }], 1)
    assert.strictEqual(statusOf(yield* cancel(key, stuck.id)), "pending")
    assert.strictEqual(statusOf(yield* provider.read(key, stuck.id)), "pending")
  }).pipe(Effect.scoped)
)

it.live("pixprov2: an approval is requested once and given by people", () =>
  Effect.gen(function* () {
    const { provider } = yield* stage("pixprov2")
    const ask = provider.requestApproval ?? (() => Effect.die("no approvals"))
    const made = chargeOf(yield* provider.create(key, order("one")))
    const asked = yield* ask(key, made.id, { external_id: "one:approval", note: "please" })
    assert.strictEqual(asked._tag, "Requested")
    assert.deepStrictEqual(yield* ask(key, made.id, { external_id: "one:approval", note: "please" }), asked)
    yield* press(made.payment_url ?? "", "approved")
    assert.strictEqual(statusOf(yield* provider.read(key, made.id)), "approved")
    yield* press(made.payment_url ?? "", "paid")
    assert.strictEqual(statusOf(yield* provider.read(key, made.id)), "paid")
    assert.deepStrictEqual(yield* ask(key, made.id, { external_id: "late", note: null }), {
      _tag: "Refused",
      code: "already_ended"
    })
    assert.deepStrictEqual(yield* ask(key, "nothing", { external_id: "x", note: null }), { _tag: "Absent" })
  }).pipe(Effect.scoped)
)

it.live("pixprov1 has neither cancels nor approvals", () =>
  Effect.gen(function* () {
    const { provider } = yield* stage("pixprov1")
    assert.deepStrictEqual([provider.cancel, provider.requestApproval], [undefined, undefined])
  }).pipe(Effect.scoped)
)

const press = (url: string, outcome: string) =>
  Effect.promise(() => fetch(url, { method: "POST", body: new URLSearchParams({ outcome }) }))

const control = (url: string, path: string, body: object) =>
  Effect.promise(() => fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body) }))

const eventually = (holds: Effect.Effect<boolean>): Effect.Effect<void> =>
  Effect.flatMap(holds, (done) => (done ? Effect.void : eventually(holds)))

const bodyOf = (heard: Heard | undefined) => JSON.parse(heard?.body.toString() ?? "{}")

const isGood = (heard: Heard | undefined) =>
  heard !== undefined && isTimeSigned(heard.signature, heard.body, [Redacted.make("secret")], heard.at)
