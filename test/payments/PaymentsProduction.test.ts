import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { correct } from "../billing/Accounts.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { apart, connect, paying } from "./PaymentsStage.ts"
import { ScriptedPix } from "./ScriptedPix.ts"

const minute = 60_000

const vendor = new ScriptedPix()

it.layer(WholeProduct({ sweeps: false, vendors: vendor.layer }), { excludeTestServices: true })(
  "Payments in production",
  (it) => {
    it.effect(
      'without a connection none is accepted, and nothing is charged gaps-3 C "Which provider a payment uses"',
      () =>
        Effect.gen(function* () {
          const { acme, balance, create } = yield* paying("production")
          yield* correct(acme.organization_id, "credit", 10_000_000)
          const before = yield* balance
          const refused = yield* create()
          assert.deepStrictEqual(
            [refused.status, refused.body.error.code],
            [409, "payment_provider_connection_required"]
          )
          assert.deepStrictEqual(yield* balance, before)
        })
    )

    it.effect("a payment is linked, paid and its fee charged C-PAY-24 C-PAY-27 C-FEE-05 C-FEE-07 C-PEVT-02..05", () =>
      Effect.gen(function* () {
        const connection = yield* connect("pixprov2")
        const { balance, create, events, ledger, payment } = yield* paying("production")
        const before = yield* balance
        const { id } = (yield* create({ description: "Order" })).body
        yield* turnBy(1000)
        assert.deepInclude(yield* payment(id), {
          status: "link_generated",
          provider: "pixprov2",
          provider_connection_id: connection,
          provider_payment_id: `chk_${id}`,
          payment_link_url: `https://pay.example/${id}`
        })
        vendor.show(id, { status: "paid" })
        yield* turnBy(2 * minute)
        const paid = yield* payment(id)
        assert.strictEqual(paid.status, "paid")
        assert.strictEqual(paid.fees.completion.state, "settled")
        assert.deepStrictEqual(
          (yield* events(id))
            .map(({ data, type }: { data: { status: string }; type: string }) => `${type} ${data.status}`)
            .sort(),
          [
            "payment.approval_available link_generated",
            "payment.created link_pending",
            "payment.link_generated link_generated",
            "payment.paid paid"
          ]
        )
        assert.notDeepEqual(yield* balance, before)
        assert.lengthOf(
          (yield* ledger()).filter((entry: { payment_fee: { id: string } | null }) => entry.payment_fee?.id === id),
          3
        )
        assert.deepStrictEqual(yield* apart, [])
      })
    )
  }
)
