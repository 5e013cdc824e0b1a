import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

let projects = 0

/** A sandbox of its own whose account has the plan `plo_standard` on a card that pays. */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const { sandbox } = yield* seedProject(api.acme.organization_id, `year-${++projects}`)
  const { id, key } = sandbox
  const post = (path: string, body: object) => api.post(`/v1/${path}`, body, { key })
  const save = (card: string) =>
    post("billing/payment-methods", { cardproc_payment_method_id: card, set_default: true })
  const plan = Effect.map(api.get("/v1/billing/plan", { key }), ({ body }) => body)
  const advanceTo = Effect.fnUntraced(function* (to: string | number) {
    const asked = yield* post("sandbox/clock/advance", { to: typeof to === "string" ? to : new Date(to).toISOString() })
    assert.strictEqual(asked.status, 202, asked.text)
    const read = Effect.map(api.get(`/v1/sandbox/clock/advances/${asked.body.id}`, { key }), ({ body }) => body)
    yield* until(Effect.map(read, ({ status }) => status !== "running"))
    const ended = yield* read
    assert.strictEqual(ended.status, "settled", JSON.stringify(ended))
    return ended
  })
  const sql = yield* SqlClient.SqlClient
  const invoices = sql<{ readonly status: string; readonly created_at: number }>`
    select status, created_at from subscription_invoices where account_id = ${id} order by created_at, id`
  assert.strictEqual((yield* save("sbpm_ok")).status, 201)
  const begun = yield* post("billing/plan/subscribe", { plan_offering_id: "plo_standard", rail: "cardproc_card" })
  assert.strictEqual(begun.status, 201, begun.text)
  return { advanceTo, id, invoices, plan, post, save, sql }
})

it.layer(WholeProduct({ clock: "live" }), { excludeTestServices: true })("The account of a sandbox", (it) => {
  it.effect("is charged each month of a year that passes in one advance", () =>
    Effect.gen(function* () {
      const { advanceTo, invoices, plan } = yield* stage
      const first = yield* plan
      const year = new Date(first.current_period_end)
      year.setUTCFullYear(year.getUTCFullYear() + 1)
      yield* advanceTo(year.getTime() - 86_400_000)
      const last = yield* plan
      assert.deepStrictEqual(
        [last.status, last.current_period_end.slice(0, 7)],
        ["active", year.toISOString().slice(0, 7)]
      )
      const paid = yield* invoices
      // The period that the subscription began with, and the twelve after it.
      assert.strictEqual(paid.length, 13)
      assert.isTrue(paid.every(({ status }) => status === "paid"))
      assert.strictEqual(new Set(paid.map(({ created_at }) => new Date(created_at).toISOString().slice(0, 7))).size, 13)
    })
  )

  it.effect("loses its plan on the seventh day after a card has declined the renewal", () =>
    Effect.gen(function* () {
      const { advanceTo, plan, save } = yield* stage
      const { current_period_end } = yield* plan
      assert.strictEqual((yield* save("sbpm_declined")).status, 201)
      const ends = Date.parse(current_period_end)
      yield* advanceTo(ends + 6 * 86_400_000)
      assert.strictEqual((yield* plan).status, "past_due")
      yield* advanceTo(ends + 8 * 86_400_000)
      assert.strictEqual((yield* plan).status, "canceled")
    })
  )

  it.effect("runs the jobs of each month that its clock passes once, also when the calendar runs later", () =>
    Effect.gen(function* () {
      const { advanceTo, id, sql } = yield* stage
      const now = new Date()
      const ahead = (months: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 15)
      yield* advanceTo(ahead(1))
      yield* advanceTo(ahead(4))
      const months = yield* sql<{ readonly job: string; readonly month: string; readonly open: boolean }>`
        select job, month, done_at is null as open from account_months
        where account_id = ${id} and job like 'month%' order by month, job`
      const charged = months.filter(({ job }) => job === "month_charge")
      assert.deepStrictEqual(
        charged.slice(-4).map(({ month }) => month),
        [1, 2, 3, 4].map((n) => new Date(ahead(n)).toISOString().slice(0, 7))
      )
      assert.isFalse(months.some(({ open }) => open))
    })
  )
})
