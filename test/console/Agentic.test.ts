import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { agentic } from "../payments/AgenticStage.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const section = "/dashboard/agentic-authorizations"

it.layer(DashboardTest, { excludeTestServices: true })("Agentic authorizations in the dashboard", (it) => {
  it.effect("are listed by status and shown with their payments and fees C-AGT-02", () =>
    Effect.gen(function* () {
      const { acme, authorize, id: environment, pay } = yield* agentic("sandbox")
      const given = (yield* authorize({ customer_name: "Bia <Lima>" })).body.id
      yield* turnBy(500)
      const paid = (yield* pay(given, { description: "Fuel" })).body.id
      yield* turnBy(500)
      const waiting = (yield* authorize({ customer_name: "Caio Reis" })).body.id
      const someone = yield* signedIn(acme)
      const all = yield* someone.get(`${section}?environment=${environment}`)
      for (const id of [given, waiting]) assert.include(all.text, `${section}/${environment}/${id}`)
      assert.notInclude(all.text, "<Lima>")
      const pending = (yield* someone.get(`${section}?environment=${environment}&status=pending`)).text
      assert.include(pending, waiting)
      assert.notInclude(pending, given)
      const one = textOf((yield* someone.get(`${section}/${environment}/${given}`)).text)
      for (const shown of ["authorized", "R$ 500,00", "Bia <Lima>", paid, "R$ 125,50", "R$ 1,2550 settled", "Fuel"]) {
        assert.include(one, shown)
      }
      assert.strictEqual((yield* someone.get(`${section}/${environment}/aga_none`)).status, 404)
      assert.strictEqual((yield* someone.get(`${section}/${acme.production.id}/${given}`)).status, 404)
    })
  )

  it.effect("are revoked once, by owners and admins, and then accept no payment", () =>
    Effect.gen(function* () {
      const { acme, authorization, authorize, id: environment, pay } = yield* agentic("sandbox")
      const { id } = (yield* authorize()).body
      yield* turnBy(500)
      const path = `${section}/${environment}/${id}`
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.notInclude((yield* member.get(path)).text, "Revoke…")
      assert.strictEqual((yield* member.submit(`${path}/revoke`, `${path}/revoke`)).status, 403)
      assert.strictEqual((yield* authorization(id)).status, "authorized")
      const owner = yield* signedIn(acme)
      const { customer_name: name } = yield* authorization(id)
      const wrong = yield* owner.submit(`${path}/revoke`, `${path}/revoke`, { name: "Another" })
      assert.deepStrictEqual([wrong.status, textOf(wrong.text).includes(`That is not ${name}.`)], [400, true])
      assert.strictEqual((yield* authorization(id)).status, "authorized")
      const revoked = yield* owner.submit(`${path}/revoke`, `${path}/revoke`, { name })
      assert.strictEqual(revoked.headers.location, `${path}?done=authorization_revoked`)
      const { revoked_at, status } = yield* authorization(id)
      assert.strictEqual(status, "revoked")
      yield* turnBy(1000)
      yield* owner.submit(`${path}/revoke`, `${path}/revoke`, { name })
      assert.deepInclude(yield* authorization(id), { status: "revoked", revoked_at })
      assert.strictEqual((yield* pay(id)).body.error.code, "agentic_authorization_not_active")
    })
  )
})
