import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { NumberAccount, NumberCall } from "@carteiro/provider/NumberProvider.ts"
import { makeNumprov } from "@carteiro/provider-numprov/Numprov.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startNumprov } from "@carteiro/simulators/numprov/Simulator.ts"
import { isTimeSigned } from "@carteiro/vendor-http/TimedSignature.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { until } from "../support/Until.ts"
import { startReceiver } from "../support/VendorReceiver.ts"
import { overSockets } from "../support/Vendors.ts"

/** A simulated provider, and the adapter over sockets: what the port promises holds on that wire. */
const provider = Effect.gen(function* () {
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() => startNumprov({ apiKey: "ours", webhookSecret: "secret", workMs: 0, now: vendorClock })),
    (running) => Effect.promise(() => running.close())
  )
  const adapter = yield* overSockets(
    makeNumprov({ url: operatorUrl(simulator.url), apiKey: Redacted.make("ours"), totalTimeoutMs: 500 })
  )
  if (adapter.platform === undefined) return assert.fail("no account")
  return { simulator, adapter, account: adapter.platform }
})

const done = <A>(call: NumberCall<A>): A => {
  if (call._tag !== "Done") return assert.fail(JSON.stringify(call))
  return call.value
}

const delivered = (account: NumberAccount, external_id: string) =>
  until(Effect.map(account.findOrder(external_id), (call) => call._tag === "Done" && call.value?.status === "active"))

it.effect("a credential is proven by the account it reaches", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, adapter, simulator } = yield* provider
      assert.strictEqual(done(yield* account.read).id, "acc_platform")
      const stranger = adapter.of(Redacted.make("nobody's"))
      assert.deepStrictEqual(yield* stranger.read, { _tag: "Refused", code: "credentials_invalid" })
      simulator.inventory.account("suspended", "acc_2", "Loja", true)
      assert.deepStrictEqual(yield* adapter.of(Redacted.make("suspended")).read, {
        _tag: "Refused",
        code: "account_suspended"
      })
    })
  )
)

it.effect("an order is made once for an id of ours, and found by that id", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, simulator } = yield* provider
      const available = done(yield* account.available("11", 3))
      assert.deepStrictEqual(
        available.map(({ ddd, sms }) => [ddd, sms]),
        Array.from({ length: 3 }, () => ["11", true])
      )
      const order = { external_id: "pn_1", ddd: "11" }
      const first = done(yield* account.order(order))
      assert.deepStrictEqual([first.status, first.number, first.external_id], ["pending", null, "pn_1"])
      assert.strictEqual(done(yield* account.order(order)).id, first.id)
      yield* delivered(account, "pn_1")
      const active = done(yield* account.orderById(first.id))
      assert.match(active.number ?? "", /^\+55119\d{8}$/)
      assert.strictEqual(done(yield* account.findOrder("pn_other")), null)
      const orders = simulator.log.read(0, "order").filter(({ outcome }) => outcome === "ok")
      assert.strictEqual(orders.length, 2)

      const [number] = done(yield* account.numbers(null)).numbers
      assert.deepStrictEqual(number, {
        number_id: active.number_id,
        number: active.number,
        status: "active",
        sms: true
      })
      // Released again it is released.
      for (let n = 0; n < 2; n++) assert.strictEqual((yield* account.release(active.number_id ?? ""))._tag, "Done")
      assert.strictEqual(done(yield* account.numbers(null)).numbers[0]?.status, "released")
    })
  )
)

it.effect("an order whose answer is lost is unknown, and a look-up finds it", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, simulator } = yield* provider
      for (const name of ["reset_after", "error_500_after", "timeout_after"]) {
        simulator.faults.set([{ name, operation: "order", times: 1 }], undefined)
        assert.strictEqual((yield* account.order({ external_id: name, ddd: "21" }))._tag, "Unknown")
        yield* delivered(account, name)
      }
      for (const name of ["reset", "error_500", "timeout"]) {
        simulator.faults.set([{ name, operation: "order", times: 1 }], undefined)
        assert.strictEqual((yield* account.order({ external_id: name, ddd: "21" }))._tag, "Unknown")
        assert.strictEqual(done(yield* account.findOrder(name)), null)
      }
      for (const code of ["no_inventory", "number_unavailable", "calls_only"]) {
        simulator.faults.set([{ name: code, operation: "order", times: 1 }], undefined)
        const refused = yield* account.order({ external_id: code, ddd: "21" })
        assert.deepStrictEqual(refused, { _tag: "Refused", code })
      }
    })
  )
)

it.effect("an inventory is read page by page", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { adapter, simulator } = yield* provider
      simulator.inventory.account("customer", "acc_3", "Loja")
      for (let n = 0; n < 205; n++) {
        const number = { number_id: `num_${n}`, number: `+5511900000${100 + n}`, status: "active", sms: true } as const
        simulator.inventory.addNumber("customer", number)
      }
      const account = adapter.of(Redacted.make("customer"))
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const page: { readonly numbers: ReadonlyArray<{ readonly number_id: string }>; readonly next: string | null } =
          done(yield* account.numbers(cursor))
        seen.push(...page.numbers.map(({ number_id }) => number_id))
        cursor = page.next
      } while (cursor !== null)
      assert.strictEqual(new Set(seen).size, 205)
    })
  )
)

it.effect("a customer's account is notified of its own numbers, signed with its own secret", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { simulator } = yield* provider
      const receiver = yield* startReceiver
      const numbers = [{ number_id: "num_own", number: "+5511900000099" }]
      const account = { id: "acc_9", key: "own", numbers, webhook_url: receiver.url, webhook_secret: "whsec" }
      const control = (path: string, body: object) =>
        Effect.promise(() => fetch(`${simulator.url}${path}`, { method: "POST", body: JSON.stringify(body) }))
      yield* control("/accounts", account)
      yield* control("/sms", { to: "+5511900000099", text: "code 123456" })
      const [heard] = yield* receiver.heard(1)
      assert.isDefined(heard)
      if (heard === undefined) return
      assert.deepInclude(JSON.parse(heard.body.toString()).data, { number_id: "num_own", text: "code 123456" })
      const secret = [Redacted.make("whsec")]
      assert.isTrue(isTimeSigned(heard.signature, heard.body, secret, heard.at))
      assert.isFalse(isTimeSigned(heard.signature, heard.body, [Redacted.make("secret")], heard.at))
    })
  )
)

it.live(
  "an order that takes effect after its connection was cut is unknown, and the refusal of a repeat does not decide it",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { account, simulator } = yield* provider
        const order = { external_id: "pno_1", ddd: "11" }
        simulator.faults.set([{ name: "lands_late", operation: "order", times: 1, value: 300 }], undefined)
        assert.strictEqual((yield* account.order(order))._tag, "Unknown")
        assert.strictEqual(done(yield* account.findOrder("pno_1")), null)
        assert.strictEqual((yield* account.order(order))._tag, "Unknown")
        yield* until(Effect.map(account.findOrder("pno_1"), (call) => call._tag === "Done" && call.value !== null))
      })
    )
)

it.effect("a look-up that returns orders of others does not decide ours", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, simulator } = yield* provider
      for (const external_id of ["pno_1", "pno_2"]) yield* account.order({ external_id, ddd: "11" })
      simulator.faults.set([{ name: "unfiltered_lookup", operation: "order_lookup", times: 1 }], undefined)
      assert.strictEqual((yield* account.findOrder("pno_1"))._tag, "Unknown")
      assert.strictEqual(done(yield* account.findOrder("pno_1"))?.external_id, "pno_1")
    })
  )
)
