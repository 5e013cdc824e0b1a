import { type EventSelection, WebhookEventRepo } from "@carteiro/runtime/webhooks/log/WebhookEventRepo.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../support/TestDatabase.ts"

const ReadTest = WebhookEventRepo.layer.pipe(Layer.provideMerge(TestDatabase.layer))
const environment = "env_1"
const size = 40_000

/**
 * A long log, delivered except for its oldest rows: ten failed, ten pending; one type and one endpoint are rare and
 * old.
 */
const seedLog = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into webhook_endpoints (environment_id, id, environment, url, subscribed_events, signing_secret,
      created_at, updated_at)
    select ${environment}, 'we_' || n, 'sandbox', 'https://example.com', '{message.sent}', '', to_timestamp(0),
      to_timestamp(0) from generate_series(1, 2) n`
  yield* sql`insert into webhook_events (environment_id, id, endpoint_id, event_id, type, source_type, source_id,
      trace_id, created_at)
    select ${environment}, 'whe_' || lpad(n::text, 26, '0'), case when n < 30 then 'we_2' else 'we_1' end,
      'evt_' || n, case when n < 30 then 'payment.paid' else 'message.sent' end, 'message', 'msg', 'trace',
      to_timestamp(n) from generate_series(1, ${size}::int) n`
  yield* sql`insert into webhook_attempts (environment_id, webhook_event_id, attempt, id, endpoint_id, status, explicit,
      due_at, created_at)
    select environment_id, id, 1, 'att', endpoint_id,
      case when created_at <= to_timestamp(10) then 'failed' when created_at <= to_timestamp(20) then 'pending'
        else 'succeeded' end, false, created_at, created_at from webhook_events`
  yield* sql`analyze webhook_events`.unprepared
  yield* sql`analyze webhook_attempts`.unprepared
  // Reads of the seeding must not be counted later.
  yield* sql`select pg_stat_force_next_flush()`
})

/** The rows of the log and its attempts that were read so far, and the full scans of either table. */
const looked = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select pg_stat_force_next_flush()`
  const [row] = yield* sql<{ scans: number; rows: number }>`select sum(seq_scan)::int4 as scans,
      (sum(idx_tup_fetch) + sum(seq_tup_read))::int4 as rows
    from pg_stat_user_tables where relname in ('webhook_events', 'webhook_attempts')`
  return row ?? { scans: 0, rows: 0 }
})

it.layer(ReadTest, { excludeTestServices: true })("a page of a long log", (it) => {
  it.effect("is found by an index, for every filter A-WHV-11..15", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* WebhookEventRepo
      yield* sql.withTransaction(seedLog)
      const cases: ReadonlyArray<readonly [EventSelection, found: number]> = [
        [{}, 21],
        [{ before: `whe_${"0".repeat(22)}9999` }, 21],
        [{ status: "delivered" }, 21],
        [{ status: "failed" }, 10],
        [{ status: "pending" }, 10],
        [{ types: ["payment.paid"] }, 21],
        [{ types: ["payment.paid", "never.heard.of"] }, 21],
        [{ endpoint_id: "we_2" }, 21],
        [{ endpoint_id: "we_2", status: "failed" }, 10],
        [{ types: ["message.sent"], endpoint_id: "we_1" }, 21],
        [{ ids: [`whe_${"1".padStart(26, "0")}`] }, 1]
      ]
      for (const [wanted, found] of cases) {
        assert.lengthOf(yield* repo.select(environment, wanted, 21), found, JSON.stringify(wanted))
      }
      // One transaction each, because a session flushes its counters only outside of a transaction.
      const start = yield* sql.withTransaction(looked)
      for (const [wanted] of cases) {
        yield* sql.withTransaction(
          Effect.andThen(repo.select(environment, wanted, 21), sql`select pg_stat_force_next_flush()`)
        )
      }
      const end = yield* sql.withTransaction(looked)
      assert.strictEqual(end.scans - start.scans, 0)
      assert.isBelow(end.rows - start.rows, cases.length * 500)
    })
  )

  it.effect("has the same rows and statuses as lines of a file, for every filter A-WHV-11..15", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* WebhookEventRepo
      // The newest was delivered at last, the next one waits after a failure, and the third failed.
      yield* sql`update webhook_attempts set status = 'failed' where webhook_event_id >= ${rowOf(size - 2)}`
      yield* sql`insert into webhook_attempts (environment_id, webhook_event_id, attempt, id, endpoint_id, status, explicit,
          due_at, created_at)
        select ${environment}, n.id, 2, 'att', 'we_1', n.status, false, to_timestamp(0), to_timestamp(0)
        from (values (${rowOf(size)}, 'succeeded'), (${rowOf(size - 1)}, 'pending')) n (id, status)`
      const filters: ReadonlyArray<EventSelection> = [
        {},
        { before: rowOf(9999) },
        { status: "delivered" },
        { status: "failed" },
        { status: "pending" },
        { types: ["payment.paid"], status: "failed" },
        { endpoint_id: "we_2" },
        { types: ["message.sent"], endpoint_id: "we_1" }
      ]
      for (const wanted of filters) {
        const { rows, walked_to } = yield* repo.walk(environment, { ...wanted, withoutEnvelopes: true }, 21)
        const lines = yield* repo.lines(environment, wanted, 21)
        const expected = rows.map(({ created_at, endpoint_id, id, source_id, source_type, status, trace_id, type }) => {
          return { id, type, source_type, source_id, trace_id, created_at, endpoint_id, status }
        })
        assert.deepStrictEqual(lines, { rows: expected, walked_to }, JSON.stringify(wanted))
      }
      const { rows } = yield* repo.lines(environment, {}, 3)
      assert.deepStrictEqual(
        rows.map(({ status }) => status),
        ["delivered", "pending", "failed"]
      )
    })
  )
})

/** The id of the row with that number. */
const rowOf = (n: number): string => `whe_${String(n).padStart(26, "0")}`
