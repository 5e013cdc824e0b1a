import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startMercadopago } from "@carteiro/simulators/mercadopago/Simulator.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  InvalidWebhookSignatureError,
  MercadoPagoConfig,
  type MercadoPagoError,
  MPBadRequestError,
  MPConnectionError,
  MPIdempotencyError,
  MPNotFoundError,
  MPRateLimitError,
  MPResourceLockedError,
  MPServerError,
  Payment,
  PaymentRefund,
  Preference,
  User,
  WebhookSignatureValidator
} from "mercadopago"
import { until } from "../support/Until.ts"
import { type Heard, startReceiver } from "../support/VendorReceiver.ts"

// The simulated Mercado Pago, driven by the official client: what the client cannot read, the simulator has wrong.

const address = "https://api.mercadopago.com"

/** Leads the client's calls to the simulator: its address is fixed, and it calls the global `fetch`. */
const leadTo = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = globalThis.fetch
      globalThis.fetch = (input, init) => before(String(input).replace(address, url), init)
      return before
    }),
    (before) =>
      Effect.sync(() => {
        globalThis.fetch = before
      })
  )

const stage = Effect.gen(function* () {
  const receiver = yield* startReceiver
  const accounts = [{ key: "APP_USR-1", webhook_secret: "secret", webhook_url: receiver.url }]
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() => startMercadopago({ now: vendorClock, accounts })),
    ({ close }) => Effect.promise(close)
  )
  yield* leadTo(simulator.url)
  const configOf = (accessToken: string) => new MercadoPagoConfig({ accessToken, options: { maxRetries: 0 } })
  const config = configOf("APP_USR-1")
  const control = (path: string, body: object) =>
    Effect.promise(() => fetch(`${simulator.url}${path}`, { method: "POST", body: JSON.stringify(body) }))
  return {
    simulator,
    receiver,
    configOf,
    control,
    payments: new Payment(config),
    preferences: new Preference(config),
    refunds: new PaymentRefund(config),
    user: new User(config)
  }
})

const body = (external_reference: string, more: object = {}) => ({
  transaction_amount: 125.5,
  description: "Pedido 1",
  payment_method_id: "pix",
  external_reference,
  payer: { email: "ana@example.com", first_name: "Ana", identification: { type: "CPF", number: "12345678909" } },
  ...more
})

const keyed = (idempotencyKey: string) => ({ requestOptions: { idempotencyKey, maxRetries: 0 } })

const from = <A>(promise: () => Promise<A>) => Effect.promise(promise)

/** Returns the error that a call of the client ends with. */
const errorOf = (promise: () => Promise<unknown>): Effect.Effect<MercadoPagoError> =>
  Effect.promise(() =>
    promise().then(
      () => assert.fail("the call was not refused"),
      (error: MercadoPagoError) => error
    )
  )

const causeOf = ({ causes }: MercadoPagoError): unknown => (causes as ReadonlyArray<{ readonly code: number }>)[0]?.code

const headerOf = (heard: Heard | undefined, name: string): string => String(heard?.headers[name])

/** Checks a webhook as the vendor's own library does. */
const checkSignature = (heard: Heard | undefined, toleranceSeconds?: number) =>
  WebhookSignatureValidator.validate({
    xSignature: headerOf(heard, "x-signature"),
    xRequestId: headerOf(heard, "x-request-id"),
    dataId: new URL(heard?.path ?? "/", "http://receiver").searchParams.get("data.id") ?? "",
    secret: "secret",
    ...(toleranceSeconds === undefined ? undefined : { toleranceSeconds })
  })

it.live(
  "the official client creates, reads, finds, pays, refunds and cancels a Pix of the simulated Mercado Pago",
  () =>
    Effect.gen(function* () {
      const { control, payments, refunds, simulator } = yield* stage
      const made = yield* from(() => payments.create({ body: body("pay_1"), ...keyed("pay_1") }))
      assert.deepInclude(made, { status: "pending", status_detail: "pending_waiting_transfer", currency_id: "BRL" })
      assert.deepInclude(made, {
        external_reference: "pay_1",
        transaction_amount: 125.5,
        payment_type_id: "bank_transfer"
      })
      assert.strictEqual(made.api_response.status, 201)
      const data = made.point_of_interaction?.transaction_data
      assert.match(data?.qr_code ?? "", /^000201.*5303986.*6304[0-9A-F]{4}$/)
      assert.strictEqual(
        Buffer.from(data?.qr_code_base64 ?? "", "base64")
          .subarray(1, 4)
          .toString(),
        "PNG"
      )
      assert.isTrue(data?.ticket_url?.startsWith(simulator.url))
      const lifetimeMs = Date.parse(made.date_of_expiration ?? "") - Date.parse(made.date_created ?? "")
      assert.strictEqual(Math.round(lifetimeMs / 3_600_000), 24)
      const id = made.id ?? 0
      const repeated = yield* from(() => payments.create({ body: body("pay_1"), ...keyed("pay_1") }))
      assert.deepStrictEqual([repeated.id, repeated.api_response.status], [id, 200])
      const found = yield* from(() => payments.search({ options: { external_reference: "pay_1" } }))
      assert.deepStrictEqual(found.paging, { total: 1, limit: 30, offset: 0 })
      assert.strictEqual(Number(found.results?.[0]?.id), id)
      yield* control("/outcomes", { id: "pay_1", status: "paid" })
      const paid = yield* from(() => payments.get({ id }))
      assert.deepInclude(paid, { status: "approved", status_detail: "accredited" })
      const part = yield* from(() => refunds.create({ payment_id: id, body: { amount: 25.5 }, ...keyed("r1") }))
      assert.deepInclude(part, { payment_id: id, amount: 25.5, status: "approved" })
      const again = yield* from(() => refunds.create({ payment_id: id, body: { amount: 25.5 }, ...keyed("r1") }))
      assert.deepStrictEqual([again.id, again.api_response.status], [undefined, 200])
      assert.strictEqual((yield* from(() => payments.get({ id }))).status_detail, "partially_refunded")
      yield* from(() => refunds.total({ payment_id: id, ...keyed("r2") }))
      const refunded = yield* from(() => payments.get({ id }))
      assert.deepInclude(refunded, { status: "refunded", transaction_amount_refunded: 125.5 })
      assert.strictEqual((yield* from(() => refunds.list({ payment_id: id }))).length, 2)
      const other = yield* from(() => payments.create({ body: body("pay_2"), ...keyed("pay_2") }))
      const cancelled = yield* from(() => payments.cancel({ id: other.id ?? 0 }))
      assert.deepInclude(cancelled, { status: "cancelled", status_detail: "by_collector" })
    }).pipe(Effect.scoped)
)

it.live("the simulated Mercado Pago refuses what its reference refuses, and the official client reads why", () =>
  Effect.gen(function* () {
    const { configOf, payments, refunds, simulator, user } = yield* stage
    let call = 0
    const refusedBy = (more: object) =>
      Effect.map(
        errorOf(() => payments.create({ body: body("pay_1", more), ...keyed(`key ${++call}`) })),
        (error) => [error.status, causeOf(error)]
      )
    const inMinutes = (minutes: number) => new Date(vendorClock() + minutes * 60_000).toISOString()
    assert.deepStrictEqual(yield* refusedBy({ date_of_expiration: inMinutes(20) }), [400, 23])
    assert.deepStrictEqual(yield* refusedBy({ date_of_expiration: inMinutes(31 * 1440) }), [400, 23])
    assert.deepStrictEqual(yield* refusedBy({ date_of_expiration: "2026-12-24" }), [400, 23])
    assert.deepStrictEqual(yield* refusedBy({ transaction_amount: 10.005 }), [400, 2072])
    assert.deepStrictEqual(yield* refusedBy({ transaction_amount: 0 }), [400, 2072])
    assert.deepStrictEqual(yield* refusedBy({ payer: { email: "ana@example.com", identification: {} } }), [400, 2067])
    const wrongId = { email: "ana@example.com", identification: { type: "CPF", number: "12345678900" } }
    assert.deepStrictEqual(yield* refusedBy({ payer: wrongId }), [400, 2067])
    const noMail = { identification: { type: "CNPJ", number: "11222333000181" } }
    assert.deepStrictEqual(yield* refusedBy({ payer: noMail }), [400, 4050])
    assert.deepStrictEqual(yield* refusedBy({ notification_url: "no url" }), [400, 4020])
    assert.deepStrictEqual(yield* refusedBy({ notification_url: "mailto:ana@example.com" }), [400, 4020])
    assert.deepStrictEqual(yield* refusedBy({ payment_type_id: "bank_transfer" }), [400, 8])
    const business = { email: "loja@example.com", identification: { type: "CNPJ", number: "11222333000181" } }
    const request = body("pay_1", { payer: business, date_of_expiration: inMinutes(31) })
    const made = yield* from(() => payments.create({ body: request, ...keyed("pay_1") }))
    const other = yield* errorOf(() => payments.create({ body: body("pay_1"), ...keyed("pay_1") }))
    assert.instanceOf(other, MPIdempotencyError)
    assert.instanceOf(yield* errorOf(() => payments.get({ id: 1 })), MPNotFoundError)
    const early = yield* errorOf(() => refunds.total({ payment_id: made.id ?? 0, ...keyed("r1") }))
    assert.deepStrictEqual([early.status, causeOf(early)], [400, 2063])
    yield* from(() => payments.cancel({ id: made.id ?? 0 }))
    const late = yield* errorOf(() => payments.cancel({ id: made.id ?? 0 }))
    assert.instanceOf(late, MPBadRequestError)
    assert.strictEqual(causeOf(late), 2063)
    assert.strictEqual((yield* from(() => user.get())).site_id, "MLB")
    const stranger = new User(configOf("invalid-token"))
    assert.strictEqual((yield* errorOf(() => stranger.get())).status, 401)
    const keyless = yield* from(() =>
      fetch(`${simulator.url}/v1/payments`, {
        method: "POST",
        headers: { authorization: "Bearer APP_USR-1" },
        body: JSON.stringify(body("pay_3"))
      }).then((answer) => answer.json())
    )
    assert.deepInclude(keyless, { status: 400, message: "Header X-Idempotency-Key can't be null" })
  }).pipe(Effect.scoped)
)

it.live("calls to the simulated Mercado Pago are cut, limited, failed after their effect, and land late", () =>
  Effect.gen(function* () {
    const { payments, simulator } = yield* stage
    const create = (id: string) => payments.create({ body: body(id), ...keyed(id) })
    const fault = (name: string, more: object = {}) =>
      simulator.faults.set([{ name, operation: "checkout", times: 1, ...more }], 1)
    const count = (external_reference: string) =>
      Effect.map(
        from(() => payments.search({ options: { external_reference } })),
        ({ paging }) => paging?.total
      )
    fault("rate_limited", { value: 7 })
    const limited = yield* errorOf(() => create("limited"))
    assert.instanceOf(limited, MPRateLimitError)
    assert.strictEqual((limited as MPRateLimitError).retryAfter, 7)
    fault("reset")
    assert.instanceOf(yield* errorOf(() => create("cut")), MPConnectionError)
    assert.strictEqual(yield* count("cut"), 0)
    fault("error_500_after")
    assert.instanceOf(yield* errorOf(() => create("failed")), MPServerError)
    assert.strictEqual(yield* count("failed"), 1)
    assert.strictEqual((yield* from(() => create("failed"))).api_response.status, 200)
    // Longer than any run of the test: this one is under way to its end.
    fault("lands_late", { value: 3_600_000 })
    assert.instanceOf(yield* errorOf(() => create("under way")), MPConnectionError)
    assert.strictEqual(yield* count("under way"), 0)
    assert.instanceOf(yield* errorOf(() => create("under way")), MPResourceLockedError)
    fault("lands_late", { value: 1 })
    assert.instanceOf(yield* errorOf(() => create("late")), MPConnectionError)
    yield* until(Effect.map(count("late"), (total) => total === 1))
    simulator.faults.set([{ name: "lagging_lookup", value: 600_000 }], 1)
    assert.strictEqual(yield* count("late"), 0)
    simulator.faults.set([{ name: "unfiltered_lookup" }], 1)
    assert.strictEqual(yield* count("nothing"), 2)
  }).pipe(Effect.scoped)
)

it.live("webhooks of the simulated Mercado Pago pass the official validator, also before the answer and twice", () =>
  Effect.gen(function* () {
    const { control, payments, receiver, simulator } = yield* stage
    simulator.faults.set([{ name: "early_webhook", times: 1 }], 1)
    const own = body("pay_1", { notification_url: `${receiver.url}own?tenant=1` })
    const made = yield* from(() => payments.create({ body: own, ...keyed("pay_1") }))
    assert.strictEqual(simulator.log.read(0, null).at(-2)?.kind, "webhook")
    const [created] = yield* receiver.heard(1)
    assert.strictEqual(created?.path, `/own?tenant=1&data.id=${made.id}&type=payment`)
    assert.deepInclude(JSON.parse(String(created?.body)), {
      action: "payment.created",
      api_version: "v1",
      type: "payment",
      live_mode: true,
      data: { id: String(made.id) }
    })
    checkSignature(created)
    simulator.faults.set([{ name: "duplicate_webhook", times: 1 }], 1)
    yield* control("/outcomes", { id: "pay_1", status: "paid" })
    for (const heard of yield* receiver.heard(2)) {
      assert.strictEqual(JSON.parse(String(heard.body)).action, "payment.updated")
      checkSignature(heard)
    }
    simulator.faults.set(
      [
        { name: "bad_signature", times: 1 },
        { name: "signed_in_seconds", times: 1 }
      ],
      1
    )
    yield* control("/outcomes", { id: "pay_1", status: "charged_back" })
    const [forged] = yield* receiver.heard(1)
    assert.throws(() => checkSignature(forged), InvalidWebhookSignatureError)
    assert.match(headerOf(forged, "x-signature"), /^ts=\d{10},/)
    assert.strictEqual((yield* from(() => payments.get({ id: made.id ?? 0 }))).status, "charged_back")
  }).pipe(Effect.scoped)
)

it.live(
  "the official client makes a hosted checkout of the simulated Mercado Pago, and a person pays at its page",
  () =>
    Effect.gen(function* () {
      const { payments, preferences, receiver, simulator } = yield* stage
      const items = [{ id: "1", title: "Pedido 1", quantity: 1, unit_price: 125.5, currency_id: "BRL" }]
      const back_urls = { success: "https://loja.example/volta" }
      const made = yield* from(() =>
        preferences.create({ body: { items, external_reference: "pay_1", back_urls, auto_return: "approved" } })
      )
      assert.deepInclude(made, { external_reference: "pay_1", operation_type: "regular_payment" })
      const found = yield* from(() => preferences.search({ options: { external_reference: "pay_1" } }))
      assert.deepStrictEqual(
        found.elements?.map(({ id }) => id),
        [made.id]
      )
      const url = made.init_point ?? ""
      const press = (outcome: string) =>
        from(() => fetch(url, { method: "POST", body: new URLSearchParams({ outcome }) }).then((page) => page.text()))
      assert.include(yield* from(() => fetch(url).then((page) => page.text())), "R$ 125,50")
      assert.match(yield* press("begin"), /<code id="code">000201/)
      assert.match(yield* press("paid"), /<strong id="status">paid.*https:\/\/loja\.example\/volta\?payment_id=/)
      const [created, updated] = yield* receiver.heard(2)
      checkSignature(created)
      checkSignature(updated)
      const paid = yield* from(() => payments.search({ options: { external_reference: "pay_1" } }))
      assert.deepInclude(paid.results?.[0], { status: "approved", transaction_amount: 125.5 })
      const other = yield* from(() => preferences.create({ body: { items, external_reference: "pay_2" } }))
      const closing = { items, expires: true, expiration_date_to: new Date(vendorClock() - 1000).toISOString() }
      const closed = yield* from(() => preferences.update({ id: other.id ?? "", updatePreferenceRequest: closing }))
      assert.strictEqual(closed.expires, true)
      yield* from(() =>
        fetch(other.init_point ?? "", { method: "POST", body: new URLSearchParams({ outcome: "paid" }) })
      )
      const none = yield* from(() => payments.search({ options: { external_reference: "pay_2" } }))
      assert.strictEqual(none.paging?.total, 0)
      const refusal = yield* errorOf(() => preferences.create({ body: { items: [] } }))
      assert.deepInclude(refusal, { status: 400, error: "invalid_items" })
      assert.deepInclude(simulator.log.read(0, "checkout")[0], {
        outcome: "made",
        external_id: "pay_1",
        amount_centavos: 12_550
      })
    }).pipe(Effect.scoped)
)
