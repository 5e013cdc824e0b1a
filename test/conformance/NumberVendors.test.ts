import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { NumberAccount, NumberCall } from "@carteiro/provider/NumberProvider.ts"
import { makeTelnyx } from "@carteiro/provider-telnyx/Telnyx.ts"
import { telnyxWebhooks } from "@carteiro/provider-telnyx/TelnyxWebhooks.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startTelnyx } from "@carteiro/simulators/telnyx/Simulator.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { until } from "../support/Until.ts"
import { vendorStand } from "../support/VendorStand.ts"
import { overSockets } from "../support/Vendors.ts"

/** A simulated vendor, and its driver over sockets to it. */
const stage = Effect.gen(function* () {
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() => startTelnyx({ apiKey: "ours", webhookSecret: "secret", workMs: 0, now: vendorClock })),
    (running) => Effect.promise(() => running.close())
  )
  const provider = yield* overSockets(
    makeTelnyx({ url: operatorUrl(simulator.url), apiKey: Redacted.make("ours"), totalTimeoutMs: 500 })
  )
  const account = provider.platform ?? assert.fail("no account")
  const fault = (name: string, operation: string, more: object = {}) =>
    simulator.faults.set([{ name, operation, times: 1, ...more }], undefined)
  return { simulator, provider, account, fault }
})

const done = <A>(call: NumberCall<A>): A => (call._tag === "Done" ? call.value : assert.fail(JSON.stringify(call)))

const delivered = (account: NumberAccount, external_id: string) =>
  until(Effect.map(account.findOrder(external_id), (call) => call._tag === "Done" && call.value?.status === "active"))

it.live("telnyx: a credential is proven by the account it reaches", () =>
  Effect.gen(function* () {
    const { account, provider, simulator } = yield* stage
    assert.strictEqual(done(yield* account.read).id, "acc_platform")
    const refused = yield* provider.of(Redacted.make("nobody's")).read
    assert.deepStrictEqual(refused, { _tag: "Refused", code: "credentials_invalid" })
    simulator.numbers.setUp({ key: "suspended", id: "acc_2", name: "Loja", isSuspended: true })
    const suspended = yield* provider.of(Redacted.make("suspended")).read
    assert.deepStrictEqual(suspended, { _tag: "Refused", code: "account_suspended" })
  }).pipe(Effect.scoped)
)

it.live("telnyx: an order is found by our id, delivered, listed, and its number given back twice", () =>
  Effect.gen(function* () {
    const { account } = yield* stage
    assert.strictEqual(done(yield* account.available("11", 3)).length, 3)
    const order = done(yield* account.order({ external_id: "pno_1", ddd: "11" }))
    assert.strictEqual(order.external_id, "pno_1")
    yield* delivered(account, "pno_1")
    const active = done(yield* account.orderById(order.id))
    assert.match(active.number ?? "", /^\+5511/)
    assert.strictEqual(active.number_id, active.number)
    assert.isNull(done(yield* account.findOrder("pno_other")))
    const { numbers } = done(yield* account.numbers(null))
    const [listed] = numbers
    assert.deepStrictEqual([listed?.number_id, listed?.status, listed?.sms], [active.number_id, "active", true])
    for (let n = 0; n < 2; n++) assert.strictEqual((yield* account.release(active.number_id ?? ""))._tag, "Done")
  }).pipe(Effect.scoped)
)

it.live("telnyx: an order whose answer is lost is unknown, and a look-up finds it", () =>
  Effect.gen(function* () {
    const { account, fault } = yield* stage
    for (const name of ["reset_after", "error_500_after", "timeout_after"]) {
      fault(name, "order")
      assert.strictEqual((yield* account.order({ external_id: name, ddd: "21" }))._tag, "Unknown", name)
      yield* delivered(account, name)
    }
    for (const name of ["reset", "error_500", "timeout"]) {
      fault(name, "order")
      assert.strictEqual((yield* account.order({ external_id: name, ddd: "21" }))._tag, "Unknown", name)
      assert.isNull(done(yield* account.findOrder(name)))
    }
    fault("unfiltered_lookup", "order_lookup")
    assert.deepInclude(done(yield* account.findOrder("reset_after")), { external_id: "reset_after" })
    fault("rate_limited", "order")
    assert.deepStrictEqual(yield* account.order({ external_id: "busy", ddd: "21" }), { _tag: "Refused", code: "busy" })
  }).pipe(Effect.scoped)
)

it.live("telnyx: an area code whose numbers take calls only is refused before anything is bought", () =>
  Effect.gen(function* () {
    const { account, simulator } = yield* stage
    simulator.faults.set([{ name: "voice_only", operation: "available", times: 2 }], undefined)
    const refused = yield* account.order({ external_id: "calls", ddd: "31" })
    assert.deepStrictEqual(refused, { _tag: "Refused", code: "calls_only" })
    simulator.faults.set([{ name: "no_numbers", operation: "available", times: 2 }], undefined)
    const none = yield* account.order({ external_id: "none", ddd: "31" })
    assert.deepStrictEqual(none, { _tag: "Refused", code: "no_inventory" })
    assert.deepStrictEqual(simulator.log.read(0, "order"), [])
  }).pipe(Effect.scoped)
)

it.live("telnyx: its notices are signed by the key that it shows, and name our order", () =>
  Effect.gen(function* () {
    const { account, simulator } = yield* stage
    const receiver = yield* vendorStand(() => ({ body: {} }))
    simulator.webhooks.aim(receiver.url)
    yield* account.order({ external_id: "pno_2", ddd: "11" })
    yield* until(Effect.sync(() => receiver.received.length > 0))
    const heard = receiver.received[0] ?? assert.fail("no notice")
    const secrets = [Redacted.make(simulator.publicKey)]
    assert.isTrue(telnyxWebhooks.isSigned(heard.headers, heard.body, secrets, vendorClock()))
    const event = telnyxWebhooks.read(heard.body)
    assert.deepStrictEqual([event.type, event.data.external_id], ["order.updated", "pno_2"])
  }).pipe(Effect.scoped)
)
