import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { textOf, visitor } from "../console/Visitor.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { apart, connect, paying } from "./PaymentsStage.ts"

/** A payment with its link, and the page behind it on this server. */
const linked = Effect.fnUntraced(function* (more: object = {}) {
  const calls = yield* paying("sandbox")
  const { id } = (yield* calls.create(more)).body
  yield* turnBy(500)
  const payment = yield* calls.payment(id)
  const url = new URL(payment.payment_link_url)
  return { ...calls, id, linked: payment, page: url.pathname, token: url.pathname.split("/").at(-1) ?? "" }
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Pages where payers pay", (it) => {
  it.effect(
    'show the amount, take a payment without a key, and its event says so gaps-3 C "Sandbox pay page" C-PEVT-17 C-FEE-07',
    () =>
      Effect.gen(function* () {
        const { events, id, page, payment } = yield* linked({
          description: "Order <1>",
          customer_tax_id: "12345678909"
        })
        assert.match(page, /^\/sandbox\/pay\/[\w-]{20,}$/)
        const payer = yield* visitor
        const shown = yield* payer.get(page)
        assert.strictEqual(shown.status, 200)
        for (const text of ["R$ 125,50", "Order <1>", "waiting to be paid", "Pay", "Fail"]) {
          assert.include(textOf(shown.text), text)
        }
        for (const secret of ["12345678909", "<1>", '/dashboard"']) assert.notInclude(shown.text, secret)
        assert.lengthOf(shown.text.match(/<script/g) ?? [], 1)
        assert.match(shown.text, /<script src="\/dashboard\/scripts\/pay\.js\?v=en\.[\w-]{16}" defer>/)
        assert.include(shown.text, '<noscript><meta http-equiv="refresh" content="5"></noscript>')
        assert.match(textOf(shown.text), /To be paid until \d+ \w{3}|Time left to pay \d+ (?:min|h)/)
        assert.match(shown.text, /<p class="merchant"><span [^>]*>\p{L}<\/span>[^<]+<\/p>/u)
        assert.include(String(shown.headers["content-security-policy"]), "default-src 'none'")
        assert.include(String(shown.headers["cache-control"]), "no-store")
        const paid = yield* payer.post(page, { status: "paid" })
        assert.deepStrictEqual([paid.status, paid.headers.location], [303, page])
        const after = yield* payment(id)
        assert.deepStrictEqual([after.status, after.fees.completion.state], ["paid", "settled"])
        const { data, type } = (yield* events(id)).at(-1)
        assert.strictEqual(type, "payment.paid")
        assert.deepInclude(data, { sandbox_pay_page: true, operation: "sandbox_status" })
        assert.notProperty(data, "sandbox_simulator")
        const over = yield* payer.get(page)
        assert.include(textOf(over.text), "Paid. You can close this page.")
        assert.notInclude(over.text, "<button")
        assert.notInclude(over.text, "<script")
        assert.deepStrictEqual(yield* apart, [])
      })
  )

  it.effect(
    'also fail a payment, once; an ended one does not change gaps-3 C "Sandbox pay page" C-PAY-26 C-FEE-08',
    () =>
      Effect.gen(function* () {
        const { events, id, page, payment } = yield* linked()
        const payer = yield* visitor
        assert.strictEqual((yield* payer.post(page, { status: "expired" })).status, 400)
        assert.strictEqual((yield* payer.post(page, {})).status, 400)
        assert.strictEqual((yield* payment(id)).status, "link_generated")
        yield* payer.post(page, { status: "failed" })
        const after = yield* payment(id)
        assert.deepStrictEqual([after.status, after.fees.completion.state], ["failed", "released"])
        assert.strictEqual((yield* payer.post(page, { status: "failed" })).status, 303)
        const late = yield* payer.post(page, { status: "paid" })
        assert.strictEqual(late.status, 409)
        assert.include(textOf(late.text), "failed")
        assert.deepStrictEqual((yield* payment(id)).status, "failed")
        assert.strictEqual((yield* events(id)).filter(({ type }) => type === "payment.failed").length, 1)
      })
  )

  it.effect('have one address per payment, and any other is not found gaps-3 C "Sandbox fixture"', () =>
    Effect.gen(function* () {
      const { page, token } = yield* linked()
      const payer = yield* visitor
      for (const address of [
        `/sandbox/pay/${token.slice(0, -1)}`,
        `/sandbox/pay/${token}x`,
        "/sandbox/pay/%00",
        `/sandbox/pay/${"a".repeat(43)}`,
        `/pay/${token}`
      ]) {
        const none = yield* payer.get(address)
        assert.strictEqual(none.status, 404, address)
        assert.notInclude(none.text, '/dashboard"')
      }
      assert.strictEqual((yield* payer.post(`/sandbox/pay/${"a".repeat(43)}`, { status: "paid" })).status, 404)
      assert.strictEqual((yield* payer.get(page)).status, 200)
    })
  )

  it.effect(
    'transparent Pix of a connected sandbox has a code, its picture and a page of ours C-PAY-25 C-PAY-34 C-PAY-35 gaps-3 C "Link URL of a transparent Pix payment"',
    () =>
      Effect.gen(function* () {
        const refused = yield* Effect.flatMap(paying("sandbox"), ({ create }) =>
          create({ provider_options: { pixprov2: { mode: "transparent_pix" } } })
        )
        assert.deepStrictEqual(
          [refused.status, refused.body.error.code, refused.body.error.param],
          [400, "invalid_payment_request", "provider_options.pixprov2"]
        )
        const connection = yield* connect("pixprov2", "sandbox")
        const options = { provider_options: { pixprov2: { mode: "transparent_pix" } } }
        const { cancel, events, id, linked: made, page, payment, token } = yield* linked(options)
        assert.deepInclude(made, { provider: "pixprov2", provider_connection_id: connection })
        assert.match(page, /^\/pay\/[\w-]{22,}$/)
        assert.match(made.pix_copy_paste, /^000201.*5406125\.50.*6304[0-9A-F]{4}$/)
        assert.strictEqual(Buffer.from(made.pix_qr_code_base64, "base64").subarray(1, 4).toString(), "PNG")
        const ready = (yield* events(id)).filter(({ type }) => type === "payment.link_generated")
        assert.strictEqual(ready[0].data.payment_link_url, made.payment_link_url)
        const unsupported = yield* cancel(id)
        assert.deepStrictEqual(
          [unsupported.status, unsupported.body.error.code],
          [400, "payment_cancellation_unsupported"]
        )
        const payer = yield* visitor
        const shown = yield* payer.get(page)
        assert.include(shown.text, made.pix_copy_paste)
        assert.include(shown.text, `data:image/png;base64,${made.pix_qr_code_base64}`)
        const paid = yield* payer.post(`/sandbox/pay/${token}`, { status: "paid" })
        assert.strictEqual(paid.headers.location, page)
        assert.strictEqual((yield* payment(id)).status, "paid")
        assert.notInclude((yield* payer.get(page)).text, made.pix_copy_paste)
        const hosted = yield* linked({ provider_options: { pixprov2: { mode: "hosted_checkout" } } })
        assert.deepStrictEqual([hosted.linked.pix_copy_paste, hosted.linked.provider], [null, "pixprov2"])
        assert.include(hosted.page, "/sandbox/pay/")
      })
  )
})
