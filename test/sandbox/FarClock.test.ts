import { longestAdvanceDays, longestLeadDays } from "@carteiro/schema/sandbox/SandboxClock.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const dayMs = 86_400_000
const yearMs = 365.25 * dayMs
let projects = 0

const stage = Effect.gen(function* () {
  const api = yield* Api
  const { sandbox } = yield* seedProject(api.acme.organization_id, `far-${++projects}`)
  const { id, key } = sandbox
  const get = (path: string) => api.get(`/v1/${path}`, { key })
  const post = (path: string, body?: object) => api.post(`/v1/${path}`, body, { key })
  /** The node answers its own probe, whatever the clock does meanwhile. */
  const alive = Effect.map(api.get("/health"), ({ body, status }) =>
    assert.deepStrictEqual([status, body.status], [200, "ok"])
  )
  const advance = Effect.fnUntraced(function* (body: object) {
    const begun = yield* post("sandbox/clock/advance", body)
    if (begun.status !== 202) return begun
    const read = get(`sandbox/clock/advances/${begun.body.id}`)
    yield* until(
      Effect.gen(function* () {
        yield* alive
        return (yield* read).body.status !== "running"
      })
    )
    return yield* read
  })
  const sql = yield* SqlClient.SqlClient
  /** Turns the clock as releases without a bound did. */
  const turnTo = (leadMs: number) =>
    sql`insert into sandbox_clocks (environment_id, lead_ms, stands_at, due_at)
      values (${id}, ${Math.round(leadMs)}, null, now() + interval '1 day')
      on conflict (environment_id) do update set lead_ms = excluded.lead_ms, stands_at = null`
  return { alive, api, advance, get, id, post, turnTo }
})

it.layer(WholeProduct({ clock: "live" }), { excludeTestServices: true })("The farthest time of a sandbox", (it) => {
  it.effect('is ten years ahead of real time, by seconds as by an instant gaps-1 "Sandbox clock"', () =>
    Effect.gen(function* () {
      const { advance, get } = yield* stage
      const by_seconds = longestAdvanceDays * 86_400
      const whole = Math.floor(longestLeadDays / longestAdvanceDays)
      for (let turn = 0; turn < whole; turn++)
        assert.strictEqual((yield* advance({ by_seconds })).body.status, "settled")
      const beyond = yield* advance({ by_seconds })
      assert.deepInclude(beyond.body.error, { code: "invalid_sandbox_request", param: "by_seconds" }, beyond.text)
      assert.strictEqual(beyond.status, 400)
      assert.include(beyond.body.error.message, "ten years")
      const at = (ms: number) => ({ to: new Date(Date.now() + ms).toISOString() })
      const instant = yield* advance(at(longestLeadDays * dayMs + 60_000))
      assert.deepInclude(instant.body.error, { code: "invalid_sandbox_request", param: "to" }, instant.text)
      assert.strictEqual((yield* advance(at(longestLeadDays * dayMs - 60_000))).body.status, "settled")
      assert.isAbove((yield* get("sandbox/clock")).body.lead_seconds, (longestLeadDays - 1) * 86_400)
    })
  )

  it.effect('past the year 9999 leaves the node alive, and is turned no more gaps-1 "Sandbox clock"', () =>
    Effect.gen(function* () {
      for (const years of [8_100, 9_200, 150_000]) {
        const { advance, alive, api, get, post, turnTo } = yield* stage
        yield* turnTo(years * yearMs)
        const paid = yield* post("payments", { amount_brl_centavos: 12_550 })
        assert.isBelow(paid.status, 500, paid.text)
        yield* alive
        const listed = yield* get("payments")
        assert.strictEqual(listed.status, 200, listed.text)
        assert.strictEqual((yield* get("account")).status, 200)
        // The node still answers everybody else.
        assert.strictEqual((yield* api.get("/v1/account", { key: api.acme.sandbox.key })).status, 200)
        for (const refused of [
          yield* advance({ by_seconds: 60 }),
          yield* post("sandbox/clock/freeze"),
          yield* post("sandbox/clock/resume")
        ]) {
          assert.deepStrictEqual(
            [refused.status, refused.body.error?.code],
            [400, "invalid_sandbox_request"],
            refused.text
          )
          assert.include(refused.body.error.message, "POST /v1/sandbox/clock/reset")
        }
        assert.strictEqual((yield* get("sandbox/clock")).status, 200)
      }
    })
  )
})
