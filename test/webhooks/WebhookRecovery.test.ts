import { Activations } from "@carteiro/owners/Cluster.ts"
import { jobs } from "@carteiro/runtime/webhooks/delivery/WebhookRetentionRepo.ts"
import { WebhookRecoveryWorker } from "@carteiro/runtime/webhooks/log/WebhookRecoveryWorker.ts"
import { WebhookRecoveries } from "@carteiro/runtime/webhooks/recovery/WebhookRecoveries.ts"
import * as Webhooks from "@carteiro/runtime/webhooks/Webhooks.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Random } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { leapTo, quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { attemptsOf, endpointRow, raise, receiver, register, turnThrough, webhooksTest } from "./Deliveries.ts"

const path = "/v1/webhook-endpoints"
const day = 24 * 3_600_000

/** The sources that number management holds back, in the place of another room. */
const suspended = new Set<string>()
const RecoveryTest = webhooksTest(
  Layer.succeed(Webhooks.SuspendedContent, (_environmentId, events) =>
    Effect.succeed(new Set(events.flatMap(({ id, source_id }) => (suspended.has(source_id) ? [id] : []))))
  )
)

/** A sandbox with one endpoint that answers as `how` says. */
const staged = Effect.fnUntraced(function* (name: string) {
  const api = yield* Api
  const { sandbox } = yield* seedTenant(name)
  const how = { status: 200 }
  const taken: Array<string> = []
  const { url, received } = yield* receiver((_, request) => {
    if (how.status === 200) taken.push(JSON.parse(request.rawBody.toString()).id)
    return how.status
  })
  const { id } = yield* register(sandbox, url)
  const { key } = sandbox
  const from = formatTimestamp(yield* Clock.currentTimeMillis)
  const recover = (body: unknown = { from }, idempotencyKey?: string) =>
    api.post(`${path}/${id}/recover`, body, { key, ...(idempotencyKey && { idempotencyKey }) })
  const turn = (status: "active" | "disabled") => api.patch(`${path}/${id}`, { status }, { key })
  const sql = yield* SqlClient.SqlClient
  const raised = Effect.map(
    sql<{ readonly id: string }>`select id from outbox_events where environment_id = ${sandbox.id} order by id`,
    (rows) => rows.map((row) => row.id)
  )
  return { api, sandbox, how, taken, received, id, key, from, recover, turn, raised }
})

it.layer(RecoveryTest, { excludeTestServices: true })("a recovery", (it) => {
  it.effect(
    "delivers events from while the endpoint was disabled, once, in order, also when it is requested again",
    () =>
      Effect.gen(function* () {
        const { id, raised, recover, sandbox, taken, turn } = yield* staged("disabled")
        yield* raise(sandbox, 2)
        yield* quiesce
        yield* turn("disabled")
        yield* raise(sandbox, 3)
        yield* raise(sandbox, 2, "message.sent")
        yield* turnBy(1000)
        yield* turn("active")
        assert.lengthOf(taken, 2)
        const answer = yield* recover()
        assert.strictEqual(answer.status, 202)
        assert.deepInclude(answer.body, {
          object: "webhook_recovery",
          webhook_endpoint_id: id,
          status: "pending",
          missed: 3,
          never_sent: 3,
          failed: 0,
          older: null
        })
        assert.strictEqual(answer.body.counted_to, answer.body.to)
        yield* quiesce
        const wanted = (yield* raised).slice(0, 5)
        assert.sameMembers(taken, wanted)
        assert.deepInclude((yield* recover()).body, { missed: 0 })
        yield* quiesce
        assert.lengthOf(taken, 5)
        assert.deepStrictEqual(
          (yield* attemptsOf(id)).map(({ attempt, status }) => [attempt, status]),
          Array.from({ length: 5 }, () => [1, "succeeded"])
        )
      })
  )

  it.effect("sends finally failed deliveries again after the breaker tripped, and leaves waiting ones alone", () =>
    Effect.gen(function* () {
      const { from, how, id, raised, recover, sandbox, taken, turn } = yield* staged("breaker")
      how.status = 500
      yield* raise(sandbox, 25)
      yield* turnThrough(60_000)
      assert.deepInclude(yield* endpointRow(id), { status: "disabled", disabled_reason: "consecutive_failures" })
      yield* raise(sandbox, 4)
      how.status = 200
      assert.deepInclude((yield* recover()).body.error, { code: "webhook_endpoint_disabled" })
      yield* turn("active")
      const { body } = yield* recover({ from, to: null })
      assert.deepInclude(body, { missed: 29, never_sent: 4, failed: 25 })
      yield* quiesce
      assert.sameMembers(taken, [...(yield* raised)])
      assert.lengthOf(taken, 29)
      assert.deepInclude(yield* endpointRow(id), { status: "active", probation: false, failures: 0 })
    })
  )

  it.effect("shows events that are no longer kept, and omits them", () =>
    Effect.gen(function* () {
      const { from, recover, sandbox, taken, turn } = yield* staged("older")
      yield* turn("disabled")
      yield* raise(sandbox, 2)
      yield* leapTo((yield* Clock.currentTimeMillis) + 8 * day)
      yield* raise(sandbox, 3)
      yield* turn("active")
      const now = yield* Clock.currentTimeMillis
      const { body } = yield* recover()
      const oldest = formatTimestamp(now - 7 * day)
      assert.deepInclude(body, { missed: 3, from: oldest, to: formatTimestamp(now), older: { from, to: oldest } })
      yield* quiesce
      assert.lengthOf(taken, 3)
      const gone = yield* recover({ from, to: from })
      assert.deepInclude(gone.body, { missed: 0, from, to: from, older: { from, to: from } })
    })
  )

  it.effect("omits events from before the registration of the endpoint", () =>
    Effect.gen(function* () {
      const { api, from, key, sandbox } = yield* staged("registered")
      yield* raise(sandbox, 2)
      yield* turnBy(1000)
      const { received, url } = yield* receiver()
      const { id } = yield* register(sandbox, url)
      const registered = formatTimestamp(yield* Clock.currentTimeMillis)
      const { body } = yield* api.post(`${path}/${id}/recover`, { from }, { key })
      assert.deepInclude(body, { missed: 0, from: registered, older: null })
      yield* quiesce
      assert.lengthOf(received, 0)
    })
  )

  it.effect("is refused for an invalid body, endpoint or span", () =>
    Effect.gen(function* () {
      const { api, from, id, recover } = yield* staged("refused")
      const now = yield* Clock.currentTimeMillis
      const later = formatTimestamp(now + 1)
      const earlier = formatTimestamp(now - 1)
      const refused: ReadonlyArray<readonly [body: unknown, param: string]> = [
        [{}, "from"],
        [{ from: null }, "from"],
        [{ from: "yesterday" }, "from"],
        [{ from: "2026-01-01T00:00:00" }, "from"],
        [{ from, to: 5 }, "to"],
        [{ from, extra: true }, "extra"],
        [{ from: later }, "from"],
        [{ from, to: earlier }, "to"]
      ]
      for (const [body, param] of refused) {
        const answer = yield* recover(body)
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.deepInclude(answer.body.error, { code: "invalid_webhook_endpoint_request", param })
      }
      const foreign = yield* api.post(`${path}/${id}/recover`, { from }, { key: api.other.sandbox.key })
      assert.strictEqual(foreign.body.error.code, "webhook_endpoint_not_found")
      const unknown = yield* api.post(`${path}/nonsense/recover`, { from }, { key: api.other.sandbox.key })
      assert.strictEqual(unknown.body.error.code, "webhook_endpoint_not_found")
    })
  )

  it.effect("replays its response for an idempotency key and makes nothing again", () =>
    Effect.gen(function* () {
      const { from, recover, sandbox, taken, turn } = yield* staged("replayed")
      yield* turn("disabled")
      yield* raise(sandbox, 2)
      yield* turn("active")
      const first = yield* recover({ from }, "once")
      yield* quiesce
      const replay = yield* recover({ from }, "once")
      assert.strictEqual(replay.text, first.text)
      assert.strictEqual(replay.headers["svc-idempotent-replayed"], "true")
      assert.strictEqual((yield* recover({ from, to: from }, "once")).body.error.code, "idempotency_key_conflict")
      assert.lengthOf(taken, 2)
    })
  )

  it.effect("holds back content that customers sent to a suspended number", () =>
    Effect.gen(function* () {
      const { id, recover, sandbox, taken, turn } = yield* staged("suspended")
      yield* turn("disabled")
      yield* raise(sandbox, 3)
      yield* turn("active")
      suspended.add("msg_1")
      yield* recover()
      yield* quiesce
      suspended.clear()
      assert.lengthOf(taken, 2)
      const repo = yield* WebhookRecoveries
      assert.deepInclude(yield* repo.latest(sandbox.id, id), { status: "completed", missed: 3, made: 2, held: 1 })
    })
  )

  it.effect("runs in steps, pauses while the queue of the endpoint is full, and stops with its endpoint", () =>
    Effect.gen(function* () {
      const { id, recover, sandbox, taken, turn } = yield* staged("steps")
      const recoveries = yield* WebhookRecoveries
      const sql = yield* SqlClient.SqlClient
      yield* turn("disabled")
      for (let n = 0; n < 3; n++) yield* raise(sandbox, 400)
      yield* turn("active")
      const now = new Date(yield* Clock.currentTimeMillis)
      // Attempts without their events are never sent: the queue stays full until they are removed.
      const fill = sql`insert into webhook_attempts
        (environment_id, webhook_event_id, attempt, id, endpoint_id, status, explicit, due_at, created_at)
        select ${sandbox.id}, 'whe_x' || n, 1, 'att_x' || n, ${id}, 'pending', false, ${now}, ${now}
        from generate_series(1, 1000) n`
      const empty = sql`delete from webhook_attempts where endpoint_id = ${id} and webhook_event_id like 'whe_x%'`
      yield* fill
      yield* recover()
      yield* turnBy(3000)
      assert.deepInclude(yield* recoveries.latest(sandbox.id, id), { status: "running", missed: 1200, made: 0 })
      yield* turn("disabled")
      yield* turnBy(1000)
      assert.deepInclude(yield* recoveries.latest(sandbox.id, id), { status: "stopped", made: 0 })
      yield* empty
      yield* turn("active")
      yield* recover()
      yield* turnBy(3000)
      assert.deepInclude(yield* recoveries.latest(sandbox.id, id), { status: "completed", made: 1200 })
      assert.strictEqual(new Set(taken).size, 1200)
      assert.lengthOf(taken, 1200)
    })
  )

  it.effect("is deleted from the table with the rows it made", () =>
    Effect.gen(function* () {
      const { id, recover, sandbox } = yield* staged("swept")
      const recoveries = yield* WebhookRecoveries
      yield* recover()
      yield* quiesce
      const sweep = jobs.find(({ name }) => name === "webhooks.recoveries")?.run ?? Effect.die("no such job")
      yield* leapTo((yield* Clock.currentTimeMillis) + 90 * day - 1)
      yield* sweep
      assert.isDefined(yield* recoveries.latest(sandbox.id, id))
      yield* turnBy(1000)
      yield* sweep
      assert.isUndefined(yield* recoveries.latest(sandbox.id, id))
    })
  )

  it.effect.each(Array.from({ length: 4 }, (_, n) => n + 1))(
    "after random outages (%i) delivers exactly the missed events, each once, also when steps are interrupted",
    (seed) =>
      Effect.gen(function* () {
        const { from, how, id, raised, recover, sandbox, taken, turn } = yield* staged(`random-${seed}`)
        const sql = yield* SqlClient.SqlClient
        const activations = yield* Activations
        for (let n = 0; n < 30; n++) {
          const drawn = yield* Random.nextIntBetween(0, 8)
          if (drawn < 3) yield* raise(sandbox, yield* Random.nextIntBetween(1, 5))
          else if (drawn === 3) yield* turn("disabled")
          else if (drawn === 4) yield* turn("active")
          else if (drawn === 5) how.status = how.status === 200 ? 503 : 200
          else if (drawn === 6) yield* turnThrough(yield* Random.nextIntBetween(1, 30_000))
          else {
            yield* recover()
            // After a crash the next worker finds the recovery in the state of the last commit, and may repeat a walk.
            yield* sql`update webhook_recoveries set status = 'running', ended_at = null, cursor_id = 'evt_'
              where endpoint_id = ${id}`
            activations.wake(WebhookRecoveryWorker.name, id)
          }
        }
        how.status = 200
        yield* turn("active")
        yield* turnThrough(60_000)
        const missed = (yield* raised).filter((event) => !taken.includes(event))
        const answer = yield* recover({ from })
        assert.strictEqual(answer.body.missed, missed.length)
        yield* Effect.all([recover({ from }), recover({ from })], { concurrency: "unbounded" })
        yield* turnThrough(60_000)
        assert.deepStrictEqual([...taken].sort(), [...(yield* raised)])
        assert.deepInclude((yield* recover({ from })).body, { missed: 0 })
      }).pipe(Random.withSeed(seed)),
    { timeout: 240_000 }
  )
})
