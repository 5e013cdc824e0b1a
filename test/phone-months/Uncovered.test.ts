import { readablePhone } from "@carteiro/spellings/Phone.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DashboardTest, signedIn, textOf } from "../console/Visitor.ts"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { coverageOf, imported, monthStage, rental, rented, review, some, subscribe, suspendedAt } from "./Stage.ts"

/**
 * The status and code of a send to a customer who never wrote: a number in service refuses it because of the service
 * window.
 */
const send = Effect.fnUntraced(function* ({ key }: TestEnvironment, number: { readonly id: string }) {
  const { post } = yield* Api
  const { body, status } = yield* post(
    "/v1/messages",
    {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: number.id },
      recipient: { type: "phone_e164", id: "+5511987654321" },
      message: { type: "text", text: { body: "Oi" } }
    },
    { key }
  )
  return [status, body.error?.code]
})
const refused = [403, "phone_service_suspended"]
const served = [400, "service_window_required"]

it.layer(DashboardTest, { excludeTestServices: true })("Numbers without coverage", (it) => {
  it.effect("send nothing, and send again as soon as a plan covers them C-PMGT-08 C-PMGT-10 M-IMP-12 M-ERR-05", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* monthStage(0)
      const number = yield* imported(sandbox)
      assert.deepStrictEqual(yield* send(sandbox, number), served)
      yield* review(sandbox)
      assert.deepStrictEqual(some(yield* coverageOf(sandbox, number), "coverage", "service_state"), [
        "none",
        "not_serving"
      ])
      assert.deepStrictEqual(yield* send(sandbox, number), refused)
      yield* subscribe(sandbox, "standard", "2026-01-20T00:00:00Z")
      yield* review(sandbox)
      assert.deepStrictEqual(some(yield* coverageOf(sandbox, number), "coverage", "service_state"), ["plan", "serving"])
      assert.deepStrictEqual(yield* send(sandbox, number), served)
      // The plan is over: the number sends until the end of the month.
      yield* turnBy(1)
      yield* subscribe(sandbox, null)
      yield* review(sandbox)
      assert.strictEqual(yield* suspendedAt(number), "2026-02-01T00:00:00.000Z")
      assert.deepStrictEqual(yield* send(sandbox, number), served)
    })
  )

  it.effect("stop at the instant at which their coverage ends, whatever their owner remembers C-PMGT-10", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { sandbox } = yield* monthStage(0)
      const number = yield* imported(sandbox)
      const ends = (yield* Clock.currentTimeMillis) + 60_000
      yield* sql`update phone_numbers set suspended_at = ${new Date(ends)} where id = ${number.id}`
      assert.deepStrictEqual(yield* send(sandbox, number), served)
      yield* turnBy(ends - 1 - (yield* Clock.currentTimeMillis))
      assert.deepStrictEqual(yield* send(sandbox, number), served)
      yield* turnBy(1)
      assert.deepStrictEqual(yield* send(sandbox, number), refused)
      yield* sql`update phone_numbers set suspended_at = null where id = ${number.id}`
      assert.deepStrictEqual(yield* send(sandbox, number), served)
    })
  )

  it.effect(
    "the dashboard shows the cost of each number, unpaid months, and their consequences with dates C-PMGT-21 M-PHN-30 M-PHN-34",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenant = yield* monthStage(0)
        const { organization_id, production } = tenant
        const someone = yield* signedIn(tenant)
        const path = `/dashboard/phone-numbers/months?environment=${production.id}`
        const nothing = textOf((yield* someone.get(path)).text)
        assert.include(nothing, "No number is rented here.")
        assert.include(nothing, "No number was imported here.")
        const own = yield* rented(production)
        const managed = yield* imported(production)
        const at = new Date(yield* Clock.currentTimeMillis)
        yield* sql`insert into wallets (account_id, organization_id, environment, created_at, updated_at)
        values (${organization_id}, ${organization_id}, 'production', ${at}, ${at}) on conflict do nothing`
        yield* sql`insert into phone_months values
        (${own.id}, '2026-01', 'rental', ${organization_id}, ${production.id}, ${rental}, ${at}),
        (${managed.id}, '2026-01', 'management', ${organization_id}, ${production.id}, null, ${at})`
        yield* sql`insert into unpaid_months values (${organization_id}, '2026-01', 'rental', ${at})`
        const page = textOf((yield* someone.get(path)).text)
        for (const shown of [
          readablePhone(own.phone).text,
          readablePhone(managed.phone).text,
          "at risk",
          "R$ 49,90",
          "add credit",
          "funding required",
          "not charged",
          "31 Jan"
        ]) {
          assert.include(page, shown)
        }
        assert.include((yield* someone.get(`/dashboard/phone-numbers?environment=${production.id}`)).text, path)
      })
  )
})
