import { Commit } from "@carteiro/owners/Commit.ts"
import { nameRecipient } from "@carteiro/runtime/phone-orders/order/OrderStandings.ts"
import { standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { PhoneNumberRead } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { PhoneNumberOrderRead } from "@carteiro/schema/phone-orders/PhoneOrder.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy, turnTo } from "../support/OwnerTest.ts"
import { seedKey } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { declare, orderStage, ordersOf } from "./Orders.ts"

const isOrder = Schema.is(PhoneNumberOrderRead)
const isNumber = Schema.is(PhoneNumberRead)

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Renting in a sandbox", (it) => {
  it.effect("provision answers 202 with a simulated number, active a second later M-PHN-45 M-PHN-46", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* orderStage()
      const made = yield* sandbox.post("/provision", { ddd: "21", display_name: "Loja Aurora" })
      assert.strictEqual(made.status, 202)
      assert.isTrue(isNumber(made.body))
      assert.deepStrictEqual([made.body.source, made.body.status, made.body.ddd], ["numprov", "provisioning", "21"])
      assert.match(made.body.phone, /^\+55219\d{8}$/)
      assert.deepStrictEqual([made.body.monthly_fee_brl, made.body.renewal], ["0.0000", null])
      yield* turnBy(999)
      assert.strictEqual((yield* sandbox.get(`/${made.body.id}`)).body.status, "provisioning")
      yield* turnBy(1)
      const read = (yield* sandbox.get(`/${made.body.id}`)).body
      assert.strictEqual(read.status, "active")
      assert.isNotNull(read.activated_at)
      assert.strictEqual(read.verified_name, "Loja Aurora")
    })
  )

  it.effect(
    "an order is approved at once and free, and fulfilled with its number M-ORD-03 M-ORD-06 M-ORD-09 M-ORD-10",
    () =>
      Effect.gen(function* () {
        const { sandbox, tenant } = yield* orderStage("none")
        const made = yield* sandbox.post("/orders", { ddd: "11", display_name: " Loja ", purpose: "The new shop." })
        assert.strictEqual(made.status, 201)
        assert.isTrue(isOrder(made.body))
        const { created_at, expires_at, id, phone_number_id, trace_id: _, ...order } = made.body
        assert.deepStrictEqual(order, {
          object: "phone_number_order",
          status: "approved",
          project_id: tenant.project.id,
          environment_id: tenant.sandbox.id,
          ddd: "11",
          display_name: "Loja",
          purpose: "The new shop.",
          preview: {
            amount_brl: "0.0000",
            monthly_fee_brl: "0.0000",
            currency: "brl",
            first_charge_at: null,
            next_charge_at: null,
            terms_version: "phone_rental_v1",
            free: true
          },
          terms_version: "phone_rental_v1",
          approval_url: null,
          failure: null,
          approved_at: created_at,
          declined_at: null
        })
        assert.strictEqual(Date.parse(expires_at) - Date.parse(created_at), 86_400_000)
        assert.strictEqual((yield* sandbox.get(`/orders/${id}`)).body.status, "approved")
        yield* turnBy(1000)
        assert.strictEqual((yield* sandbox.get(`/orders/${id}`)).body.status, "fulfilled")
        assert.strictEqual((yield* sandbox.get(`/${phone_number_id}`)).body.status, "active")
        yield* sandbox.post(`/${phone_number_id}/release`, {})
        assert.strictEqual((yield* sandbox.get(`/orders/${id}`)).body.status, "fulfilled")
      })
  )

  it.effect("an order whose number is given up before it is active is failed M-ORD-18", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* orderStage()
      const sql = yield* SqlClient.SqlClient
      const made = yield* sandbox.post("/orders")
      yield* sql`update phone_numbers set status = 'provisioned', due_at = null where id = ${made.body.phone_number_id}`
      assert.strictEqual((yield* sandbox.get(`/orders/${made.body.id}`)).body.status, "provisioning")
      assert.strictEqual((yield* sandbox.post(`/${made.body.phone_number_id}/release`, {})).status, 202)
      const read = (yield* sandbox.get(`/orders/${made.body.id}`)).body
      assert.deepStrictEqual([read.status, read.failure], ["failed", null])
    })
  )

  it.effect("refuses what breaks the contract by its first field M-PHN-45 M-ORD-09", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* orderStage()
      const cases: ReadonlyArray<readonly [string, object, string]> = [
        ["/provision", {}, "ddd"],
        ["/provision", { ddd: "1" }, "ddd"],
        ["/provision", { ddd: "20" }, "ddd"],
        ["/provision", { ddd: 11 }, "ddd"],
        ["/provision", { ddd: "11", display_name: "" }, "display_name"],
        ["/orders", { ddd: "11", display_name: "x".repeat(256) }, "display_name"],
        ["/orders", { ddd: "11", purpose: "" }, "purpose"],
        ["/orders", { ddd: "11", purpose: "x".repeat(501) }, "purpose"]
      ]
      for (const [path, body, param] of cases) {
        const answer = yield* sandbox.post(path, body)
        assert.deepStrictEqual(
          [answer.status, answer.body.error?.code, answer.body.error?.param],
          [400, "invalid_phone_number_request", param]
        )
      }
    })
  )
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Ordering in production", (it) => {
  it.effect("waits for a decision; nothing is rented or charged M-ORD-01 M-ORD-03..06 M-ORD-08 M-ORD-11", () =>
    Effect.gen(function* () {
      const { api, production, tenant } = yield* orderStage()
      const made = yield* production.post("/orders", { ddd: "11" })
      assert.strictEqual(made.status, 201)
      assert.isTrue(isOrder(made.body))
      const { id, status, preview, approval_url, phone_number_id, approved_at, declined_at } = made.body
      assert.deepStrictEqual(
        [status, phone_number_id, approved_at, declined_at],
        ["awaiting_approval", null, null, null]
      )
      assert.strictEqual(new URL(approval_url).pathname, `/dashboard/phone-orders/${id}`)
      assert.deepStrictEqual(preview, {
        amount_brl: "49.9000",
        monthly_fee_brl: "49.9000",
        currency: "brl",
        first_charge_at: made.body.created_at,
        next_charge_at: "2026-01-01T00:05:00.000Z",
        terms_version: "phone_rental_v1",
        free: false
      })
      assert.deepStrictEqual((yield* production.get("")).body.data, [])
      const balance = yield* api.get("/v1/billing/balance", { key: tenant.production.key })
      assert.strictEqual(balance.body.balance_brl, "1000.0000")
      const read = yield* production.get(`/orders/${id}`)
      assert.strictEqual(read.body.approval_url, approval_url)
    })
  )

  it.effect("provision answers 409 with its order, for which feedback is accepted M-PHN-47 M-PHN-48", () =>
    Effect.gen(function* () {
      const { production, tenant } = yield* orderStage()
      const body = { ddd: "31", display_name: "Loja Aurora" }
      const refused = yield* production.post("/provision", body, { idempotencyKey: "once" })
      assert.strictEqual(refused.status, 409)
      assert.strictEqual(refused.body.error.code, "phone_number_rental_approval_required")
      assert.deepStrictEqual(refused.body.error.feedback, { endpoint: "/v1/feedback", method: "POST" })
      const { order } = refused.body.error.details
      assert.deepStrictEqual(Object.keys(order).sort(), ["approval_url", "expires_at", "id"])
      const read = yield* production.get(`/orders/${order.id}`)
      assert.deepStrictEqual(
        [read.body.status, read.body.ddd, read.body.approval_url, read.body.expires_at],
        ["awaiting_approval", "31", order.approval_url, order.expires_at]
      )
      assert.strictEqual((yield* production.post("/provision", body, { idempotencyKey: "once" })).text, refused.text)
      assert.strictEqual((yield* ordersOf(tenant.organization_id)).length, 1)
      yield* production.post("/provision", body)
      assert.strictEqual((yield* ordersOf(tenant.organization_id)).length, 2)
    })
  )

  it.effect("a keyed replay is the order as created, and every call without a key is a new one M-ORD-22 M-ORD-31", () =>
    Effect.gen(function* () {
      const { production, tenant } = yield* orderStage()
      const made = yield* production.post("/orders", { ddd: "11" }, { idempotencyKey: "once" })
      yield* turnTo("2026-01-01T23:00:00.000Z")
      const again = yield* production.post("/orders", { ddd: "11" }, { idempotencyKey: "once" })
      assert.strictEqual(again.text, made.text)
      assert.strictEqual((yield* ordersOf(tenant.organization_id)).length, 1)
      yield* production.post("/orders", { ddd: "11" })
      assert.strictEqual((yield* ordersOf(tenant.organization_id)).length, 2)
    })
  )

  it.effect(
    "needs an identity, then a recipient when one is required, then room in the plan, in this order M-PHN-56 M-ORD-26 M-ORD-27 M-ORD-33 A-ERR-30",
    () =>
      Effect.gen(function* () {
        const { production, tenant } = yield* orderStage("none")
        const sql = yield* SqlClient.SqlClient
        const tried = (path: string) =>
          Effect.map(production.post(path), ({ body, status }) => [status, body.error?.code, body.error?.feedback])
        for (const path of ["/orders", "/provision"]) {
          assert.deepStrictEqual(yield* tried(path), [403, "kyc_required", undefined])
        }
        yield* declare(tenant.organization_id, "pending")
        assert.deepStrictEqual(yield* tried("/orders"), [403, "kyc_pending", undefined])
        yield* declare(tenant.organization_id, "approved")
        yield* sql`insert into phone_numbers (environment_id, id, environment, source, status, created_at, updated_at)
        values (${tenant.sibling.production.id}, 'pn_full', 'production', 'byon', 'active', now(), now())`
        assert.deepStrictEqual(yield* tried("/orders"), [402, "plan_phone_limit_reached", undefined])
        yield* sql`update phone_numbers set status = 'released' where id = 'pn_full'`
        yield* sql`delete from rate_card_entries where meter_id = 'phone.rental.month'`
        const unpriced = yield* production.post("/orders")
        assert.deepStrictEqual(
          [unpriced.status, unpriced.body.error.code, unpriced.body.error.feedback],
          [503, "phone_number_rental_preview_unavailable", { endpoint: "/v1/feedback", method: "POST" }]
        )
        yield* sql`insert into rate_card_entries values
        ('rct_2026_01', 'phone.rental.month', 'Phone number, a month', 'phone_month', 499000, null, false)`
        assert.deepStrictEqual(yield* ordersOf(tenant.organization_id), [])
        assert.strictEqual((yield* tried("/orders"))[0], 201)
      })
  )

  it.effect("is switched off for creation, not for reads M-ORD-32", () =>
    Effect.gen(function* () {
      const { production, tenant } = yield* orderStage()
      const sql = yield* SqlClient.SqlClient
      const made = yield* production.post("/orders")
      yield* sql`update environments set capabilities_off = '["phone_provisioning"]' where id = ${tenant.production.id}`
      for (const path of ["/orders", "/provision"]) {
        const refused = yield* production.post(path)
        assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "feature_disabled"])
      }
      assert.strictEqual((yield* production.get(`/orders/${made.body.id}`)).status, 200)
    })
  )

  it.effect("an unknown or foreign order is not found, and reading needs phone_numbers:read M-ORD-24 M-ORD-25", () =>
    Effect.gen(function* () {
      const { api, production, tenant } = yield* orderStage()
      const { production: stranger } = yield* orderStage()
      const made = yield* production.post("/orders")
      for (const [who, id] of [
        [stranger, made.body.id],
        [production, "pno_00000000000000000000000000"],
        [production, "nothing"]
      ] as const) {
        const { body, status } = yield* who.get(`/orders/${id}`)
        assert.deepStrictEqual([status, body.error.code], [404, "phone_number_order_not_found"])
      }
      const { key } = yield* seedKey(tenant.production, { scopes: ["phone_numbers:write"] })
      const path = `/v1/phone-numbers/orders/${made.body.id}`
      assert.strictEqual((yield* api.get(path, { key })).body.error.code, "insufficient_scope")
    })
  )

  it.effect("expires after 24 hours, with nothing charged M-ORD-07 M-ORD-15 M-ORD-23 M-ORD-35 M-LIM-01", () =>
    Effect.gen(function* () {
      const { production } = yield* orderStage()
      const made = yield* production.post("/orders")
      yield* turnTo(new Date(Date.parse(made.body.expires_at) - 1).toISOString())
      assert.strictEqual((yield* production.get(`/orders/${made.body.id}`)).body.status, "awaiting_approval")
      yield* turnBy(1)
      const { body } = yield* production.get(`/orders/${made.body.id}`)
      assert.deepStrictEqual(
        [body.status, body.failure.code, body.approval_url],
        ["expired", "phone_number_order_expired", null]
      )
    })
  )
})

it.layer(
  WholeProduct({
    sweeps: false,
    settings: { CARTEIRO_PHONE_PROVISIONING_REQUIRE_BILLING_RECIPIENT: "true" }
  }),
  { excludeTestServices: true }
)("Where somebody has to receive billing alerts", (it) => {
  it.effect("no order is written before a current owner or admin receives alerts M-ORD-27 M-ORD-28", () =>
    Effect.gen(function* () {
      const { production, tenant } = yield* orderStage()
      const sql = yield* SqlClient.SqlClient
      const refused = yield* production.post("/orders")
      assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "billing_whatsapp_required"])
      assert.deepStrictEqual(yield* ordersOf(tenant.organization_id), [])
      yield* (yield* Commit).write([
        nameRecipient.row({
          organization_id: tenant.organization_id,
          member_id: tenant.owner.id,
          phone: "+5511987654321",
          consented_at: 0
        })
      ])
      assert.strictEqual((yield* production.post("/orders")).status, 201)
      yield* sql`update members set role = 'member' where id = ${tenant.owner.id}`
      assert.strictEqual((yield* production.post("/orders")).body.error.code, "billing_whatsapp_required")
    })
  )
})

it.layer(WholeProduct({ sweeps: false, rates: standardRates }), { excludeTestServices: true })(
  "The bucket of provisioning and orders",
  (it) => {
    it.effect(
      "holds five tokens for the organization, gains one in six minutes, and counts replays too M-ORD-29 M-ORD-30 M-LIM-02",
      () =>
        Effect.gen(function* () {
          const { calls, production, sandbox, tenant } = yield* orderStage()
          const sibling = calls(tenant.sibling.sandbox)
          // A refusal before the bucket costs no token.
          for (let n = 0; n < 6; n++) assert.strictEqual((yield* sandbox.post("/orders", { ddd: "20" })).status, 400)
          const first = yield* production.post("/orders", { ddd: "11" }, { idempotencyKey: "once" })
          assert.strictEqual(first.status, 201)
          yield* sandbox.post("/provision")
          yield* sibling.post("/orders")
          yield* production.post("/provision")
          assert.strictEqual(
            (yield* production.post("/orders", { ddd: "11" }, { idempotencyKey: "once" })).text,
            first.text
          )
          const empty = yield* production.post("/orders", { ddd: "11" }, { idempotencyKey: "once" })
          assert.deepStrictEqual([empty.status, empty.body.error.code], [429, "rate_limited"])
          assert.strictEqual(empty.headers["retry-after"], String(Math.ceil(empty.body.error.retry_after_ms / 1000)))
          assert.strictEqual((yield* sandbox.post("/provision")).status, 429)
          // Reading costs no token.
          assert.strictEqual((yield* production.get(`/orders/${first.body.id}`)).status, 200)
          yield* turnBy(360_000)
          assert.strictEqual((yield* sandbox.post("/provision")).status, 202)
          assert.strictEqual((yield* sandbox.post("/provision")).status, 429)
        })
    )
  }
)
