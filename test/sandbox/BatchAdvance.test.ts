import { standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { recipients, seedBatches } from "../batches/BatchStage.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const daySeconds = 86_400
let projects = 0

/** A frozen sandbox with numbers, each with a batch that begins on another day. */
const stage = Effect.fnUntraced(function* (numbers: number, recipientsEach: number, tier = "tier_1k") {
  const api = yield* Api
  const sql = yield* SqlClient.SqlClient
  const { sandbox } = yield* seedProject(api.acme.organization_id, `batches-${++projects}`)
  const { key } = sandbox
  const number = yield* seedNumber(sandbox)
  yield* api.post("/v1/sandbox/clock/freeze", undefined, { key })
  const now = Date.parse((yield* api.get("/v1/sandbox/clock", { key })).body.now)
  for (let index = 0; index < numbers; index++) {
    const batches = yield* seedBatches(sandbox)
    yield* sql`update phone_numbers set messaging_tier = ${tier} where environment_id = ${sandbox.id}`
    const scheduled_at = new Date(now + (index + 1) * daySeconds * 1000).toISOString()
    const made = yield* batches.post({ recipients: recipients(recipientsEach, index * recipientsEach), scheduled_at })
    assert.strictEqual(made.status, 202, made.text)
  }
  const advance = Effect.fnUntraced(function* (by_seconds: number) {
    const begun = yield* api.post("/v1/sandbox/clock/advance", { by_seconds }, { key })
    assert.strictEqual(begun.status, 202, begun.text)
    const path = `/v1/sandbox/clock/advances/${begun.body.id}`
    // Read often, it is refused now and then by the limit of reads.
    const read = Effect.map(api.get(path, { key }), ({ body }) => body)
    let latest = yield* read
    const isEnded = Effect.map(read, (body) => {
      latest = body
      return ["settled", "stopped"].includes(body.status)
    })
    yield* until(isEnded)
    return latest
  })
  const statuses = sql<{ readonly status: string; readonly count: number }>`select status, count(*)::int4 as count
    from messages where environment_id = ${sandbox.id} group by status order by status`
  const customer = "+5511912345678"
  const text = { type: "text", text: { body: "oi" } }
  const hear = api.post(
    "/v1/sandbox/inbound-messages",
    { channel: "chatapp", from: customer, to: number.id, ...text },
    { key }
  )
  const send = api.post(
    "/v1/messages",
    {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: number.id },
      recipient: { type: "phone_e164", id: customer },
      message: text
    },
    { key }
  )
  return { advance, hear, send, statuses }
})

it.layer(WholeProduct({ clock: "live", rates: standardRates }), { excludeTestServices: true })(
  "An advance over batches, on the numbers' own rates",
  (it) => {
    it.effect('sends a scheduled batch of eleven, one more than the bucket holds gaps-1 "Sandbox clock"', () =>
      Effect.gen(function* () {
        const { advance, statuses } = yield* stage(1, 11)
        const ended = yield* advance(2 * daySeconds)
        assert.deepStrictEqual([ended.status, ended.error], ["settled", null])
        assert.deepStrictEqual(yield* statuses, [{ status: "read", count: 11 }])
      })
    )

    it.effect(
      'lets single sends beyond the bucket of a clock that stands leave when it is advanced gaps-1 "Sandbox clock"',
      () =>
        Effect.gen(function* () {
          const { advance, hear, send, statuses } = yield* stage(0, 0)
          yield* hear
          const sends = 15
          const sent = yield* Effect.all(
            Array.from({ length: sends }, () => send),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual([...new Set(sent.map(({ status }) => status))], [202])
          assert.deepStrictEqual(yield* statuses, [
            { status: "queued", count: sends },
            { status: "received", count: 1 }
          ])
          const ended = yield* advance(60)
          assert.deepStrictEqual([ended.status, ended.error], ["settled", null])
          assert.deepStrictEqual(yield* statuses, [
            { status: "read", count: sends },
            { status: "received", count: 1 }
          ])
          // A handful of instants for each message's statuses, none of them twice.
          assert.isAtMost(ended.steps, 5 * sends, "steps")
        })
    )

    it.effect(
      'waits for slots of the daily allowance in few steps, and not minute by minute gaps-1 "Sandbox clock"',
      () =>
        Effect.gen(function* () {
          const { advance, statuses } = yield* stage(1, 240, "tier_250")
          const ended = yield* advance(4 * daySeconds)
          assert.deepStrictEqual([ended.status, ended.error], ["settled", null])
          // Fifteen of them go on the day after, when the first slots end.
          assert.deepStrictEqual(yield* statuses, [{ status: "read", count: 240 }])
          assert.isAtMost(ended.steps, 600, "steps")
        })
    )

    it.effect(
      'goes a year over ten numbers with a hundred recipients each in few steps gaps-1 "Sandbox clock"',
      () =>
        Effect.gen(function* () {
          const { advance, statuses } = yield* stage(10, 100)
          const ended = yield* advance(365 * daySeconds)
          assert.deepStrictEqual([ended.status, ended.error], ["settled", null])
          assert.deepStrictEqual(yield* statuses, [{ status: "read", count: 1000 }])
          // A handful of instants for each number, and not one for each token or each twenty messages.
          assert.isAtMost(ended.steps, 120, "steps")
        }),
      240_000
    )
  }
)
