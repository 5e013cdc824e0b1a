import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { phone, recipients, seedBatches } from "./BatchStage.ts"

const promo = { template: { name: "promo", language: "pt_BR" } }
const offers = (count: number, name = "Maria") =>
  Array.from({ length: count }, (_, n) => ({ to: phone(n), variables: { first_name: name } }))

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Recipients a batch fails for", (it) => {
  it.effect(
    "skips recipients whom the guards refuse, counts them as failed and as skipped, and creates no message for them M-BAT-23 M-BAT-24",
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const batches = yield* seedBatches(acme.sandbox)
        const { body: first } = yield* batches.post({ ...promo, recipients: offers(2) })
        yield* turnBy(10_000)
        assert.deepInclude((yield* batches.get(`/${first.id}`)).body, { status: "completed", read_count: 2 })
        const { body: made } = yield* batches.post({ ...promo, recipients: offers(3) })
        yield* turnBy(10_000)
        assert.deepInclude((yield* batches.get(`/${made.id}`)).body, {
          status: "completed",
          recipient_count: 3,
          enqueued_count: 1,
          sent_count: 1,
          recipient_guard_skipped_count: 2,
          failed_count: 2
        })
        const messages = yield* sql`select 1 from messages where batch_id = ${made.id}`
        assert.lengthOf(messages, 1)
        const { body: failures } = yield* batches.get(`/${made.id}/failures`)
        assert.lengthOf(failures.data, 2)
        assert.deepInclude(failures.data[0], {
          to: phone(0),
          message_id: null,
          error_code: "recipient_duplicate_message",
          guard_reason: "duplicate_content",
          next_allowed_at: null
        })
        const { body: rows } = yield* batches.get(`/${made.id}/recipients`)
        assert.deepStrictEqual(
          rows.data.map(({ error_code, message_id, status }: Record<string, string | null>) => [
            status,
            error_code,
            message_id === null
          ]),
          [
            ["failed", "recipient_duplicate_message", true],
            ["failed", "recipient_duplicate_message", true],
            ["read", null, false]
          ]
        )
      })
  )

  it.effect("exports refusals of the guards for 90 days, while receipts are kept M-BAT-24", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const batches = yield* seedBatches(other.sandbox)
      yield* sql`update phone_numbers set quality_rating = 'yellow' where id = ${batches.number.id}`
      yield* batches.post({ ...promo, recipients: offers(1) })
      yield* turnBy(10_000)
      const { body: made } = yield* batches.post({ ...promo, recipients: offers(1, 'João "Jo", Silva') })
      yield* turnBy(10_000)
      const exported = yield* batches.get(`/${made.id}/failures/export`)
      assert.strictEqual(exported.status, 200)
      assert.strictEqual(exported.headers["content-type"], "text/csv; charset=utf-8")
      const [head, line, end] = exported.text.split("\r\n")
      assert.strictEqual(head, "to,message_id,error_code,error_message,guard_reason,next_allowed_at,failed_at")
      assert.match(
        line ?? "",
        /^\+55119\d+,,recipient_frequency_capped,.*,quality_cooldown,2026-01-08T[^,]+Z,2026-01-01T/
      )
      assert.strictEqual(end, "")
      const listed = yield* batches.get(`/${made.id}/failures`)
      assert.match(listed.body.data[0].next_allowed_at, /^2026-01-08T/)
      yield* sql`update batch_recipients set failed_at = failed_at - interval '90 days' where batch_id = ${made.id}`
      const late = yield* batches.get(`/${made.id}/failures/export`)
      const [, after] = late.text.split("\r\n")
      assert.match(after ?? "", /^\+55119\d+,,recipient_frequency_capped,.*,,,2025-10-03T/)
    })
  )

  it.effect("refuses the export where the environment's policy forbids it M-CON-10", () =>
    Effect.gen(function* () {
      const { acme, patch } = yield* Api
      const { sandbox } = acme.sibling
      const batches = yield* seedBatches(sandbox)
      const { body: made } = yield* batches.post({ recipients: recipients(1) })
      yield* patch("/v1/data-retention", { data_export_enabled: false }, { key: sandbox.key })
      const refused = yield* batches.get(`/${made.id}/failures/export`)
      assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "data_export_disabled"])
      assert.strictEqual((yield* batches.get(`/${made.id}/failures`)).status, 200)
      yield* patch("/v1/data-retention", { data_export_enabled: true }, { key: sandbox.key })
      assert.strictEqual((yield* batches.get(`/${made.id}/failures/export`)).status, 200)
    })
  )

  it.effect('refuses who opted out with a receipt alone, gaps-2 H "Recipient refusals inside a batch"', () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const batches = yield* seedBatches(acme.sibling.sandbox)
      yield* post("/v1/contacts/opt-out", { phone: phone(1) }, { key: acme.sibling.sandbox.key })
      const { body: made } = yield* batches.post({ recipients: recipients(3) })
      yield* turnBy(10_000)
      assert.deepInclude((yield* batches.get(`/${made.id}`)).body, {
        status: "completed",
        enqueued_count: 2,
        failed_count: 1,
        recipient_guard_skipped_count: 0
      })
      const { body } = yield* batches.get(`/${made.id}/failures`)
      assert.deepInclude(body.data[0], { to: phone(1), error_code: "contact_opted_out", guard_reason: null })
    })
  )

  it.effect("asks undecided guards for 15 minutes, then gives up, and sends to recipients decided by then", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { sandbox } = acme.project
      const batches = yield* seedBatches(sandbox)
      const { id } = batches.number
      // A template that waits without a category holds marketing to its recipient back.
      const hold = (
        n: number
      ) => sql`insert into messages (environment_id, id, channel, direction, type, status, business_id,
          customer_id, customer_key, trace_id, created_at, updated_at)
        values (${sandbox.id}, ${`msg_unclassified_${n}`}, 'chatapp', 'outbound', 'template', 'queued', ${id},
          ${phone(20 + n)}, ${phone(20 + n).slice(1)}, 'trace', '2026-01-01', '2026-01-01')`
      yield* hold(0)
      yield* hold(1)
      const { body: made } = yield* batches.post({ ...promo, recipients: offers(22).slice(20) })
      yield* turnBy(60_000)
      const early = (yield* batches.get(`/${made.id}`)).body
      assert.deepInclude(early, { status: "processing", enqueued_count: 0, failed_count: 0 })
      yield* sql`delete from messages where id = 'msg_unclassified_0'`
      yield* turnBy(16 * 60_000)
      const late = (yield* batches.get(`/${made.id}`)).body
      assert.deepInclude(late, { enqueued_count: 1, failed_count: 1, recipient_guard_skipped_count: 0 })
      const { body } = yield* batches.get(`/${made.id}/failures`)
      assert.deepInclude(body.data.at(-1), {
        to: phone(21),
        error_code: "recipient_cadence_policy_unavailable",
        guard_reason: "pending_unclassified"
      })
    })
  )

  it.effect("waits for the daily allowance of its number, and says so of every recipient M-BAT-11 M-EVT-12", () =>
    Effect.gen(function* () {
      const { other, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const batches = yield* seedBatches(other.sibling.sandbox)
      yield* sql`update phone_numbers set messaging_tier = 'tier_50', quality_rating = 'red'
        where id = ${batches.number.id}`
      // 22 a day.
      const { body: made } = yield* batches.post({ recipients: recipients(30) })
      assert.deepStrictEqual(made.pacing, { deferred_recipient_count: 8, estimated_windows: 2 })
      yield* turnBy(60_000)
      assert.deepInclude((yield* batches.get(`/${made.id}`)).body, {
        status: "processing",
        enqueued_count: 30,
        read_count: 22
      })
      const { body } = yield* batches.get(`/${made.id}/recipients?limit=100`)
      const held = body.data.filter(({ status }: { readonly status: string }) => status === "queued")
      assert.lengthOf(held, 8)
      for (const one of held) assert.strictEqual(one.status_reason, "messaging_limit_pacing")
      const failed = yield* sql`select 1 from outbox_events where type = 'message.failed'
        and environment_id = ${other.sibling.sandbox.id}`
      assert.deepStrictEqual(failed, [])
      // Who writes is no new recipient any more.
      for (const { to: from } of held) {
        const heard = { channel: "chatapp", from, to: batches.number.id, type: "text", text: { body: "oi" } }
        const answer = yield* post("/v1/sandbox/inbound-messages", heard, { key: other.sibling.sandbox.key })
        assert.strictEqual(answer.status, 202, answer.text)
      }
      yield* turnBy(120_000)
      assert.deepInclude((yield* batches.get(`/${made.id}`)).body, { status: "completed", read_count: 30 })
    })
  )
})
