import * as Webhooks from "@carteiro/runtime/webhooks/room.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { beginning, quiesce } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { raise, receiver, register, WebhooksTest } from "./Deliveries.ts"

const day = 24 * 3_600_000
const path = "/v1/webhook-events"

/** One round of every job of the room, that many milliseconds after the beginning. */
const sweepAt = Effect.fnUntraced(function* (millis: number) {
  const clock = yield* Clock.Clock
  const at = beginning + millis
  yield* Effect.forEach(Webhooks.room.jobs, ({ run }) => run, { discard: true }).pipe(
    Effect.provideService(Clock.Clock, {
      ...clock,
      currentTimeMillis: Effect.succeed(at),
      currentTimeMillisUnsafe: () => at
    })
  )
})

it.layer(WebhooksTest, { excludeTestServices: true })("retention", (it) => {
  it.effect(
    "keeps payloads longer than the outbox and clears them after 30 days, rows after 90 A-WHV-03 (gaps-1 K, retention)",
    () =>
      Effect.gen(function* () {
        const api = yield* Api
        const sql = yield* SqlClient.SqlClient
        const { sandbox } = yield* seedTenant("ages")
        const { key } = sandbox
        const { url, received } = yield* receiver()
        const endpoint = yield* register(sandbox, url)
        const second = yield* register(sandbox, url)
        yield* raise(sandbox, 3)
        yield* api.post(`/v1/webhook-endpoints/${endpoint.id}/test`, undefined, { key })
        yield* quiesce
        const outbox = Effect.map(
          sql<{ n: number }>`select count(*)::int4 as n from outbox_events where environment_id = ${sandbox.id}`,
          (rows) => rows[0]?.n
        )
        const list = Effect.map(api.get(`${path}?limit=100`, { key }), ({ body }) => body.data)
        const before = yield* list
        assert.lengthOf(before, 7)
        yield* sweepAt(7 * day)
        assert.strictEqual(yield* outbox, 3)
        yield* sweepAt(7 * day + 1)
        assert.strictEqual(yield* outbox, 0)
        assert.deepStrictEqual(yield* list, before)
        const event = before.find(({ endpoint_id }: { endpoint_id: string }) => endpoint_id === second.id)
        const bytes = received.find(({ rawBody }) => rawBody.includes(event.payload.id))?.rawBody
        yield* api.post(`${path}/${event.id}/resend`, undefined, { key })
        yield* quiesce
        assert.deepStrictEqual(received.at(-1)?.rawBody, bytes)
        yield* sweepAt(30 * day + 1)
        const cleared = yield* list
        assert.lengthOf(cleared, 7)
        assert.isTrue(cleared.every(({ payload }: { payload: unknown }) => payload === null))
        const refused = yield* api.post(`${path}/${event.id}/resend`, undefined, { key })
        assert.strictEqual(refused.body.error.code, "webhook_event_payload_unavailable")
        yield* sweepAt(90 * day)
        assert.lengthOf(yield* list, 7)
        yield* sweepAt(90 * day + 1)
        assert.lengthOf(yield* list, 0)
        const left = yield* sql`select 1 from webhook_attempts where environment_id = ${sandbox.id}`
        assert.lengthOf(left, 0)
      })
  )

  it.effect("does not copy an erased payload from the outbox A-WHV-03", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { sandbox } = yield* seedTenant("erased")
      const { url } = yield* receiver()
      yield* register(sandbox, url)
      yield* raise(sandbox)
      yield* quiesce
      yield* sql`update webhook_events set payload_cleared = true where environment_id = ${sandbox.id}`
      yield* sweepAt(8 * day)
      const rows = yield* sql`select payload from webhook_events where environment_id = ${sandbox.id}`
      assert.deepStrictEqual(rows, [{ payload: null }])
      assert.isNull((yield* api.get(path, { key: sandbox.key })).body.data[0].payload)
    })
  )

  it.effect("listen sessions go 90 days after their end, and hints of who waits an hour after theirs (gaps-1 K)", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { production } = yield* seedTenant("sessions")
      yield* api.post(`${path}/listen-sessions`, { ttl_seconds: 30 }, { key: production.key })
      yield* sql`insert into webhook_listen_waits (environment_id, until)
        values (${production.id}, ${new Date(beginning + 30_000)})`
      const left = (table: string) =>
        Effect.map(sql`select 1 from ${sql(table)} where environment_id = ${production.id}`, (rows) => rows.length)
      yield* sweepAt(30_000 + 3_600_000 - 1)
      assert.strictEqual(yield* left("webhook_listen_waits"), 1)
      yield* sweepAt(30_000 + 3_600_000)
      assert.strictEqual(yield* left("webhook_listen_waits"), 0)
      yield* sweepAt(30_000 + 90 * day - 1)
      assert.strictEqual(yield* left("webhook_listen_sessions"), 1)
      yield* sweepAt(30_000 + 90 * day)
      assert.strictEqual(yield* left("webhook_listen_sessions"), 0)
    })
  )

  it.effect("recoveries go 90 days after their end, and stay while they run (gaps-1 K, retention)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { sandbox } = yield* seedTenant("recoveries")
      const at = new Date(beginning)
      for (const [id, status, ended_at] of [
        ["wrc_ended", "completed", at],
        ["wrc_runs", "running", null]
      ] as const) {
        yield* sql`insert into webhook_recoveries ${sql.insert({
          environment_id: sandbox.id,
          id,
          endpoint_id: "we_none",
          status,
          cursor_id: "evt_",
          end_id: "evt_",
          from_at: at,
          to_at: at,
          missed: 0,
          due_at: at,
          created_at: at,
          ended_at
        })}`
      }
      const left = Effect.map(
        sql<{
          readonly id: string
        }>`select id from webhook_recoveries where environment_id = ${sandbox.id} order by id`,
        (rows) => rows.map(({ id }) => id)
      )
      yield* sweepAt(90 * day - 1)
      assert.deepStrictEqual(yield* left, ["wrc_ended", "wrc_runs"])
      yield* sweepAt(90 * day)
      assert.deepStrictEqual(yield* left, ["wrc_runs"])
    })
  )

  it.effect("handles a long past in batches, one environment after the other (gaps-1 K, retention)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenants = [yield* seedTenant("batch-one"), yield* seedTenant("batch-two")]
      const { url } = yield* receiver()
      for (const { sandbox } of tenants) {
        yield* register(sandbox, url)
        yield* raise(sandbox, 600)
      }
      yield* quiesce
      yield* sweepAt(91 * day)
      const rows = yield* sql`select 1 from webhook_events
        where environment_id = any(${tenants.map(({ sandbox }) => sandbox.id)})`
      assert.lengthOf(rows, 0)
    })
  )
})
