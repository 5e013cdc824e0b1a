import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { apart, paying } from "./PaymentsStage.ts"

const everything = {
  description: "Order 42",
  customer_name: "Ana Souza",
  customer_tax_id: "12345678909",
  customer_phone: "+5511912345678",
  customer_email: "ana@example.com",
  external_reference: "order-42",
  metadata: { order: "42" }
}

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Payments in a sandbox", (it) => {
  it.effect(
    "a payment is accepted as link_pending with its fees, and shown with every member C-PAY-01..17 C-PAY-22 C-PAY-23 C-PAY-31 C-PAY-33 C-FEE-02..04 C-FEE-13..16 C-FEE-29",
    () =>
      Effect.gen(function* () {
        const { balance, create, get, ledger, payment } = yield* paying("sandbox")
        const before = yield* balance
        const created = yield* create(everything)
        assert.strictEqual(created.status, 201, created.text)
        const { created_at, fees, id, trace_id, ...rest } = created.body
        assert.match(id, /^pay_[0-9a-z]{26}$/)
        assert.strictEqual(created.headers["svc-trace-id"], trace_id)
        assert.deepStrictEqual(rest, {
          object: "payment_request",
          status: "link_pending",
          environment: "sandbox",
          amount_brl: "125.5000",
          currency: "BRL",
          ...everything,
          payment_link_url: null,
          pix_copy_paste: null,
          pix_qr_code_base64: null,
          provider: "pixprov1",
          provider_connection_id: null,
          provider_payment_id: null,
          provider_approval_id: null,
          provider_metadata: null,
          updated_at: created_at,
          link_generated_at: null,
          approval_requested_at: null,
          approved_at: null,
          paid_at: null,
          failed_at: null,
          expired_at: null,
          cancelled_at: null
        })
        assert.deepStrictEqual(fees, {
          simulated: true,
          rate_card_id: "rct_2026_01",
          initiation: { amount_brl: "0.4900", reservation_id: fees.initiation.reservation_id },
          completion: {
            rate: "0.01",
            amount_brl: "1.2550",
            state: "held",
            reservation_id: fees.completion.reservation_id
          }
        })
        assert.deepStrictEqual(yield* balance, before)
        const read = yield* payment(id)
        assert.deepStrictEqual(read, created.body)
        const listed = (yield* get("/v1/payments?status=link_pending&limit=1")).body.data
        assert.deepStrictEqual(listed, [created.body])
        const entries = (yield* ledger("&environment=sandbox")).filter(
          (entry: { payment_fee: { id: string } | null }) => entry.payment_fee?.id === id
        )
        assert.deepStrictEqual(
          entries.map(({ amount_brl, payment_fee, trace_id, type }: Record<string, unknown>) => ({
            type,
            amount_brl,
            payment_fee,
            trace_id
          })),
          [
            {
              type: "hold",
              amount_brl: "1.2550",
              payment_fee: { object: "payment_request", id, reservation_id: fees.completion.reservation_id },
              trace_id
            },
            {
              type: "debit",
              amount_brl: "0.4900",
              payment_fee: { object: "payment_request", id, reservation_id: fees.initiation.reservation_id },
              trace_id
            }
          ]
        )
        const { acme, get: getAs, other } = yield* Api
        for (const key of [other.sandbox.key, acme.production.key]) {
          const foreign = yield* getAs(`/v1/payments/${id}`, { key })
          assert.deepStrictEqual([foreign.status, foreign.body.error.code], [404, "payment_not_found"])
        }
        assert.deepStrictEqual(yield* apart, [])
      })
  )

  it.effect(
    "its link is made half a second later, and both names of that event are raised C-PAY-15 C-PAY-24 C-PEVT-03",
    () =>
      Effect.gen(function* () {
        const { create, events, payment } = yield* paying("sandbox")
        const { id } = (yield* create(everything)).body
        yield* turnBy(499)
        assert.strictEqual((yield* payment(id)).status, "link_pending")
        yield* turnBy(1)
        const linked = yield* payment(id)
        assert.deepInclude(linked, { status: "link_generated", provider_payment_id: `sbpay_${id.slice(4)}` })
        assert.match(linked.payment_link_url, /\/sandbox\/pay\/[\w-]{43}$/)
        assert.deepStrictEqual((yield* events(id)).map(({ type }: { type: string }) => type).sort(), [
          "payment.approval_available",
          "payment.created",
          "payment.link_generated"
        ])
        assert.deepStrictEqual(yield* apart, [])
      })
  )
})
