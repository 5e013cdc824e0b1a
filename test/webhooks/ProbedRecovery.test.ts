import { WebhookEndpointRepo } from "@carteiro/runtime/webhooks/endpoint/WebhookEndpointRepo.ts"
import { WebhookEndpointCommands } from "@carteiro/runtime/webhooks/owner/WebhookEndpointCommands.ts"
import { WebhookRecoveries } from "@carteiro/runtime/webhooks/recovery/WebhookRecoveries.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Api } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { endpointRow, raise, receiver, register, turnThrough, WebhooksTest } from "./Deliveries.ts"

const path = "/v1/webhook-endpoints"
const day = 24 * 3_600_000

/** A sandbox with one endpoint that answers `how.status`; a test delivery that it holds waits for `how.answer`. */
const staged = Effect.fnUntraced(function* (name: string) {
  const { patch } = yield* Api
  const { sandbox } = yield* seedTenant(name)
  const how: { status: number; holds: boolean; answer: (status: number) => void } = {
    status: 200,
    holds: false,
    answer: () => {}
  }
  const taken: Array<string> = []
  const { url } = yield* receiver((_, request) => {
    const event = JSON.parse(request.rawBody.toString())
    if (event.type === "webhook.test") {
      if (!how.holds) return how.status
      return (answer) => {
        how.answer = answer
      }
    }
    if (how.status === 200) taken.push(event.id)
    return how.status
  })
  const { id } = yield* register(sandbox, url)
  const commands = yield* WebhookEndpointCommands
  const recoveries = yield* WebhookRecoveries
  const caller = { environment_id: sandbox.id, environment: sandbox.kind }
  const recover = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    commands.recover({ caller, now, traceId: "1".repeat(32) }, id)
  )
  const endpoint = Effect.flatMap(WebhookEndpointRepo, (repo) => repo.find(sandbox.id, id))
  const gap = Effect.gen(function* () {
    const row = yield* Effect.provide(endpoint, WebhookEndpointRepo.layer)
    return row && (yield* recoveries.gap(row, yield* Clock.currentTimeMillis))
  })
  const turn = (status: "active" | "disabled") => patch(`${path}/${id}`, { status }, { key: sandbox.key })
  const sql = yield* SqlClient.SqlClient
  const raised = Effect.map(
    sql<{ readonly id: string }>`select id from outbox_events where environment_id = ${sandbox.id} order by id`,
    (rows) => rows.map((row) => row.id)
  )
  return { sandbox, how, taken, id, recover, gap, turn, raised, latest: recoveries.latest(sandbox.id, id) }
})

it.layer(WebhooksTest, { excludeTestServices: true })("a recovery with a test", (it) => {
  it.effect("tests an endpoint that failures disabled, enables it and delivers exactly the missed events", () =>
    Effect.gen(function* () {
      const { gap, how, id, latest, raised, recover, sandbox, taken } = yield* staged("breaker")
      yield* raise(sandbox, 2)
      yield* quiesce
      assert.isUndefined(yield* gap)
      yield* turnBy(1000)
      const broke = yield* Clock.currentTimeMillis
      how.status = 500
      yield* raise(sandbox, 25)
      yield* turnThrough(60_000)
      assert.deepInclude(yield* endpointRow(id), { status: "disabled", disabled_reason: "consecutive_failures" })
      yield* raise(sandbox, 4)
      assert.deepInclude(yield* gap, { never_sent: 4, failed: 25, from: broke, older: undefined })
      how.status = 200
      how.holds = true
      yield* recover
      assert.deepInclude(yield* latest, { status: "running", awaits_probe: true, missed: 29, made: 0 })
      yield* raise(sandbox, 3)
      yield* recover
      how.answer(200)
      yield* turnBy(3000)
      assert.deepInclude(yield* latest, { status: "completed", awaits_probe: false, missed: 32, made: 32, waiting: 0 })
      assert.deepInclude(yield* endpointRow(id), { status: "active", probation: false, failures: 0 })
      assert.deepStrictEqual([...taken].sort(), [...(yield* raised)])
      assert.isUndefined(yield* gap)
    })
  )

  it.effect("enables an endpoint that was disabled by hand, for which an ordinary test is refused", () =>
    Effect.gen(function* () {
      const { gap, id, latest, raised, recover, sandbox, taken, turn } = yield* staged("manual")
      yield* turn("disabled")
      const stopped = yield* Clock.currentTimeMillis
      assert.deepInclude(yield* gap, { never_sent: 0, failed: 0, from: stopped })
      yield* turnBy(1000)
      yield* raise(sandbox, 3)
      yield* raise(sandbox, 2, "message.sent")
      yield* recover
      yield* turnBy(3000)
      assert.deepInclude(yield* latest, { status: "completed", missed: 3, made: 3, stop_reason: null })
      assert.deepInclude(yield* endpointRow(id), { status: "active", probation: false })
      assert.deepStrictEqual([...taken].sort(), (yield* raised).slice(0, 3))
    })
  )

  it.effect("leaves an endpoint disabled whose test fails, and shows that", () =>
    Effect.gen(function* () {
      const { gap, how, id, latest, recover, sandbox, taken, turn } = yield* staged("still down")
      yield* turn("disabled")
      yield* raise(sandbox, 3)
      how.status = 503
      yield* recover
      yield* turnBy(2000)
      assert.deepInclude(yield* latest, { status: "stopped", stop_reason: "probe_failed", made: 0 })
      assert.deepInclude(yield* endpointRow(id), { status: "disabled", disabled_reason: "manual" })
      assert.deepInclude(yield* gap, { never_sent: 3 })
      assert.lengthOf(taken, 0)
    })
  )

  it.effect("does not enable an endpoint that people disable while its test is under way", () =>
    Effect.gen(function* () {
      const { how, id, latest, recover, sandbox, turn } = yield* staged("overruled")
      how.holds = true
      yield* turn("disabled")
      yield* raise(sandbox, 1)
      yield* turn("active")
      yield* turnBy(1000)
      yield* recover
      // No other call waits for the held test.
      yield* TestClock.adjust(1)
      yield* turn("disabled")
      how.answer(200)
      yield* turnBy(2000)
      assert.deepInclude(yield* latest, { status: "stopped", stop_reason: "endpoint_disabled" })
      assert.deepInclude(yield* endpointRow(id), { status: "disabled", disabled_reason: "manual" })
    })
  )

  it.effect("shows which part of an outage is no longer kept", () =>
    Effect.gen(function* () {
      const { gap, sandbox, turn } = yield* staged("older")
      yield* turn("disabled")
      const stopped = yield* Clock.currentTimeMillis
      yield* raise(sandbox, 2)
      yield* turnBy(8 * day)
      const now = yield* Clock.currentTimeMillis
      assert.deepInclude(yield* gap, {
        never_sent: 0,
        from: now - 7 * day,
        older: { from: stopped, to: now - 7 * day }
      })
    })
  )

  it.effect("counts the events that an active endpoint missed in its last stop, until none of them is kept", () =>
    Effect.gen(function* () {
      const { gap, id, sandbox, turn } = yield* staged("enabled")
      const { patch } = yield* Api
      yield* turn("disabled")
      yield* raise(sandbox, 2)
      yield* turn("active")
      assert.deepInclude(yield* gap, { never_sent: 2, failed: 0 })
      yield* turnBy(8 * day)
      yield* raise(sandbox, 3, "message.sent")
      const subscribed_events = ["message.received", "message.sent"]
      yield* patch(`${path}/${id}`, { subscribed_events }, { key: sandbox.key })
      assert.isUndefined(yield* gap)
    })
  )

  it.effect("refuses the sixth test within a minute", () =>
    Effect.gen(function* () {
      const { how, recover, turn } = yield* staged("eager")
      how.status = 503
      yield* turn("disabled")
      for (let n = 0; n < 5; n++) {
        yield* recover
        yield* turnBy(1000)
      }
      assert.deepInclude(yield* Effect.flip(recover), { _tag: "rate_limited" })
    })
  )
})
