import { TurnedClock } from "@carteiro/owners/OwnerClocks.ts"
import { realNow } from "@carteiro/owners/RealTime.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { askFor } from "../billing/Accounts.ts"
import { Api } from "../support/ApiTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const dayMs = 86_400_000
const lead = 400 * dayMs

let projects = 0

/** A key of a sandbox whose clock is 400 days ahead. */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const sql = yield* SqlClient.SqlClient
  const { sandbox } = yield* seedProject(api.acme.organization_id, `ahead-${++projects}`)
  yield* sql`insert into sandbox_clocks (environment_id, lead_ms, stands_at, due_at)
    values (${sandbox.id}, ${lead}, null, now() + interval '1 day')`
  return { api, id: sandbox.id, key: sandbox.key, sql }
})

const isReal = (text: string) => Math.abs(Date.parse(text) - Date.now()) < dayMs
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const instantIn = (id: string) =>
  [...id.slice(id.indexOf("_") + 1).slice(0, 10)].reduce((time, letter) => time * 32 + alphabet.indexOf(letter), 0)

it.layer(WholeProduct({ clock: "live" }), { excludeTestServices: true })("What belongs to the organization", (it) => {
  it.effect('has real time, also when a key of a turned sandbox makes it gaps-1 "Sandbox clock"', () =>
    Effect.gen(function* () {
      const { api, key, sql } = yield* stage
      const project = yield* api.post("/v1/projects", { name: "Made ahead" }, { key })
      assert.strictEqual(project.status, 201, project.text)
      const texts = JSON.stringify(project.body).match(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu) ?? []
      assert.isAbove(texts.length, 0)
      for (const text of texts) assert.isTrue(isReal(text), project.text)
      const ids = JSON.stringify(project.body).match(/(?:prj|env)_[0-9a-z]{26}/gu) ?? []
      assert.isAtLeast(ids.length, 3, project.text)
      for (const id of ids) assert.isBelow(Math.abs(instantIn(id) - Date.now()), dayMs, id)
      // All that the new environments were given: templates, counters, numbers.
      for (const table of ["environments", "templates", "phone_numbers"]) {
        const rows = yield* sql.unsafe<{ readonly ahead: number }>(
          `select count(*)::int4 as ahead from ${table} where created_at > now() + interval '1 day'`
        )
        assert.strictEqual(rows[0]?.ahead, 0, table)
      }
      const minted = yield* api.post(
        "/v1/api-keys",
        { name: "second key", environment: "sandbox", scopes: ["templates:read"] },
        { key }
      )
      assert.strictEqual(minted.status, 201, minted.text)
      assert.isTrue(isReal(minted.body.created_at), minted.text)
      const report = yield* api.post(
        "/v1/feedback",
        { message: "The clock is ahead." },
        { key, idempotencyKey: "report-1" }
      )
      assert.strictEqual(report.status, 201, report.text)
      assert.isTrue(isReal(report.body.received_at), report.text)
    })
  )

  it.effect('is told of a turned sandbox at real time gaps-1 "Sandbox clock"', () =>
    Effect.gen(function* () {
      const { api, id, key, sql } = yield* stage
      const card = { cardproc_payment_method_id: "sbpm_declined", set_default: true }
      assert.strictEqual((yield* api.post("/v1/billing/payment-methods", card, { key })).status, 201)
      const automatic = { enabled: true, threshold_brl: "50", amount_brl: "200.00" }
      const set = yield* api.call("PUT", "/v1/billing/auto-topup", automatic, { key })
      assert.strictEqual(set.status, 200, set.text)
      yield* askFor(id, "credit", 100_0000)
      yield* askFor(id, "debit", 60_0000)
      const dated = (table: string) =>
        sql.unsafe<{ readonly at: number; readonly id: string }>(
          `select id, (extract(epoch from created_at) * 1000)::int8 as at from ${table} where kind = 'auto_topup_failed'
          and organization_id = $1`,
          [api.acme.organization_id]
        )
      yield* until(Effect.map(dated("emails"), (rows) => rows.length === 1))
      for (const table of ["emails", "billing_notices"]) {
        const [row] = yield* dated(table)
        assert.isBelow(Math.abs(Number(row?.at) - Date.now()), dayMs, table)
        assert.isBelow(Math.abs(instantIn(row?.id ?? "") - Date.now()), dayMs, table)
      }
    })
  )

  it.effect("reads the node's time within a handler of a turned sandbox", () =>
    Effect.gen(function* () {
      const turned = yield* Effect.clockWith((base) =>
        Effect.provideService(
          Effect.all({ real: realNow, now: Clock.currentTimeMillis }),
          Clock.Clock,
          new TurnedClock(base, { leadMs: lead, standsAt: undefined })
        )
      )
      assert.isAtLeast(turned.now - turned.real, lead - 1000)
      assert.isBelow(Math.abs(turned.real - Date.now()), dayMs)
    })
  )
})
