import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { NumberAccount, NumberCall, NumberProvider } from "@carteiro/provider/NumberProvider.ts"
import type { ProviderEvent } from "@carteiro/provider/WebhookScheme.ts"
import { makeNumprov } from "@carteiro/provider-numprov/Numprov.ts"
import { makeTelnyx } from "@carteiro/provider-telnyx/Telnyx.ts"
import { telnyxWebhooks } from "@carteiro/provider-telnyx/TelnyxWebhooks.ts"
import type { CallLog } from "@carteiro/simulators/kit/CallLog.ts"
import type { Fault } from "@carteiro/simulators/kit/Faults.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startNumprov } from "@carteiro/simulators/numprov/Simulator.ts"
import { startTelnyx } from "@carteiro/simulators/telnyx/Simulator.ts"
import { isTimeSigned } from "@carteiro/vendor-http/TimedSignature.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { until } from "../support/Until.ts"
import { type Heard, startReceiver } from "../support/VendorReceiver.ts"
import { overSockets } from "../support/Vendors.ts"

// The promises of the port of numbers, over every driver; what differs is a fact of the driver.

/** What a simulated vendor of any wire lets a test do. */
interface Simulated {
  readonly url: string
  readonly log: Pick<CallLog, "read">
  readonly faults: { readonly set: (faults: ReadonlyArray<Fault>, seed: number | undefined) => unknown }
  readonly webhooks: { readonly aim: (url: string) => void }
  readonly close: () => Promise<void>
}

/** A driver of the port, its simulator, and what it does in its own way. */
interface Driver {
  readonly name: string
  readonly start: (options: Parameters<typeof startNumprov>[0]) => Promise<Simulated>
  readonly make: typeof makeNumprov
  /** What a repeated order brings: the order, or another one, so that callers never repeat one. */
  readonly repeats: "same" | "another"
  /** The faults that make an order end with a code of the port. */
  readonly refusals: ReadonlyArray<{ readonly code: string; readonly fault: Fault }>
  /** How too many calls are answered: they placed no order, or it is unknown. */
  readonly whenBusy: NumberCall<never>
  /** Whether orders of others in a look-up are seen through, or leave the outcome open. */
  readonly unfiltered: "found" | "unknown"
  /** How a number that was given back is listed; undefined where it is not. */
  readonly released: "released" | undefined
  /** Returns the event of a notice that the account's secret proves. */
  readonly event: (heard: Heard, secret: string) => ProviderEvent | undefined
  /** Returns the secret of the product's own account, and of one whose control call was answered so. */
  readonly secretOf: (webhookSecret: string, answer: object) => string
}

const drivers: ReadonlyArray<Driver> = [
  {
    name: "bridge",
    start: startNumprov,
    make: makeNumprov,
    repeats: "same",
    refusals: ["no_inventory", "number_unavailable", "calls_only"].map((code) => ({
      code,
      fault: { name: code, operation: "order", times: 1 }
    })),
    whenBusy: { _tag: "Unknown", retry_after_ms: null },
    unfiltered: "unknown",
    released: "released",
    event: ({ at, body, signature }, secret) =>
      isTimeSigned(signature, body, [Redacted.make(secret)], at) ? JSON.parse(body.toString()) : undefined,
    secretOf: (webhookSecret) => webhookSecret
  },
  {
    name: "telnyx",
    start: startTelnyx,
    make: makeTelnyx,
    repeats: "another",
    refusals: [
      { code: "no_inventory", fault: { name: "no_numbers", operation: "available", times: 2 } },
      { code: "calls_only", fault: { name: "voice_only", operation: "available", times: 2 } }
    ],
    // An order that was counted out was not placed, and the vendor takes no key that would make a repeat safe.
    whenBusy: { _tag: "Refused", code: "busy" },
    unfiltered: "found",
    released: undefined,
    event: ({ at, body, headers }, secret) =>
      telnyxWebhooks.isSigned(headers, body, [Redacted.make(secret)], at) ? telnyxWebhooks.read(body) : undefined,
    secretOf: (_webhookSecret, answer) => String((answer as { readonly public_key?: string }).public_key)
  }
]

const done = <A>(call: NumberCall<A>): A => (call._tag === "Done" ? call.value : assert.fail(JSON.stringify(call)))

const delivered = (account: NumberAccount, external_id: string) =>
  until(Effect.map(account.findOrder(external_id), (call) => call._tag === "Done" && call.value?.status === "active"))

/** A simulated vendor, and its driver over sockets to it. */
const stageOf = Effect.fnUntraced(function* ({ make, start }: Driver) {
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() => start({ apiKey: "ours", webhookSecret: "secret", workMs: 0, now: vendorClock })),
    (running) => Effect.promise(() => running.close())
  )
  const provider: NumberProvider = yield* overSockets(
    make({ url: operatorUrl(simulator.url), apiKey: Redacted.make("ours"), totalTimeoutMs: 1000 })
  )
  const fault = (name: string, operation: string, more: object = {}) =>
    simulator.faults.set([{ name, operation, times: 1, ...more }], undefined)
  const control = (path: string, body: object): Effect.Effect<object> =>
    Effect.promise(() =>
      fetch(`${simulator.url}${path}`, { method: "POST", body: JSON.stringify(body) }).then((answer) => answer.json())
    )
  const ordered = () => simulator.log.read(0, "order").map(({ outcome }) => outcome)
  return { simulator, provider, account: provider.platform ?? assert.fail("no account"), fault, control, ordered }
})

describe.each(drivers)("Numbers by the driver $name", (driver) => {
  const stage = stageOf(driver)

  it.live("a credential is proven by the account it reaches", () =>
    Effect.gen(function* () {
      const { account, control, provider } = yield* stage
      assert.strictEqual(done(yield* account.read).id, "acc_platform")
      const refused = (code: string) => ({ _tag: "Refused" as const, code })
      assert.deepStrictEqual(yield* provider.of(Redacted.make("nobody's")).read, refused("credentials_invalid"))
      yield* control("/accounts", { key: "suspended", id: "acc_2", name: "Loja", suspended: true })
      assert.deepStrictEqual(yield* provider.of(Redacted.make("suspended")).read, refused("account_suspended"))
    }).pipe(Effect.scoped)
  )

  it.live("an order is found by our id, delivered, listed, and its number given back twice", () =>
    Effect.gen(function* () {
      const { account } = yield* stage
      const available = done(yield* account.available("11", 3))
      assert.deepStrictEqual(new Set(available.map(({ ddd }) => ddd)), new Set(["11"]))
      assert.strictEqual(available.length, 3)
      const order = done(yield* account.order({ external_id: "pno_1", ddd: "11" }))
      assert.deepStrictEqual([order.status, order.external_id], ["pending", "pno_1"])
      yield* delivered(account, "pno_1")
      const active = done(yield* account.orderById(order.id))
      assert.match(active.number ?? "", /^\+55119\d{8}$/)
      assert.isNull(done(yield* account.findOrder("pno_other")))
      const { number, number_id } = active
      const [listed] = done(yield* account.numbers(null)).numbers
      assert.deepStrictEqual(listed, { number_id: number_id ?? "", number: number ?? "", status: "active", sms: true })
      for (let n = 0; n < 2; n++) assert.strictEqual((yield* account.release(number_id ?? ""))._tag, "Done")
      assert.strictEqual(done(yield* account.numbers(null)).numbers[0]?.status, driver.released)
    }).pipe(Effect.scoped)
  )

  it.live("a repeated order is one order, or the driver says that it would be another", () =>
    Effect.gen(function* () {
      const { account } = yield* stage
      const order = { external_id: "pno_1", ddd: "11" }
      const first = done(yield* account.order(order))
      assert.strictEqual(done(yield* account.order(order)).id === first.id, driver.repeats === "same")
    }).pipe(Effect.scoped)
  )

  it.live("an order whose answer is lost is unknown, and a look-up finds it where there is one", () =>
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
        assert.isNull(done(yield* account.findOrder(name)), name)
      }
    }).pipe(Effect.scoped)
  )

  it.live("an order that cannot be had is refused before anything is bought", () =>
    Effect.gen(function* () {
      const { account, fault, ordered, simulator } = yield* stage
      for (const { code, fault: one } of driver.refusals) {
        simulator.faults.set([one], undefined)
        const refused = yield* account.order({ external_id: code, ddd: "31" })
        assert.deepStrictEqual(refused, { _tag: "Refused", code })
        assert.isNull(done(yield* account.findOrder(code)), code)
      }
      fault("rate_limited", "order")
      assert.deepStrictEqual(yield* account.order({ external_id: "busy", ddd: "21" }), driver.whenBusy)
      assert.notInclude(ordered(), "ok")
    }).pipe(Effect.scoped)
  )

  it.live("an order that takes effect after its connection was cut is unknown until a look-up finds it", () =>
    Effect.gen(function* () {
      const { account, fault } = yield* stage
      const underWay = { external_id: "pno_2", ddd: "11" }
      // Longer than any run of the test: this one is under way to its end.
      fault("lands_late", "order", { value: 3_600_000 })
      assert.strictEqual((yield* account.order(underWay))._tag, "Unknown")
      assert.isNull(done(yield* account.findOrder("pno_2")))
      // The vendor refuses the repeat, which says nothing about the first call.
      assert.strictEqual((yield* account.order(underWay))._tag, "Unknown")
      fault("lands_late", "order", { value: 1 })
      assert.strictEqual((yield* account.order({ external_id: "pno_1", ddd: "11" }))._tag, "Unknown")
      yield* until(Effect.map(account.findOrder("pno_1"), (call) => call._tag === "Done" && call.value !== null))
    }).pipe(Effect.scoped)
  )

  it.live("a look-up that returns orders of others does not decide ours", () =>
    Effect.gen(function* () {
      const { account, fault } = yield* stage
      for (const external_id of ["pno_1", "pno_2"]) yield* account.order({ external_id, ddd: "11" })
      fault("unfiltered_lookup", "order_lookup")
      const found = yield* account.findOrder("pno_1")
      if (driver.unfiltered === "unknown") assert.strictEqual(found._tag, "Unknown")
      else assert.strictEqual(done(found)?.external_id, "pno_1")
      fault("unfiltered_lookup", "order_lookup")
      const none = yield* account.findOrder("pno_3")
      assert.isTrue(none._tag === "Unknown" || (none._tag === "Done" && none.value === null))
      assert.strictEqual(done(yield* account.findOrder("pno_1"))?.external_id, "pno_1")
    }).pipe(Effect.scoped)
  )

  it.live("an inventory is read page by page", () =>
    Effect.gen(function* () {
      const { control, provider } = yield* stage
      const numbers = Array.from({ length: 305 }, (_, n) => ({
        number_id: `num_${n}`,
        number: `+5511900000${100 + n}`
      }))
      yield* control("/accounts", { key: "customer", id: "acc_3", name: "Loja", numbers })
      const account = provider.of(Redacted.make("customer"))
      const seen: Array<string> = []
      for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page++) {
        const { next, numbers: listed }: Effect.Success<ReturnType<typeof pageOf>> = yield* pageOf(account, cursor)
        seen.push(...listed.map(({ number }) => number))
        cursor = next
      }
      assert.deepStrictEqual(
        seen,
        numbers.map(({ number }) => number)
      )
    }).pipe(Effect.scoped)
  )

  it.live("a notice names our order, and an account is told of its own numbers, signed with its own secret", () =>
    Effect.gen(function* () {
      const { account, control, simulator } = yield* stage
      const receiver = yield* startReceiver
      simulator.webhooks.aim(receiver.url)
      const platform = driver.secretOf("secret", { public_key: publicKeyOf(simulator) })
      yield* account.order({ external_id: "pno_2", ddd: "11" })
      const [told] = yield* receiver.heard(1)
      const order = driver.event(told ?? assert.fail("no notice"), platform)
      assert.deepStrictEqual([order?.type, order?.data.external_id], ["order.updated", "pno_2"])

      const own = yield* startReceiver
      const numbers = [{ number_id: "num_own", number: "+5511900000099" }]
      const setup = { id: "acc_9", key: "own", numbers, webhook_url: own.url, webhook_secret: "whsec" }
      const secret = driver.secretOf("whsec", yield* control("/accounts", setup))
      yield* control("/sms", { to: "+5511900000099", text: "code 123456" })
      const [heard] = yield* own.heard(1)
      if (heard === undefined) return assert.fail("no notice")
      const message = driver.event(heard, secret)
      assert.strictEqual(message?.type, "sms.received")
      assert.deepInclude(message?.data, { text: "code 123456" })
      assert.isUndefined(driver.event(heard, platform))
      assert.isUndefined(driver.event({ ...heard, at: heard.at + 301_000 }, secret))
      assert.isUndefined(driver.event({ ...heard, body: Buffer.concat([heard.body, Buffer.from(" ")]) }, secret))
    }).pipe(Effect.scoped)
  )
})

const pageOf = (account: NumberAccount, cursor: string | null) => Effect.map(account.numbers(cursor), done)

const publicKeyOf = (simulator: Simulated): unknown => ("publicKey" in simulator ? simulator.publicKey : undefined)
