import { createHash } from "node:crypto"
import type { PixAnswer, PixCheckoutOrder } from "@carteiro/provider/payments/PixProvider.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { until } from "../support/Until.ts"
import { type PixDriverCase, pixDrivers, provenIds } from "./PixDrivers.ts"

// The promises of the port of Pix, over every driver in each of its modes; what differs is a fact of the driver.

/** Returns an id of ours: its name makes it another one. */
const idOf = (name: string): string =>
  `pay_${createHash("sha256").update(name).digest("hex").toUpperCase().slice(0, 26)}`

const chargeOf = (answer: PixAnswer) => {
  assert.strictEqual(answer._tag, "Charge", JSON.stringify(answer))
  return answer as Extract<PixAnswer, { readonly _tag: "Charge" }>
}
const statusOf = (answer: PixAnswer) => (answer._tag === "Charge" ? answer.status : answer._tag)
const refused = (code: string) => ({ _tag: "Refused" as const, code })
const unknown = { _tag: "Unknown" } as const
const absent = { _tag: "Absent" } as const

/** The stage of a driver, with orders by name and the acts of its simulator. */
const stageOf = Effect.fnUntraced(function* ({ mode, operation, stage }: PixDriverCase) {
  const staged = yield* stage
  const { key, noticeUrl, provider, simulator } = staged
  const order = (name: string, more: Partial<PixCheckoutOrder> = {}): PixCheckoutOrder => ({
    external_id: idOf(name),
    amount_centavos: 12_551,
    description: "Pedido 1",
    expires_in_seconds: 3600,
    customer: { name: "Ana Souza", tax_id: "12345678909", phone: "+5511999990000", email: "ana@example.com" },
    mode,
    success_url: null,
    ...(noticeUrl === undefined ? undefined : { notice_url: noticeUrl }),
    ...more
  })
  const fault = (name: string, more: object = {}) => simulator.faults.set([{ name, operation, times: 1, ...more }], 1)
  const post = (path: string, body: string | URLSearchParams) =>
    Effect.promise(() => fetch(`${simulator.controlUrl}${path}`, { method: "POST", body }))
  return {
    ...staged,
    order,
    fault,
    create: (name: string, more: Partial<PixCheckoutOrder> = {}) => provider.create(key, order(name, more)),
    read: (id: string) => provider.read(key, id),
    lookUp: (name: string) => provider.lookUp(key, idOf(name)),
    outcomes: () => simulator.log.read(0, operation).map(({ outcome }) => outcome),
    decide: (id: string, status: string) => post("/outcomes", JSON.stringify({ id, status })),
    /** Returns the address at which a payer pays: the vendor's page, or the bank's that took the code. */
    payerPage: ({ payment_url, pix_copy_paste }: ReturnType<typeof chargeOf>) =>
      payment_url === null
        ? Effect.map(post("/bank", new URLSearchParams({ code: pix_copy_paste ?? "" })), ({ url }) => url)
        : Effect.succeed(payment_url)
  }
})

const press = (url: string, outcome: string) =>
  Effect.promise(() => fetch(url, { method: "POST", body: new URLSearchParams({ outcome }) }))

describe.each(pixDrivers)("Pix by the driver $name, $mode", (driver) => {
  const stage = stageOf(driver)

  it.live("a charge shows its request to the centavo, and is found by either id C-PAY-25", () =>
    Effect.gen(function* () {
      const { create, lookUp, read, simulator } = yield* stage
      const made = chargeOf(yield* create("one"))
      assert.deepInclude(made, { external_id: idOf("one"), amount_centavos: 12_551, status: "pending" })
      assert.isAbove(made.expires_at ?? 0, vendorClock())
      if (driver.shows === "page") assert.match(made.payment_url ?? "", /^http/)
      else assert.match(made.pix_copy_paste ?? "", /^000201.*5303986.*6304[0-9A-F]{4}$/)
      assert.deepStrictEqual(made.payment_url === null, driver.shows === "code")
      for (const seen of [yield* read(made.id), yield* lookUp("one")]) {
        const { id, status } = chargeOf(seen)
        assert.deepStrictEqual([id, status], [made.id, "pending"])
        assert.strictEqual(chargeOf(seen).external_id, idOf("one"))
      }
      const name = driver.nameOf(idOf("one"))
      assert.deepInclude(simulator.log.read(0, driver.operation)[0], {
        outcome: "made",
        external_id: name,
        idempotency_key: name,
        amount_centavos: 12_551
      })
    }).pipe(Effect.scoped)
  )

  it.live("a repeated create makes no second charge, or the driver says that it would", () =>
    Effect.gen(function* () {
      const { create } = yield* stage
      const made = chargeOf(yield* create("one"))
      const again = yield* create("one")
      if (driver.repeats === "same_or_unknown" && again._tag === "Unknown") return
      assert.strictEqual(chargeOf(again).id === made.id, driver.repeats !== "another")
    }).pipe(Effect.scoped)
  )

  it.live("an unknown charge is absent, also for another account", () =>
    Effect.gen(function* () {
      const { create, lookUp, provider, read, stranger } = yield* stage
      const made = chargeOf(yield* create("one"))
      assert.deepStrictEqual(yield* read(driver.unknownId), absent)
      assert.deepStrictEqual(yield* lookUp("two"), absent)
      assert.deepStrictEqual(yield* provider.read(stranger, made.id), absent)
      assert.deepStrictEqual(yield* provider.lookUp(stranger, idOf("one")), absent)
    }).pipe(Effect.scoped)
  )

  it.live("a charge that takes effect after its connection was cut is unknown until a look-up finds it", () =>
    Effect.gen(function* () {
      const { create, fault, lookUp, outcomes, simulator } = yield* stage
      // Longer than any run of the test: this one is under way to its end.
      fault("lands_late", { value: 3_600_000 })
      assert.deepStrictEqual(yield* create("two"), unknown)
      assert.deepStrictEqual(yield* lookUp("two"), absent)
      if (driver.repeats !== "another") {
        // The vendor refuses the repeat, which says nothing about the first call.
        assert.deepStrictEqual(yield* create("two"), unknown)
        assert.deepStrictEqual(outcomes(), ["lands_late", "idempotency_key_in_use"])
      }
      fault("lands_late", { value: 1 })
      assert.deepStrictEqual(yield* create("one"), unknown)
      yield* until(Effect.map(lookUp("one"), ({ _tag }) => _tag === "Charge"))
      assert.strictEqual(outcomes().at(-1), "made")
      const lag = { name: "lagging_lookup", operation: `${driver.operation}_lookup`, value: 600_000 }
      simulator.faults.set([lag], 1)
      assert.strictEqual((yield* lookUp("one"))._tag, driver.lookUp === "lags" ? "Absent" : "Charge")
    }).pipe(Effect.scoped)
  )

  it.live("refusals are certain and keep the vendor's code, and too many calls say nothing", () =>
    Effect.gen(function* () {
      const { codes } = driver
      const { create, fault, invalid, lookUp, order, provider } = yield* stage
      fault("charge_rejected")
      assert.deepStrictEqual(yield* create("rejected"), refused(codes.rejected))
      assert.deepStrictEqual(yield* create("zero", { amount_centavos: 0 }), refused(codes.amount))
      assert.deepStrictEqual(yield* provider.create(invalid, order("key")), refused(codes.credentials))
      for (const name of ["rejected", "zero", "key"]) assert.deepStrictEqual(yield* lookUp(name), absent, name)
      fault("rate_limited")
      assert.deepStrictEqual(yield* create("limited"), unknown)
    }).pipe(Effect.scoped)
  )

  it.live("a lost call is unknown, and its charge is found by our id where there is one", () =>
    Effect.gen(function* () {
      const { create, fault, lookUp } = yield* stage
      for (const name of ["timeout", "reset", "error_500"]) {
        fault(name)
        assert.deepStrictEqual(yield* create(name), unknown, name)
        assert.deepStrictEqual(yield* lookUp(name), absent, name)
      }
      for (const name of ["timeout_after", "reset_after", "error_500_after"]) {
        fault(name)
        assert.deepStrictEqual(yield* create(name), unknown, name)
        const { id } = chargeOf(yield* lookUp(name))
        if (driver.repeats === "same") assert.strictEqual(chargeOf(yield* create(name)).id, id, name)
      }
    }).pipe(Effect.scoped)
  )

  it.live("a charge under another id is not taken for ours, and another amount is shown", () =>
    Effect.gen(function* () {
      const { create, fault, lookUp, read } = yield* stage
      const { id } = chargeOf(yield* create("one"))
      fault("wrong_external_id")
      assert.strictEqual((yield* lookUp("one"))._tag, driver.showsFlaws ? "Unknown" : "Charge")
      fault("wrong_external_id")
      const other = yield* read(id)
      assert.strictEqual(other._tag === "Charge" && other.external_id === idOf("one"), !driver.showsFlaws)
      fault("wrong_amount")
      assert.strictEqual(chargeOf(yield* read(id)).amount_centavos, driver.showsFlaws ? 12_552 : 12_551)
      // An amount that cannot be compared is not the absence of one.
      fault("unreadable_amount")
      assert.strictEqual((yield* read(id))._tag, driver.showsFlaws && !driver.readsAmountText ? "Unknown" : "Charge")
    }).pipe(Effect.scoped)
  )

  it.live("people pay where the charge says, the vendor tells of it, and its answer shows it C-PAY-27", () =>
    Effect.gen(function* () {
      const staged = yield* stage
      const { create, heard, payerPage, read } = staged
      const made = chargeOf(yield* create("one"))
      const url = yield* payerPage(made)
      const page = yield* Effect.promise(() => fetch(url).then((answer) => answer.text()))
      assert.include(page, "R$ 125,51")
      assert.include(page, "Pedido 1")
      yield* heard(driver.notices.made)
      for (const outcome of ["paid", "failed"]) {
        yield* press(url, outcome)
        assert.strictEqual(statusOf(yield* read(made.id)), "paid")
      }
      const notices = yield* heard(driver.notices.paid)
      for (const notice of notices) {
        assert.deepStrictEqual(yield* provenIds(staged, notice), [idOf("one")])
        const [another, right] = [Redacted.make("another"), Redacted.make("secret")]
        assert.isUndefined(yield* provenIds(staged, notice, [another]))
        assert.deepStrictEqual(yield* provenIds(staged, notice, [another, right]), [idOf("one")])
      }
    }).pipe(Effect.scoped)
  )

  it.live("every outcome is shown in the contract's words", () =>
    Effect.gen(function* () {
      const { create, decide, read } = yield* stage
      for (const [decision, status] of Object.entries(driver.ends)) {
        const { id } = chargeOf(yield* create(decision))
        yield* decide(id, decision)
        assert.strictEqual(statusOf(yield* read(id)), status, decision)
      }
    }).pipe(Effect.scoped)
  )

  it.live("notices come twice, late, out of order or not at all, and a forged or stale one proves nothing", () =>
    Effect.gen(function* () {
      const staged = yield* stage
      const { create, decide, heard, simulator } = staged
      const { made, paid } = driver.notices
      const told = Effect.fnUntraced(function* (name: string, count: number, ...orders: ReadonlyArray<string>) {
        const charges = yield* Effect.forEach(orders, (one) => Effect.map(create(one), chargeOf))
        yield* heard(made * orders.length)
        simulator.faults.set(name === "" ? [] : [{ name, times: 1, value: 0 }], 1)
        for (const { id } of charges) yield* decide(id, "paid")
        const proven = yield* Effect.forEach(yield* heard(count), (notice) => provenIds(staged, notice))
        simulator.faults.set([], 1)
        return proven.map((ids) => (ids === undefined ? undefined : String(ids))).sort()
      })
      const times = (count: number, name: string) => Array.from({ length: count }, () => idOf(name))
      assert.deepStrictEqual(yield* told("duplicate_webhook", paid + 1, "a"), times(paid + 1, "a"))
      const both = [...times(paid, "b"), ...times(paid, "c")].sort()
      assert.deepStrictEqual(yield* told("reorder_webhooks", paid * 2, "b", "c"), both)
      assert.deepStrictEqual(yield* told("lost_webhook", paid - 1, "d"), times(paid - 1, "d"))
      assert.deepStrictEqual(yield* told("delay_webhook", paid, "e"), times(paid, "e"))
      for (const name of driver.forgeries) {
        assert.deepStrictEqual(yield* told(name, paid, name), [...times(paid - 1, name), undefined], name)
      }
    }).pipe(Effect.scoped)
  )

  it.live("a cancel ends an open charge now or later, and none that has ended C-PCAN-04 C-PCAN-08 C-PCAN-10", () =>
    Effect.gen(function* () {
      const { cancelRefusal } = driver
      const { create, decide, key, provider, read, simulator } = yield* stage
      const { cancel } = provider
      if (cancel === undefined) return assert.isNull(cancelRefusal)
      const one = chargeOf(yield* create("one"))
      if (cancelRefusal === "unsupported") {
        return assert.deepStrictEqual(yield* cancel(key, one.id), refused("cancellation_unsupported"))
      }
      assert.include(["pending", "cancelled"], statusOf(yield* cancel(key, one.id)))
      yield* until(Effect.map(read(one.id), (answer) => statusOf(answer) === "cancelled"))
      assert.include(["cancelled", "Refused"], statusOf(yield* cancel(key, one.id)))

      const paid = chargeOf(yield* create("two"))
      yield* decide(paid.id, "paid")
      assert.deepStrictEqual(yield* cancel(key, paid.id), refused(cancelRefusal ?? ""))
      assert.strictEqual(statusOf(yield* read(paid.id)), "paid")
      assert.deepStrictEqual(yield* cancel(key, driver.unknownId), absent)

      const stuck = chargeOf(yield* create("three"))
      simulator.faults.set([{ name: "stuck_cancel" }], 1)
      assert.strictEqual(statusOf(yield* cancel(key, stuck.id)), "pending")
      assert.strictEqual(statusOf(yield* read(stuck.id)), "pending")
    }).pipe(Effect.scoped)
  )

  it.live("an approval is requested once and given by people, or the driver has none", () =>
    Effect.gen(function* () {
      const { create, decide, key, provider, read } = yield* stage
      const { requestApproval } = provider
      assert.strictEqual(requestApproval !== undefined, driver.approves)
      if (requestApproval === undefined) return
      const { id } = chargeOf(yield* create("one"))
      const approval = { external_id: "one:approval", note: "please" }
      const requested = yield* requestApproval(key, id, approval)
      assert.strictEqual(requested._tag, "Requested")
      assert.deepStrictEqual(yield* requestApproval(key, id, approval), requested)
      for (const status of ["approved", "paid"]) {
        yield* decide(id, status)
        assert.strictEqual(statusOf(yield* read(id)), status)
      }
      const late = yield* requestApproval(key, id, { external_id: "late", note: null })
      assert.deepStrictEqual(late, refused("already_ended"))
      const nowhere = yield* requestApproval(key, driver.unknownId, { external_id: "x", note: null })
      assert.deepStrictEqual(nowhere, absent)
    }).pipe(Effect.scoped)
  )

  it.live('the service\'s own account is charged by code under its own id gaps-3 G "Shape of the adapters"', () =>
    Effect.gen(function* () {
      const { charges, decide } = yield* stage
      if (charges === undefined) return assert.strictEqual(driver.name, "pixprov1 bridge")
      const external_id = `ctu_${idOf("own").slice(4)}`
      const own = { external_id, amount_centavos: 5000, description: null, expires_in_seconds: 86_400 }
      const made = yield* charges.create(own)
      assert.deepInclude(made, { _tag: "Charge", external_id, amount_centavos: 5000, status: "pending" })
      const { id, pix_copy_paste } = made._tag === "Charge" ? made : assert.fail()
      assert.match(pix_copy_paste ?? "", /^000201/)
      assert.deepInclude(yield* charges.lookUp(external_id), { _tag: "Charge", id, status: "pending" })
      yield* decide(id, "paid")
      assert.deepInclude(yield* charges.read(id), { _tag: "Charge", external_id, status: "paid" })
      assert.deepStrictEqual(yield* charges.lookUp(`ctu_${idOf("none").slice(4)}`), absent)
    }).pipe(Effect.scoped)
  )
})
