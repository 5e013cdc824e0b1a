import { jobs } from "@carteiro/runtime/batches/batch/ProgressJobs.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { fence, turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { recipients, seedBatches } from "./BatchStage.ts"

/** One message a recipient, each recipient once; answers how many there are. */
const doubled = Effect.fnUntraced(function* (batchId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly messages: number; readonly customers: number; readonly linked: number }>`
    select count(*)::int4 as messages, count(distinct m.customer_key)::int4 as customers,
      count(r.message_id)::int4 as linked
    from messages m left join batch_recipients r on r.environment_id = m.environment_id and r.batch_id = m.batch_id
      and r.message_id = m.id and r.customer_key = m.customer_key
    where m.batch_id = ${batchId}`
  return row
}, Effect.orDie)

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Feeding a batch", (it) => {
  it.effect(
    "continues under its ids when its owner or its number's moves midway: no recipient twice, none left out",
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const batches = yield* seedBatches(acme.sandbox)
        const { body: made } = yield* batches.post({ recipients: recipients(600) })
        for (const owner of [made.id, batches.number.id, made.id, batches.number.id, made.id]) {
          yield* turnBy(60)
          yield* fence(owner)
        }
        yield* turnBy(120_000)
        assert.deepInclude((yield* batches.get(`/${made.id}`)).body, {
          status: "completed",
          enqueued_count: 600,
          sent_count: 600,
          delivered_count: 600,
          read_count: 600,
          failed_count: 0
        })
        assert.deepStrictEqual(yield* doubled(made.id), { messages: 600, customers: 600, linked: 600 })
        const progress = yield* sql`select 1 from batch_recipients where batch_id = ${made.id} and state <> 'enqueued'`
        assert.deepStrictEqual(progress, [])
      })
  )

  it.effect("feeds a claim without a stored outcome again, and counts it once", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const batches = yield* seedBatches(acme.sibling.sandbox)
      const { body: made } = yield* batches.post({ recipients: recipients(40) })
      yield* turnBy(20)
      // As a node leaves it that was killed between the messages and the note of them.
      const [first] = yield* sql<{ readonly id: string }>`select id from messages where batch_id = ${made.id} limit 1`
      const at = first === undefined ? "" : first.id
      yield* sql`update batch_recipients set state = 'waiting', message_id = null where batch_id = ${made.id}`
      yield* sql`update batches set status = 'processing', position = 0, enqueued_count = 0, claimed_to = 40,
        claimed_at = (select min(created_at) from messages where id = ${at}), due_at = now() where id = ${made.id}`
      yield* fence(made.id)
      yield* batches.move(made.id, "resume")
      yield* turnBy(60_000)
      assert.deepInclude((yield* batches.get(`/${made.id}`)).body, { enqueued_count: 40, read_count: 40 })
      assert.deepStrictEqual(yield* doubled(made.id), { messages: 40, customers: 40, linked: 40 })
    })
  )

  it.effect("keeps single sends ahead of thousands: at most two seconds of the number's rate wait at the number", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const batches = yield* seedBatches(other.sandbox)
      const { body: made } = yield* batches.post({ recipients: recipients(3000) })
      yield* turnBy(1)
      const [row] = yield* sql<{ readonly waiting: number }>`select count(*)::int4 as waiting from messages
        where batch_id = ${made.id} and status = 'queued'`
      assert.isAtMost(row?.waiting ?? 0, 2048 + 128)
      yield* batches.move(made.id, "cancel")
      yield* turnBy(5000)
    })
  )

  it.effect("recounts its messages when they changed without a notice", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const batches = yield* seedBatches(other.sibling.sandbox)
      const scenario = { sandbox_scenario: "messaging_limit_pacing" }
      const { body: made } = yield* batches.post({
        recipients: recipients(3).map((one) => ({ ...one, metadata: scenario }))
      })
      yield* turnBy(500)
      yield* sql`update messages set status = 'cancelled', due_at = null where batch_id = ${made.id}`
      yield* turnBy(60_000)
      assert.deepInclude((yield* batches.get(`/${made.id}`)).body, { status: "completed", cancelled_count: 3 })
    })
  )

  it.effect("a stage whose request is gone is swept, and cannot be published later", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into batch_stages (environment_id, batch_id, staged_at)
        values (${acme.sandbox.id}, 'bat_abandoned', '2025-12-31T23:00:00Z')`
      yield* sql`insert into batch_recipients (environment_id, batch_id, position, phone, customer_key)
        values (${acme.sandbox.id}, 'bat_abandoned', 0, '+5511', '5511')`
      for (const { run, name } of jobs) if (name.includes("stages")) yield* run
      const left = yield* sql`select 1 from batch_stages where batch_id = 'bat_abandoned'
        union all select 1 from batch_recipients where batch_id = 'bat_abandoned'`
      assert.deepStrictEqual(left, [])
    })
  )

  it.effect("sums up later statuses of an ended batch without changing its shown state", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const batches = yield* seedBatches(acme.production)
      const { body: made } = yield* batches.post({ recipients: recipients(4) })
      yield* turnBy(30_000)
      const before = (yield* batches.get(`/${made.id}`)).body
      assert.strictEqual(before.status, "completed", JSON.stringify(before))
      for (const { run, name } of jobs) if (name.includes("progress")) yield* run
      const left = yield* sql`select 1 from batch_progress where batch_id = ${made.id}`
      assert.deepStrictEqual(left, [])
      assert.deepStrictEqual((yield* batches.get(`/${made.id}`)).body, before)
    })
  )
})
