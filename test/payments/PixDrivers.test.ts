import { createHmac } from "node:crypto"
import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import { type PixDriver, type PixProvider, PixProviders } from "@carteiro/provider/payments/PixProvider.ts"
import { makeMercadoPago } from "@carteiro/provider-mercadopago/MercadoPago.ts"
import { makePixApi } from "@carteiro/provider-pix-api/PixApi.ts"
import { txidOf } from "@carteiro/provider-pix-api/Txid.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { correct } from "../billing/Accounts.ts"
import { textOf, visitor } from "../console/Visitor.ts"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { vendorCalls } from "../support/Vendors.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { advance, apart, connect, paying, refusalOf } from "./PaymentsStage.ts"
import { ScriptedPix } from "./ScriptedPix.ts"

const vendor = new ScriptedPix()
const { cancel, create, lookUp, read } = vendor.provider

/** Returns our id that a notice of the tests has, as the vendor would tell it when it is asked. */
const askedFor = (body: Uint8Array) =>
  Effect.succeed([String(JSON.parse(Buffer.from(body).toString("utf8")).external_reference)])

/** The drivers with their own bounds and notices, over a scripted vendor. */
const vendors = Layer.effect(
  PixProviders,
  Effect.gen(function* () {
    const mercadopago = yield* makeMercadoPago({ url: operatorUrl("http://127.0.0.1:9") })
    const standard = yield* makePixApi({})
    const scripted = { create, read, lookUp, cancel }
    const first: PixProvider = {
      ...scripted,
      bounds: mercadopago.bounds,
      notices: { ...mercadopago.notices, about: (_key, body) => askedFor(body) }
    }
    const second: PixProvider = { ...scripted, bounds: standard.bounds, notices: standard.notices }
    return { mercadopago: first, "pix-api": second }
  })
).pipe(Layer.provide(vendorCalls()))

/** Payments of acme's production environment through an account on a driver, with credit for their fees. */
const connected = Effect.fnUntraced(function* (driver: PixDriver) {
  const calls = yield* paying("production")
  vendor.calm()
  const connection = yield* connect("pixprov2", "production", driver)
  yield* correct(calls.acme.organization_id, "credit", 10_000_000)
  const pix = (options: object) => ({ provider_options: { pixprov2: options } })
  return { ...calls, connection, pix }
})

it.layer(WholeProduct({ sweeps: false, vendors }), { excludeTestServices: true })("Drivers of pixprov2", (it) => {
  it.effect(
    'a payment that the vendor would not take is refused with its field before anything is charged gaps-3 C "provider_options"',
    () =>
      Effect.gen(function* () {
        const { balance, create: ask, pix } = yield* connected("mercadopago")
        const before = yield* balance
        const code = { mode: "transparent_pix" }
        const email = { customer_email: "ana@example.com" }
        const noAddress = yield* ask(pix(code))
        assert.deepStrictEqual(refusalOf(noAddress), [400, "invalid_payment_request", "customer_email"])
        assert.include(noAddress.body.error.message, "e-mail address")
        const short = yield* ask({ ...pix({ ...code, expires_in_seconds: 1799 }), ...email })
        assert.deepStrictEqual(refusalOf(short), [
          400,
          "invalid_payment_request",
          "provider_options.pixprov2.expires_in_seconds"
        ])
        assert.include(short.body.error.message, "1800 seconds at least")
        assert.deepStrictEqual(yield* balance, before)
        assert.strictEqual((yield* ask({ ...pix({ ...code, expires_in_seconds: 1800 }), ...email })).status, 201)
        assert.strictEqual((yield* ask(pix({ expires_in_seconds: 300 }))).status, 201)
      })
  )

  it.effect(
    "a payment that the vendor refuses fails with its code in provider_metadata, and the fee is released C-FEE-08 C-FEE-31",
    () =>
      Effect.gen(function* () {
        const { create: ask, payment } = yield* connected("mercadopago")
        vendor.refuses.add("create")
        const { id } = (yield* ask()).body
        yield* turnBy(10)
        const failed = yield* payment(id)
        assert.deepStrictEqual(
          [failed.status, failed.fees.completion.state, failed.provider_metadata],
          ["failed", "released", { provider_code: "request_invalid" }]
        )
        vendor.calm()
        const paid = (yield* ask()).body.id
        yield* turnBy(10)
        vendor.show(paid, { status: "failed", failure_code: "cc_rejected_other_reason" })
        yield* turnBy(60_000)
        assert.deepStrictEqual((yield* payment(paid)).provider_metadata, { provider_code: "cc_rejected_other_reason" })
        assert.deepStrictEqual(yield* apart, [])
      })
  )

  it.effect(
    'notices are proven by the scheme of the account, stored once, and only the look-up counts gaps-3 G "Inbound provider webhooks" gaps-3 G "Trust in webhook content"',
    () =>
      Effect.gen(function* () {
        const { connection, create: ask, payment } = yield* connected("mercadopago")
        const { post } = yield* Api
        const { id } = (yield* ask()).body
        yield* turnBy(10)
        const now = yield* Clock.currentTimeMillis
        const body = JSON.stringify({ type: "payment", data: { id: "77" }, external_reference: id })
        const call = (secret: string, ts: number) => {
          const hash = createHmac("sha256", secret).update(`id:77;request-id:req-1;ts:${ts};`).digest("hex")
          const headers = { "x-signature": `ts=${ts},v1=${hash}`, "x-request-id": "req-1" }
          return post(`/webhooks/pixprov2/${connection}?data.id=77&type=payment`, body, { headers })
        }
        const refused = [
          yield* call("another", now),
          yield* call("pixprov2-secret", now - 301_000),
          yield* post(`/webhooks/pixprov2/${connection}`, body, {})
        ]
        assert.deepStrictEqual(
          refused.map(({ status }) => status),
          [401, 401, 401]
        )
        vendor.show(id, { status: "paid" })
        const seen = vendor.count("read", id)
        assert.deepStrictEqual(
          [(yield* call("pixprov2-secret", now)).status, (yield* call("pixprov2-secret", now)).status],
          [200, 200]
        )
        yield* turnBy(10)
        assert.strictEqual(vendor.count("read", id), seen + 1)
        assert.strictEqual((yield* payment(id)).status, "paid")
      })
  )

  it.effect(
    "an account on the central bank's standard takes codes alone, without cancels and approvals C-PCAN-07 C-ERR-11",
    () =>
      Effect.gen(function* () {
        // An environment has one live account of pixprov2; the demo door changes its wire.
        const {
          balance,
          cancel: end,
          connection,
          create: ask,
          payment,
          pix,
          requestApproval
        } = yield* connected("pix-api")
        const { post } = yield* Api
        const before = yield* balance
        assert.deepStrictEqual(refusalOf(yield* ask(pix({ mode: "hosted_checkout" }))), [
          400,
          "invalid_payment_request",
          "provider_options.pixprov2.mode"
        ])
        assert.deepStrictEqual(yield* balance, before)
        const { id } = (yield* ask()).body
        yield* turnBy(10)
        const made = yield* payment(id)
        assert.strictEqual(made.pix_copy_paste, `code of ${id}`)
        assert.deepStrictEqual(refusalOf(yield* end(id)).slice(0, 2), [400, "payment_cancellation_unsupported"])
        assert.deepStrictEqual(refusalOf(yield* requestApproval(id)).slice(0, 2), [400, "payment_approval_unsupported"])
        const body = JSON.stringify({ pix: [{ txid: txidOf(id), endToEndId: "E1", valor: "125.50" }] })
        const path = `/webhooks/pixprov2/${connection}`
        for (const wrong of [path, `${path}/guess`, `${path}/guess/pix`]) {
          assert.strictEqual((yield* post(wrong, body, {})).status, 401, wrong)
        }
        vendor.show(id, { status: "paid" })
        assert.strictEqual((yield* post(`${path}/pixprov2-secret/pix`, body, {})).status, 200)
        yield* turnBy(10)
        assert.strictEqual((yield* payment(id)).status, "paid")
        assert.deepStrictEqual(yield* apart, [])
      })
  )

  it.effect(
    'a code is shown until its time is up, expires two minutes later by what the vendor shows, and money after that is a late outcome C-PAY-26 gaps-3 C "Recovery schedule"',
    () =>
      Effect.gen(function* () {
        const { connection, create: ask, events, payment, pix } = yield* connected("pix-api")
        const { post } = yield* Api
        const { id } = (yield* ask(pix({ expires_in_seconds: 600 }))).body
        yield* turnBy(10)
        const { payment_link_url, pix_copy_paste } = yield* payment(id)
        const payer = yield* visitor
        const page = Effect.map(payer.get(new URL(payment_link_url).pathname), ({ text }) => text)
        assert.include(yield* page, pix_copy_paste)
        assert.include(textOf(yield* page), "Time left to pay 10 min")
        yield* advance(600_000)
        assert.strictEqual((yield* payment(id)).status, "link_generated")
        assert.notInclude(yield* page, pix_copy_paste)
        assert.include(textOf(yield* page), "The time to pay is over. If you have paid, this page shows it")
        assert.include(yield* page, '<data value="time_up">')
        vendor.show(id, { status: "expired" })
        yield* advance(120_000)
        const expired = yield* payment(id)
        assert.deepStrictEqual([expired.status, expired.fees.completion.state], ["expired", "released"])
        assert.include(textOf(yield* page), "This payment is over.")
        vendor.show(id, { status: "paid" })
        const body = JSON.stringify({ pix: [{ txid: txidOf(id), endToEndId: "E2", valor: "125.50" }] })
        yield* post(`/webhooks/pixprov2/${connection}/pixprov2-secret/pix`, body, {})
        yield* turnBy(10)
        const late = yield* payment(id)
        assert.deepStrictEqual([late.status, late.late_outcome?.status], ["expired", "paid"])
        assert.deepStrictEqual(
          (yield* events(id)).map(({ type }) => type),
          [
            "payment.created",
            "payment.approval_available",
            "payment.link_generated",
            "payment.expired",
            "payment.late_outcome"
          ]
        )
        assert.deepStrictEqual(yield* apart, [])
      })
  )
})
