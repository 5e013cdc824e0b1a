import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { AgenticPaymentOrder, AuthorizationOrder } from "@carteiro/provider/payments/AgenticProvider.ts"
import { makePixprov1 } from "@carteiro/provider-pixprov1/Pixprov1.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { simulatedPix } from "../support/Pix.ts"
import { startReceiver } from "../support/VendorReceiver.ts"
import { overSockets } from "../support/Vendors.ts"

const account = { key: Redacted.make("agentic-key"), base_url: null }

/** The simulated vendor, a receiver of its webhooks, and the adapter over sockets to it. */
const stageWith = Effect.fnUntraced(function* (allowlist: ReadonlySet<string>) {
  const receiver = yield* startReceiver
  const accounts = [{ key: Redacted.value(account.key), webhook_secret: "secret", webhook_url: receiver.url }]
  const simulator = yield* simulatedPix("pixprov1", { accounts })
  const options = { url: operatorUrl(simulator.url), totalTimeoutMs: 1000 }
  const { agentic } = yield* overSockets(makePixprov1(options), allowlist)
  const fault = (name: string, operation: string) => simulator.faults.set([{ name, operation, times: 1 }], 1)
  return { simulator, agentic, receiver, fault }
})

const stage = stageWith(new Set())

const order = (external_id: string, more: Partial<AuthorizationOrder> = {}): AuthorizationOrder => ({
  external_id,
  participant_id: "part_1",
  agent_id: "agent_1",
  bank_id: "bank_azul",
  customer: { name: "Ana", tax_id: "12345678909" },
  max_amount_centavos: 50_000,
  expires_at: vendorClock() + 3_600_000,
  return_url: "https://shop.example/back",
  ...more
})

const payment = (external_id: string, authorization_id: string, more: Partial<AgenticPaymentOrder> = {}) => ({
  external_id,
  authorization_id,
  amount_centavos: 12_550,
  description: null,
  ...more
})

/** The thing of an answer. */
const got = <A extends { readonly _tag: string }, Tag extends A["_tag"]>(answer: A, tag: Tag) => {
  assert.strictEqual(answer._tag, tag)
  return answer as Extract<A, { readonly _tag: Tag }>
}

const decide = (url: string, decision: string) =>
  Effect.promise(() => fetch(url, { method: "POST", body: new URLSearchParams({ decision }) }))

const eventually = (holds: Effect.Effect<boolean>): Effect.Effect<void> =>
  Effect.flatMap(holds, (done) => (done ? Effect.void : eventually(holds)))

it.live("banks are listed as the vendor lists them C-AGT-01", () =>
  Effect.gen(function* () {
    const { agentic, fault } = yield* stage
    const { banks } = got(yield* agentic.banks(account), "Banks")
    assert.deepStrictEqual(banks[0], {
      id: "bank_azul",
      name: "Banco Azul",
      ispb: "10000001",
      logo_url: null,
      status: "available"
    })
    assert.deepStrictEqual([...new Set(banks.map(({ status }) => status))].sort(), ["available", "unavailable"])
    fault("error_500", "banks")
    assert.strictEqual((yield* agentic.banks(account))._tag, "Unknown")
    fault("credentials_invalid", "banks")
    assert.deepStrictEqual(yield* agentic.banks(account), { _tag: "Refused", code: "credentials_invalid" })
  }).pipe(Effect.scoped)
)

it.live("an authorization is made once, given on the vendor's page, and revoked C-AGT-01", () =>
  Effect.gen(function* () {
    const { agentic, receiver, simulator } = yield* stage
    const made = got(yield* agentic.authorize(account, order("aga_1")), "Authorization")
    assert.deepInclude(made, { external_id: "aga_1", status: "pending" })
    assert.deepStrictEqual(yield* agentic.authorize(account, order("aga_1")), made)
    assert.deepStrictEqual(yield* agentic.authorization(account, made.id), made)
    assert.deepStrictEqual(yield* agentic.authorizationOf(account, "aga_1"), made)
    assert.deepInclude(simulator.log.read(0, "authorization")[0], {
      outcome: "made",
      idempotency_key: "aga_1",
      participant_id: "part_1",
      agent_id: "agent_1",
      max_amount_centavos: 50_000
    })
    yield* decide(made.authorization_url ?? "", "authorized")
    assert.strictEqual(got(yield* agentic.authorization(account, made.id), "Authorization").status, "authorized")
    const [told] = yield* receiver.heard(1)
    assert.deepInclude(JSON.parse(told?.body.toString() ?? ""), {
      type: "authorization.updated",
      data: { id: made.id, external_id: "aga_1", status: "authorized" }
    })
    assert.strictEqual(got(yield* agentic.revoke(account, made.id), "Authorization").status, "revoked")
    assert.strictEqual(got(yield* agentic.revoke(account, made.id), "Authorization").status, "revoked")
    assert.deepStrictEqual(yield* agentic.revoke(account, "nothing"), { _tag: "Absent" })
    assert.deepStrictEqual(yield* agentic.authorizationOf(account, "aga_2"), { _tag: "Absent" })
  }).pipe(Effect.scoped)
)

it.live("an authorization is refused, rejected by its customer, or runs out", () =>
  Effect.gen(function* () {
    const { agentic } = yield* stage
    for (const bank_id of ["bank_cinza", "nobody"]) {
      const answer = yield* agentic.authorize(account, order(bank_id, { bank_id }))
      assert.deepStrictEqual(answer, { _tag: "Refused", code: "request_invalid" })
    }
    const made = got(yield* agentic.authorize(account, order("aga_1")), "Authorization")
    yield* decide(made.authorization_url ?? "", "rejected")
    assert.strictEqual(got(yield* agentic.authorization(account, made.id), "Authorization").status, "rejected")
    const over = got(yield* agentic.authorize(account, order("aga_2", { expires_at: vendorClock() })), "Authorization")
    yield* eventually(
      Effect.map(agentic.authorization(account, over.id), (answer) => "status" in answer && answer.status === "expired")
    )
  }).pipe(Effect.scoped)
)

it.live("a payment is made once, within its authorization, and reaches its outcome C-AGT-01", () =>
  Effect.gen(function* () {
    const { agentic, fault, receiver, simulator } = yield* stage
    const authorization = got(yield* agentic.authorize(account, order("aga_1")), "Authorization")
    const early = yield* agentic.pay(account, payment("agp_0", authorization.id))
    assert.deepStrictEqual(early, { _tag: "Refused", code: "request_invalid" })
    yield* decide(authorization.authorization_url ?? "", "authorized")
    const much = yield* agentic.pay(account, payment("agp_0", authorization.id, { amount_centavos: 50_001 }))
    assert.deepStrictEqual(much, { _tag: "Refused", code: "amount_invalid" })

    const statusOf = (id: string) =>
      Effect.map(agentic.payment(account, id), (answer) => ("status" in answer ? answer.status : answer._tag))
    const made = got(yield* agentic.pay(account, payment("agp_1", authorization.id)), "Payment")
    assert.deepInclude(made, { external_id: "agp_1", amount_centavos: 12_550, error: null })
    assert.strictEqual(got(yield* agentic.pay(account, payment("agp_1", authorization.id)), "Payment").id, made.id)
    yield* eventually(Effect.map(statusOf(made.id), (status) => status === "paid"))
    assert.strictEqual(got(yield* agentic.paymentOf(account, "agp_1"), "Payment").status, "paid")

    fault("payment_failed", "agentic_payment")
    const failing = got(yield* agentic.pay(account, payment("agp_2", authorization.id)), "Payment")
    yield* eventually(Effect.map(statusOf(failing.id), (status) => status === "failed"))
    const failed = got(yield* agentic.payment(account, failing.id), "Payment")
    assert.deepStrictEqual(failed.error, { code: "payment_declined", message: "the bank declined" })

    const types = (yield* receiver.heard(3)).map(({ body }) => JSON.parse(body.toString()).type)
    assert.deepStrictEqual(types.sort(), [
      "agentic_payment.updated",
      "agentic_payment.updated",
      "authorization.updated"
    ])
    assert.strictEqual(simulator.log.read(0, "agentic_payment").filter(({ outcome }) => outcome === "made").length, 2)
  }).pipe(Effect.scoped)
)

it.live("a create without an answer is found by our id", () =>
  Effect.gen(function* () {
    const { agentic, fault } = yield* stage
    for (const name of ["timeout_after", "reset_after", "error_500_after"]) {
      fault(name, "authorization")
      assert.strictEqual((yield* agentic.authorize(account, order(name)))._tag, "Unknown", name)
      const found = got(yield* agentic.authorizationOf(account, name), "Authorization")
      yield* decide(found.authorization_url ?? "", "authorized")
      fault(name, "agentic_payment")
      assert.strictEqual((yield* agentic.pay(account, payment(`${name}_paid`, found.id)))._tag, "Unknown", name)
      assert.strictEqual((yield* agentic.paymentOf(account, `${name}_paid`))._tag, "Payment", name)
    }
    for (const name of ["timeout", "reset", "error_500"]) {
      fault(name, "authorization")
      assert.strictEqual((yield* agentic.authorize(account, order(name)))._tag, "Unknown", name)
      assert.strictEqual((yield* agentic.authorizationOf(account, name))._tag, "Absent", name)
    }
  }).pipe(Effect.scoped)
)

it.live(
  "a create that takes effect after its connection was cut is not found before, and its repeat is not refused",
  () =>
    Effect.gen(function* () {
      const { agentic, simulator } = yield* stage
      const fault = (operation: string, value: number) =>
        simulator.faults.set([{ name: "lands_late", operation, times: 1, value }], 1)
      // Longer than any run of the test: what is due then is under way to its end.
      const hour = 3_600_000
      fault("authorization", hour)
      assert.strictEqual((yield* agentic.authorize(account, order("aga_2")))._tag, "Unknown")
      assert.strictEqual((yield* agentic.authorizationOf(account, "aga_2"))._tag, "Absent")
      assert.strictEqual((yield* agentic.authorize(account, order("aga_2")))._tag, "Unknown")
      fault("authorization", 1)
      assert.strictEqual((yield* agentic.authorize(account, order("aga_1")))._tag, "Unknown")
      yield* eventually(Effect.map(agentic.authorizationOf(account, "aga_1"), ({ _tag }) => _tag === "Authorization"))
      const found = got(yield* agentic.authorizationOf(account, "aga_1"), "Authorization")
      yield* decide(found.authorization_url ?? "", "authorized")
      fault("agentic_payment", hour)
      const underWay = payment("agp_2", found.id)
      assert.strictEqual((yield* agentic.pay(account, underWay))._tag, "Unknown")
      assert.strictEqual((yield* agentic.paymentOf(account, "agp_2"))._tag, "Absent")
      assert.strictEqual((yield* agentic.pay(account, underWay))._tag, "Unknown")
      fault("agentic_payment", 1)
      assert.strictEqual((yield* agentic.pay(account, payment("agp_1", found.id)))._tag, "Unknown")
      yield* eventually(Effect.map(agentic.paymentOf(account, "agp_1"), ({ _tag }) => _tag === "Payment"))
      const outcomes = simulator.log.read(0, "authorization").map(({ outcome }) => outcome)
      assert.deepStrictEqual(outcomes, ["lands_late", "idempotency_key_in_use", "lands_late", "made"])
    }).pipe(Effect.scoped)
)

it.live("a look-up that lags does not find what exists", () =>
  Effect.gen(function* () {
    const { agentic, simulator } = yield* stage
    const { id } = got(yield* agentic.authorize(account, order("aga_1")), "Authorization")
    const lag = { name: "lagging_lookup", operation: "authorization_lookup" }
    simulator.faults.set([{ ...lag, value: 3_600_000 }], 1)
    assert.strictEqual((yield* agentic.authorizationOf(account, "aga_1"))._tag, "Absent")
    assert.strictEqual((yield* agentic.authorization(account, id))._tag, "Authorization")
    simulator.faults.set([{ ...lag, value: 0 }], 1)
    assert.strictEqual((yield* agentic.authorizationOf(account, "aga_1"))._tag, "Authorization")
  }).pipe(Effect.scoped)
)

it.live("an account is reached at its own allowed base URL, and sees nothing of another account", () =>
  Effect.gen(function* () {
    const other = yield* simulatedPix("pixprov1")
    const { agentic } = yield* stageWith(new Set([other.url]))
    const there = { ...account, base_url: `${other.url}/` }
    const made = got(yield* agentic.authorize(there, order("aga_1")), "Authorization")
    assert.strictEqual(other.log.read(0, "authorization").length, 1)
    assert.strictEqual((yield* agentic.authorization(account, made.id))._tag, "Absent")
    const stranger = { key: Redacted.make("stranger"), base_url: other.url }
    assert.strictEqual((yield* agentic.authorization(stranger, made.id))._tag, "Absent")
  }).pipe(Effect.scoped)
)

it.live(
  "a tenant's base URL on a private address is never dialled, and its answers reveal nothing about that address",
  () =>
    Effect.gen(function* () {
      const { agentic } = yield* stage
      const inner = yield* simulatedPix("pixprov1")
      for (const base_url of [inner.url, inner.url.replace("127.0.0.1", "[::ffff:127.0.0.1]"), `${inner.url}/x`]) {
        const there = { ...account, base_url }
        assert.deepStrictEqual(yield* agentic.banks(there), { _tag: "Unknown" })
        assert.deepStrictEqual(yield* agentic.authorize(there, order("aga_1")), { _tag: "Unknown" })
        assert.deepStrictEqual(yield* agentic.authorizationOf(there, "aga_1"), { _tag: "Unknown" })
      }
      assert.lengthOf(inner.log.read(0, null), 0)
    }).pipe(Effect.scoped)
)

it.live("a base URL equal to the operator's counts as the operator's, wherever it is", () =>
  Effect.gen(function* () {
    const { agentic, simulator } = yield* stage
    const there = { ...account, base_url: `${simulator.url}/` }
    assert.strictEqual((yield* agentic.banks(there))._tag, "Banks")
    assert.strictEqual((yield* agentic.banks({ ...account, base_url: `${simulator.url}/v1` }))._tag, "Unknown")
  }).pipe(Effect.scoped)
)

it.live("a payment whose amount cannot be read is unknown", () =>
  Effect.gen(function* () {
    const { agentic, fault } = yield* stage
    const given = got(yield* agentic.authorize(account, order("aga_1")), "Authorization")
    yield* decide(given.authorization_url ?? "", "authorized")
    fault("unreadable_amount", "agentic_payment")
    assert.strictEqual((yield* agentic.pay(account, payment("agp_1", given.id)))._tag, "Unknown")
    assert.strictEqual(got(yield* agentic.paymentOf(account, "agp_1"), "Payment").amount_centavos, 12_550)
  }).pipe(Effect.scoped)
)
