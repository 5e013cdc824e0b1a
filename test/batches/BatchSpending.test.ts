import { standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { type BatchesStage, recipients, seedBatches } from "./BatchStage.ts"

const count = 300

/** How a batch stands once nothing moves any more: whom it was accepted for, and why it was not for the others. */
const outcome = Effect.fnUntraced(function* (batches: BatchesStage, id: string) {
  const sql = yield* SqlClient.SqlClient
  const { body } = yield* batches.get(`/${id}`)
  const refused = yield* sql<{ readonly error_code: string; readonly refused: number }>`
    select error_code, count(*)::int4 as refused from batch_recipients
    where batch_id = ${id} and state = 'refused' group by error_code`
  const [messages] = yield* sql<{ readonly made: number }>`select count(*)::int4 as made from messages
    where batch_id = ${id}`
  return {
    status: body.status,
    enqueued: body.enqueued_count,
    failed: body.failed_count,
    refused,
    made: messages?.made
  }
}, Effect.orDie)

it.layer(WholeProduct({ sweeps: false, rates: standardRates }), { excludeTestServices: true })(
  "What a batch may spend",
  (it) => {
    it.effect('stops at the monthly cap of its project while it is fed M-ERR-07, gaps-1 N "Monthly spend cap"', () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const batches = yield* seedBatches(acme.production)
        const { body: made } = yield* batches.post({ recipients: recipients(count) })
        yield* turnBy(1)
        const { enqueued } = yield* outcome(batches, made.id)
        assert.isTrue(enqueued > 0 && enqueued < count, String(enqueued))
        yield* sql`update projects set monthly_spend_cap = 0 where id = ${acme.project.id}`
        yield* turnBy(120_000)
        const ended = yield* outcome(batches, made.id)
        assert.deepStrictEqual(
          [ended.status, ended.enqueued, ended.made, ended.failed],
          ["completed", enqueued, enqueued, count]
        )
        assert.deepStrictEqual(ended.refused, [{ error_code: "spend_limit_exceeded", refused: count - enqueued }])
        yield* sql`update projects set monthly_spend_cap = null where id = ${acme.project.id}`
      })
    )

    it.effect('stops when the credit block engages while it is fed M-ERR-07, gaps-3 D "Usage posting"', () =>
      Effect.gen(function* () {
        const { other } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const batches = yield* seedBatches(other.production)
        const { body: made } = yield* batches.post({ recipients: recipients(count) })
        yield* turnBy(1)
        const { enqueued } = yield* outcome(batches, made.id)
        yield* sql`update organizations set credit_blocked = true where id = ${other.organization_id}`
        yield* turnBy(120_000)
        yield* sql`update organizations set credit_blocked = false where id = ${other.organization_id}`
        const ended = yield* outcome(batches, made.id)
        assert.deepStrictEqual([ended.status, ended.enqueued, ended.made], ["completed", enqueued, enqueued])
        assert.deepStrictEqual(ended.refused, [{ error_code: "credit_balance_exhausted", refused: count - enqueued }])
      })
    )

    it.effect("counts a recipient that was accepted before the cap when its claim is fed again after it", () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const { production } = acme.sibling
        const batches = yield* seedBatches(production)
        const { body: made } = yield* batches.post({ recipients: recipients(10) })
        yield* turnBy(1)
        // As a node leaves it that was killed between the messages and the note of them, and somebody paused since.
        yield* sql`update batch_recipients set state = 'waiting', message_id = null where batch_id = ${made.id}`
        yield* sql`update batches set status = 'paused', position = 0, enqueued_count = 0, claimed_to = 10,
          claimed_at = (select min(created_at) from messages where batch_id = ${made.id}), due_at = null
          where id = ${made.id}`
        yield* sql`update projects set monthly_spend_cap = 0 where id = ${acme.sibling.id}`
        yield* batches.move(made.id, "resume")
        yield* turnBy(60_000)
        const ended = yield* outcome(batches, made.id)
        assert.deepStrictEqual([ended.status, ended.enqueued, ended.made, ended.refused], ["completed", 10, 10, []])
      })
    )

    it.effect("does not count sandbox messages, which cost nothing", () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const batches = yield* seedBatches(acme.sandbox)
        yield* sql`update projects set monthly_spend_cap = 0 where id = ${acme.project.id}`
        yield* sql`update organizations set credit_blocked = true where id = ${acme.organization_id}`
        const { body: made } = yield* batches.post({ recipients: recipients(3) })
        yield* turnBy(30_000)
        assert.deepInclude((yield* batches.get(`/${made.id}`)).body, { status: "completed", enqueued_count: 3 })
      })
    )
  }
)
