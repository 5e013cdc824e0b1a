import * as Webhooks from "@carteiro/runtime/webhooks/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../support/TestDatabase.ts"

const now = 1_800_000_000_000
const ago = (seconds: number) => new Date(now - seconds * 1000)

const read = (name: string) =>
  Webhooks.room.gauges.find((gauge) => gauge.name === name)?.read(now) ?? Effect.die(new Error(`no gauge ${name}`))

it.layer(TestDatabase.layer, { excludeTestServices: true })("the metrics of webhooks", (it) => {
  it.effect("show how long the oldest attempt of all endpoints is due, among pending ones only", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* read("webhook_delivery_oldest_due_seconds"), { "": 0 })
      const attempt = (id: string, endpoint: string, status: string, due: Date) => sql`insert into webhook_attempts
        (environment_id, webhook_event_id, attempt, id, endpoint_id, status, explicit, due_at, created_at)
        values ('env_1', ${`whe_${id}`}, 1, ${`att_${id}`}, ${endpoint}, ${status}, false, ${due}, ${due})`
      yield* attempt("1", "we_1", "pending", ago(10))
      yield* attempt("2", "we_2", "pending", ago(70))
      yield* attempt("3", "we_2", "pending", ago(20))
      yield* attempt("4", "we_3", "succeeded", ago(900))
      assert.deepStrictEqual(yield* read("webhook_delivery_oldest_due_seconds"), { "": 70 })
    })
  )

  it.effect("count endpoints whose breaker tripped, that were stopped by hand, and on probation A-WHE-24", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* read("webhook_breaker_endpoints"), {})
      const endpoint = (id: string, reason: string | null, probation: boolean) => sql`insert into webhook_endpoints
        (environment_id, id, environment, url, subscribed_events, signing_secret, status, probation, disabled_reason,
          created_at, updated_at)
        values ('env_1', ${id}, 'sandbox', 'https://example.com', '{}', ''::bytea,
          ${reason === null ? "active" : "disabled"}, ${probation}, ${reason}, ${ago(0)}, ${ago(0)})`
      yield* endpoint("we_1", null, false)
      yield* endpoint("we_2", null, true)
      yield* endpoint("we_3", "consecutive_failures", false)
      yield* endpoint("we_4", "consecutive_failures", false)
      yield* endpoint("we_5", "manual", false)
      assert.deepStrictEqual(yield* read("webhook_breaker_endpoints"), {
        consecutive_failures: 2,
        manual: 1,
        probation: 1
      })
    })
  )
})
