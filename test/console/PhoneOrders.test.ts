import { Ids } from "@carteiro/owners/Ids.ts"
import { readablePhone } from "@carteiro/spellings/Phone.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { orderStage } from "../phone-orders/Orders.ts"
import { seedNumber } from "../support/Numbers.ts"
import { leapTo, quiesce } from "../support/OwnerTest.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

const section = "/dashboard/phone-orders"

/** A production order and somebody who may decide. */
const stage = Effect.fnUntraced(function* (balance?: number) {
  const { api, production, tenant } = yield* orderStage("approved", balance)
  const someone = yield* signedIn(tenant)
  const made = yield* production.post("/orders", { ddd: "11", display_name: "Loja", purpose: "The new shop." })
  const path = `${section}/${made.body.id}`
  const read = Effect.map(production.get(`/orders/${made.body.id}`), ({ body }) => body)
  const balanceOf = Effect.map(api.get("/v1/billing/balance", { key: tenant.production.key }), ({ body }) => body)
  return { production, tenant, someone, made, path, read, balanceOf }
})

it.layer(DashboardTest, { excludeTestServices: true })("Deciding of orders", (it) => {
  it.effect(
    "shows the price, and declines without a charge and without an event M-ORD-14 M-ORD-20 M-ORD-21 M-ORD-34",
    () =>
      Effect.gen(function* () {
        const { balanceOf, made, path, read, someone, tenant } = yield* stage()
        const page = textOf((yield* someone.get(path)).text)
        for (const shown of ["R$ 49,90", "phone_rental_v1", "The new shop.", "Approve"]) assert.include(page, shown)
        assert.include(textOf((yield* someone.get(section)).text), made.body.id)
        const wrong = yield* someone.submit(`${path}/decline`, `${path}/decline`, { name: "Another" })
        assert.deepStrictEqual([wrong.status, textOf(wrong.text).includes("That is not Loja.")], [400, true])
        assert.strictEqual((yield* read).status, "awaiting_approval")
        const declined = yield* someone.submit(`${path}/decline`, `${path}/decline`, { name: "Loja" })
        assert.strictEqual(declined.headers.location, `${path}?done=order_declined`)
        const order = yield* read
        assert.deepStrictEqual(
          [order.status, order.failure.code, order.approval_url, order.phone_number_id],
          ["declined", "phone_number_order_declined", null, null]
        )
        assert.isNotNull(order.declined_at)
        assert.strictEqual((yield* balanceOf).balance_brl, "1000.0000")
        assert.strictEqual((yield* someone.submit(`${path}/decline`, `${path}/approve`)).status, 409)
        const sql = yield* SqlClient.SqlClient
        const told = yield* sql`select 1 from outbox_events where environment_id = ${tenant.production.id}`
        assert.strictEqual(told.length, 0)
      })
  )

  it.effect(
    "approves with the first month held and the number created; without a delivery all is released M-ORD-12 M-ORD-17 M-ORD-18 M-ORD-19",
    () =>
      Effect.gen(function* () {
        const { balanceOf, path, production, read, someone, tenant } = yield* stage()
        const sql = yield* SqlClient.SqlClient
        const approved = yield* someone.submit(path, `${path}/approve`)
        assert.strictEqual(approved.headers.location, `${path}?done=order_approved`)
        assert.include(textOf((yield* someone.get(path)).text), "This page moves by itself.")
        yield* quiesce
        const order = yield* read
        assert.isNotNull(order.approved_at)
        const page = textOf((yield* someone.get(path)).text)
        assert.notInclude(page, "This page moves by itself.")
        const number = (yield* production.get(`/${order.phone_number_id}`)).body
        assert.deepStrictEqual([number.source, number.monthly_fee_brl], ["numprov", "49.9000"])
        assert.deepStrictEqual([order.status, order.failure], ["failed", null])
        assert.deepStrictEqual([number.status, number.error_code], ["failed", "number_provider_unavailable"])
        assert.include(page, number.error_message)
        const held = yield* sql<{ state: string; amount: number; meter_id: string }>`select state, amount, meter_id
        from reservations where account_id = ${tenant.organization_id}`
        assert.deepStrictEqual(
          held.map(({ amount, meter_id, state }) => [state, Number(amount), meter_id]),
          [["released", 499_000, "phone.rental.month"]]
        )
        assert.strictEqual((yield* balanceOf).balance_brl, "1000.0000")
        assert.strictEqual((yield* someone.submit(`${path}/decline`, `${path}/approve`)).status, 409)
      })
  )

  it.effect("a refused approval leaves the order waiting M-ORD-13 M-ORD-16", () =>
    Effect.gen(function* () {
      const { path, read, someone, tenant } = yield* stage(10_000)
      const sql = yield* SqlClient.SqlClient
      const approve = Effect.map(someone.submit(path, `${path}/approve`), ({ status }) => status)
      const uncovered = yield* someone.submit(path, `${path}/approve`)
      assert.strictEqual(uncovered.status, 402)
      assert.match(textOf(uncovered.text), /The credit balance of R\$ 1,00 does not cover R\$ \d+,\d\d; add credit/)
      yield* someone.get(`${path}?language=pt`)
      const inPortuguese = textOf((yield* someone.submit(path, `${path}/approve`)).text)
      assert.match(inPortuguese, /O crédito de R\$ 1,00 não cobre R\$ \d+,\d\d\. Adicione crédito/)
      assert.strictEqual((yield* read).status, "awaiting_approval")
      yield* sql`update business_identities set status = 'pending', approved_at = null
        where organization_id = ${tenant.organization_id}`
      assert.strictEqual(yield* approve, 403)
      yield* sql`update business_identities set status = 'approved', approved_at = now()
        where organization_id = ${tenant.organization_id}`
      yield* seedNumber(tenant.sibling.production)
      assert.strictEqual(yield* approve, 402)
      assert.strictEqual((yield* read).status, "awaiting_approval")
    })
  )

  it.effect("only owners and admins decide, members only read M-ORD-34", () =>
    Effect.gen(function* () {
      const { path, read, tenant } = yield* stage()
      const sql = yield* SqlClient.SqlClient
      const member = (yield* Ids).mint("mem", yield* Clock.currentTimeMillis)
      yield* sql`insert into members (organization_id, id, name, email, role, created_at)
        values (${tenant.organization_id}, ${member}, 'Member', ${`${member}@x.test`}, 'member', now())`
      const someone = yield* signedIn(tenant, member)
      const page = yield* someone.get(path)
      assert.strictEqual(page.status, 200)
      assert.include(textOf(page.text), "An owner or admin decides.")
      assert.strictEqual((yield* someone.submit(path, `${path}/approve`)).status, 403)
      assert.strictEqual((yield* read).status, "awaiting_approval")
      const { path: foreign } = yield* stage()
      assert.strictEqual((yield* someone.get(foreign)).status, 404)
    })
  )

  it.effect("of two who approve at once, one gets the number M-ORD-12", () =>
    Effect.gen(function* () {
      const { path, production, someone, tenant } = yield* stage()
      const sql = yield* SqlClient.SqlClient
      const answers = yield* Effect.all(
        [someone.submit(path, `${path}/approve`), someone.submit(path, `${path}/approve`)],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [303, 409])
      yield* quiesce
      const [counted] = yield* sql<{ count: number }>`select count(*)::int4 as count from reservations
        where account_id = ${tenant.organization_id}`
      assert.strictEqual(counted?.count, 1)
      assert.strictEqual((yield* production.get("")).body.data.length, 1)
    })
  )

  it.effect("changed terms end the order M-ORD-07 M-ORD-13", () =>
    Effect.gen(function* () {
      yield* leapTo("2026-01-31T23:00:00.000Z")
      const { path, read, someone } = yield* stage()
      // The month that would be charged next is another one by now.
      yield* leapTo("2026-02-01T01:00:00.000Z")
      assert.strictEqual((yield* someone.submit(path, `${path}/approve`)).status, 303)
      const order = yield* read
      assert.deepStrictEqual([order.status, order.failure.code], ["failed", "phone_number_order_terms_changed"])
    })
  )

  it.effect("numbers are listed and shown with health, allowance and last messages M-PHN-42", () =>
    Effect.gen(function* () {
      const { someone, tenant } = yield* stage()
      const number = yield* seedNumber(tenant.sandbox)
      const list = textOf((yield* someone.get(`/dashboard/phone-numbers?environment=${tenant.sandbox.id}`)).text)
      for (const shown of [readablePhone(number.phone).text, "active", "green", "900"]) assert.include(list, shown)
      const one = textOf((yield* someone.get(`/dashboard/phone-numbers/${tenant.sandbox.id}/${number.id}`)).text)
      for (const shown of [number.id, "1,000 new customers in 24 hours", "No message yet."]) assert.include(one, shown)
      assert.strictEqual((yield* someone.get(`/dashboard/phone-numbers/${tenant.sandbox.id}/pn_none`)).status, 404)
    })
  )

  it.effect("a number of a portfolio says that what is left is left for all of its numbers U-LIM-01", () =>
    Effect.gen(function* () {
      const { someone, tenant } = yield* stage()
      const number = yield* seedNumber(tenant.sandbox)
      const sql = yield* SqlClient.SqlClient
      const page = Effect.map(someone.get(`/dashboard/phone-numbers/${tenant.sandbox.id}/${number.id}`), ({ text }) =>
        textOf(text)
      )
      const alone = yield* page
      assert.include(alone, "New recipients left, about")
      assert.notInclude(alone, "whole portfolio")
      yield* Effect.orDie(sql`update phone_numbers set portfolio_id = '5567890123' where id = ${number.id}`)
      const shared = yield* page
      for (const shown of ["5567890123", "New recipients left for the whole portfolio, about", "900"]) {
        assert.include(shared, shown)
      }
    })
  )
})
