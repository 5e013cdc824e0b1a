import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { paying } from "../payments/PaymentsStage.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const section = "/dashboard/payments"

it.layer(DashboardTest, { excludeTestServices: true })("Payments in the dashboard", (it) => {
  it.effect("are found by status, id and reference, and shown with their history and fees C-PAY-30 C-FEE-01", () =>
    Effect.gen(function* () {
      const { acme, create, id: environment, setStatus } = yield* paying("sandbox")
      const customer = { customer_name: "Bia <Lima>", customer_tax_id: "12345678909" }
      const paid = (yield* create({ external_reference: "order-7", description: "Shoes", ...customer })).body.id
      const waiting = (yield* create({ external_reference: "order-8" })).body.id
      yield* turnBy(500)
      yield* setStatus(paid, { status: "paid" })
      const someone = yield* signedIn(acme)
      const list = (query = "") => someone.get(`${section}?environment=${environment}${query}`)
      const all = (yield* list()).text
      for (const id of [paid, waiting]) assert.include(all, `${section}/${environment}/${id}`)
      assert.notInclude(all, "<Lima>")
      for (const [query, found, other] of [
        ["&status=paid", paid, waiting],
        ["&status=link_generated", waiting, paid],
        ["&named=order-8", waiting, paid],
        [`&named=${paid}`, paid, waiting],
        [`&named=sbpay_${waiting.slice(4)}`, waiting, paid]
      ]) {
        const { text } = yield* list(query)
        assert.include(text, String(found))
        assert.notInclude(text, String(other))
      }
      assert.include(textOf((yield* list("&named=nothing")).text), "Nothing here is like this.")
      const one = yield* someone.get(`${section}/${environment}/${paid}`)
      const text = textOf(one.text)
      for (const shown of ["R$ 125,50", "order-7", "Bia <Lima>", "Link ready", "R$ 0,49 charged, R$ 1,2550 held"]) {
        assert.include(text, shown)
      }
      assert.include(text, "R$ 1,2550 charged")
      assert.notInclude(text, "12345678909")
      assert.notInclude(one.text, "/cancel")
      assert.strictEqual((yield* someone.get(`${section}/${environment}/pay_none`)).status, 404)
      assert.strictEqual((yield* someone.get(`${section}/${acme.production.id}/${paid}`)).status, 404)
    })
  )

  it.effect("owners and admins request approval and cancel, members only read C-PAY-32 C-PCAN-03", () =>
    Effect.gen(function* () {
      const { acme, create, id: environment, payment } = yield* paying("sandbox")
      const { id } = (yield* create()).body
      const path = `${section}/${environment}/${id}`
      const owner = yield* signedIn(acme)
      const name = (yield* payment(id)).customer_name ?? id
      const early = yield* owner.submit(`${path}/cancel`, `${path}/cancel`, { name })
      assert.deepStrictEqual([early.status, (yield* payment(id)).status], [409, "link_pending"])
      yield* turnBy(500)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.notInclude((yield* member.get(path)).text, `${path}/cancel`)
      for (const what of ["approval", "cancel"]) {
        assert.strictEqual((yield* member.submit(`${path}/cancel`, `${path}/${what}`)).status, 403)
      }
      assert.strictEqual((yield* payment(id)).status, "link_generated")
      const long = yield* owner.submit(path, `${path}/approval`, { note: "n".repeat(501) })
      assert.deepStrictEqual([long.status, (yield* payment(id)).status], [400, "link_generated"])
      const asked = yield* owner.submit(path, `${path}/approval`, { note: "Please" })
      assert.strictEqual(asked.headers.location, `${path}?done=approval_requested`)
      assert.strictEqual((yield* payment(id)).status, "approval_requested")
      const wrong = yield* owner.submit(`${path}/cancel`, `${path}/cancel`, { name: "Another" })
      assert.deepStrictEqual([wrong.status, textOf(wrong.text).includes(`That is not ${name}.`)], [400, true])
      assert.strictEqual((yield* payment(id)).status, "approval_requested")
      const cancelled = yield* owner.submit(`${path}/cancel`, `${path}/cancel`, { name })
      assert.strictEqual(cancelled.headers.location, `${path}?done=payment_cancelling`)
      yield* turnBy(500)
      const after = yield* payment(id)
      assert.deepStrictEqual([after.status, after.fees.completion.state], ["cancelled", "released"])
      const told = textOf((yield* owner.get(path)).text)
      assert.include(told, "R$ 1,2550 given back")
      const by = `${acme.owner.name} , in the console\\.`
      assert.match(
        told,
        new RegExp(`Approval requested [^.]*${by} Cancelled [^.]*${by} The provider reported it: \\w+\\.`)
      )
    })
  )
})
