import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { messageCount, seedTemplate, typedStage } from "./TypedSending.ts"

const promo = (first_name: string, more: object = {}) => ({
  type: "template",
  template: { name: "promo", language: "pt_BR", variables: { first_name }, ...more }
})
const welcome = { type: "template", template: { name: "welcome", language: "pt_BR", variables: { 1: "Maria" } } }

/** A stage whose customer has never written. */
const stage = Effect.gen(function* () {
  const made = yield* typedStage
  const stranger = { recipient: { type: "phone_e164", id: "+5521998765432" } }
  const send = (message: object, more: object = {}, options: object = {}) =>
    made.send(message, { ...stranger, ...more }, options)
  const answers = (body: object = {}) => made.simulate({ from: "+5521998765432", ...body })
  const quality = (rating: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.orDie(sql`update phone_numbers set quality_rating = ${rating} where id = ${made.number.id}`)
    )
  /** Moves all rows of the guards back in time by that much. */
  const age = Effect.fnUntraced(function* (span: string) {
    const sql = yield* SqlClient.SqlClient
    const place = made.project.sandbox.id
    yield* sql`update marketing_claims set attempted_at = attempted_at - ${span}::interval
      where environment_id = ${place}`
    yield* sql`update marketing_attempts set latest_at = latest_at - ${span}::interval,
      previous_at = previous_at - ${span}::interval where environment_id = ${place}`
    yield* sql`update contacts set last_inbound_at = last_inbound_at - ${span}::interval where environment_id = ${place}`
    yield* sql`update service_windows set latest_inbound_at = latest_inbound_at - ${span}::interval
      where environment_id = ${place}`
  })
  return { ...made, send, answers, quality, stranger, age }
})

/** Status, code, reason and instant of a refusal by the guards. */
const guarded = ({
  body,
  status
}: {
  readonly body: { readonly error?: Record<string, unknown> }
  readonly status: number
}) => {
  const details = body.error?.details as { guard_reason: string; next_allowed_at: string | null } | undefined
  return [status, body.error?.code, details?.guard_reason, details?.next_allowed_at]
}

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Marketing templates", (it) => {
  it.effect(
    "with identical content wait for the recipient to write, however long, and read receipts do not count M-GRD-01 M-GRD-02 M-GRD-03 M-GRD-05 M-GRD-08 M-GRD-15 M-GRD-17..20",
    () =>
      Effect.gen(function* () {
        const { age, answers, project, read, send } = yield* stage
        const first = yield* send(promo("Ana"))
        assert.strictEqual(first.status, 202, first.text)
        const pending = yield* send(promo("Ana"), {}, { idempotencyKey: "again" })
        assert.deepStrictEqual(guarded(pending), [400, "recipient_duplicate_message", "duplicate_pending", null])
        assert.deepStrictEqual(pending.body.error.feedback, { endpoint: "/v1/feedback", method: "POST" })
        assert.strictEqual(pending.body.error.param, "recipient.id")
        yield* turnBy(5000)
        assert.strictEqual((yield* read(first.body.id)).status, "read")
        const tried = [400, "recipient_duplicate_message", "duplicate_content", null]
        assert.deepStrictEqual(guarded(yield* send(promo("Ana"), {}, { idempotencyKey: "again" })), tried)
        yield* age("45 days")
        assert.deepStrictEqual(guarded(yield* send(promo("Ana"))), tried)
        assert.strictEqual((yield* send(promo("Bia"))).status, 202)
        yield* answers()
        yield* age("3 days")
        assert.strictEqual((yield* send(promo("Ana"), {}, { idempotencyKey: "again" })).status, 202)
        assert.strictEqual(yield* messageCount(project.sandbox.id), 3)
      })
  )

  it.effect(
    "sent concurrently pass once, on one number and on several of the environment, and free the keys of the others M-GRD-02 M-GRD-15",
    () =>
      Effect.gen(function* () {
        const { number, project, send } = yield* stage
        const other = yield* seedNumber(project.sandbox)
        const senders = [number, other].map(({ id }) => ({ sender: { type: "chatapp_phone_number", id } }))
        const sending = yield* Effect.forkChild(
          Effect.forEach(
            Array.from({ length: 12 }, (_, index) => index),
            (index) => send(promo("Ana"), senders[index % 2], { idempotencyKey: `key-${index}` }),
            { concurrency: "unbounded" }
          )
        )
        // A send that was decided on memory is retried a moment later, because the conflict dropped that memory.
        while (sending.pollUnsafe() === undefined) yield* turnBy(10)
        const sent = yield* Fiber.join(sending)
        assert.deepStrictEqual(sent.map(({ status }) => status).sort(), [202, ...Array(11).fill(400)])
        for (const answer of sent.filter(({ status }) => status === 400)) {
          const [status, code, reason, next] = guarded(answer)
          assert.deepStrictEqual([status, code, next], [400, "recipient_duplicate_message", null])
          // The accepted message may have been attempted by then.
          assert.include(["duplicate_pending", "duplicate_content"], reason)
        }
        assert.strictEqual(yield* messageCount(project.sandbox.id), 1)
        const sql = yield* SqlClient.SqlClient
        assert.strictEqual((yield* sql`select 1 from marketing_claims`).length >= 1, true)
        // A freed key accepts another request.
        const loser = sent.findIndex(({ status }) => status === 400)
        const freed = yield* send(promo("Bia"), {}, { idempotencyKey: `key-${loser}` })
        assert.strictEqual(freed.status, 202, freed.text)
      })
  )

  it.effect("that never reached a provider may be sent again at once; a failed delivery may not M-GRD-25..27", () =>
    Effect.gen(function* () {
      const { read, send } = yield* stage
      const course = (sandbox_scenario: string) => ({ metadata: { sandbox_scenario } })
      for (const scenario of ["recipient_opted_out", "template_rejected"]) {
        const { body } = yield* send(promo("Ana"), course(scenario))
        yield* turnBy(1000)
        assert.strictEqual((yield* read(body.id)).status, "failed")
      }
      assert.strictEqual((yield* send(promo("Ana"), course("delivery_failure"))).status, 202)
      yield* turnBy(1000)
      assert.deepStrictEqual(guarded(yield* send(promo("Ana"))), [
        400,
        "recipient_duplicate_message",
        "duplicate_content",
        null
      ])
    })
  )

  it.effect(
    "wait seven days after the latest while quality is poor, unless the recipient wrote to this number M-GRD-06 M-GRD-07 M-GRD-08 M-GRD-16 M-GRD-18 M-GRD-19",
    () =>
      Effect.gen(function* () {
        const { age, answers, project, quality, send } = yield* stage
        assert.strictEqual((yield* send(promo("1"))).status, 202)
        assert.strictEqual((yield* send(promo("2"))).status, 202)
        yield* turnBy(5000)
        yield* quality("yellow")
        const sql = yield* SqlClient.SqlClient
        const attempt = sql<{ readonly latest_at: number }>`select latest_at from marketing_attempts
          where environment_id = ${project.sandbox.id}`
        const called = (yield* attempt)[0]?.latest_at ?? 0
        const until = new Date(called + 7 * 86_400_000).toISOString()
        const capped = [400, "recipient_frequency_capped"]
        assert.deepStrictEqual(guarded(yield* send(promo("3"))), [...capped, "quality_cooldown", until])
        // Four and a half seconds have passed since: first a moment before the end of the week, then after it.
        yield* age("6 days 23:59:55")
        assert.strictEqual(guarded(yield* send(promo("3")))[2], "quality_cooldown")
        yield* age("5 seconds")
        assert.strictEqual((yield* send(promo("3"))).status, 202)
        assert.deepStrictEqual(guarded(yield* send(promo("4"))), [
          400,
          "recipient_frequency_capped",
          "cooldown_pending",
          null
        ])
        yield* turnBy(5000)
        yield* quality("green")
        yield* sql`update templates set provider_quality = 'red' where environment_id = ${project.sandbox.id}`
        assert.strictEqual(guarded(yield* send(promo("4")))[2], "quality_cooldown")
        yield* answers()
        yield* age("30 hours")
        assert.strictEqual((yield* send(promo("4"))).status, 202)
      })
  )

  it.effect(
    "are decided again before dispatch; the older of two is sent first and a guard refusal is no attempt M-GRD-24 M-GRD-25 M-GRD-26 M-DLV-01",
    () =>
      Effect.gen(function* () {
        const { quality, read, send } = yield* stage
        const first = yield* send(promo("1"))
        const second = yield* send(promo("2"))
        yield* quality("red")
        yield* turnBy(5000)
        assert.strictEqual((yield* read(first.body.id)).status, "read")
        const skipped = yield* read(second.body.id)
        assert.deepStrictEqual(
          [skipped.status, skipped.error_code, skipped.provider_error],
          ["failed", "recipient_frequency_capped", null]
        )
        const failed = skipped.events.at(-1)
        assert.deepInclude(failed, { type: "message.failed", error_code: "recipient_frequency_capped" })
        assert.deepStrictEqual(failed.details, { guard_reason: "cooldown_pending", next_allowed_at: null })
        const sql = yield* SqlClient.SqlClient
        const claims = yield* sql`select 1 from marketing_claims where message_id = ${second.body.id}`
        assert.deepStrictEqual(claims, [])
        // After the cooldown, the content of the refused message is no duplicate.
        yield* quality("green")
        assert.strictEqual((yield* send(promo("2"))).status, 202)
      })
  )

  it.effect(
    "are refused to a recipient who stopped them upstream, before every other guard; utility templates are not M-GRD-09 M-GRD-10 M-GRD-14",
    () =>
      Effect.gen(function* () {
        const { answers, number, project, send } = yield* stage
        const sql = yield* SqlClient.SqlClient
        assert.strictEqual((yield* send(promo("Ana"))).status, 202)
        yield* sql`insert into marketing_stops (environment_id, account_id, customer_key, stopped_at)
          values (${project.sandbox.id}, ${number.id}, '5521998765432', now())`
        const stopped = [400, "recipient_frequency_capped", "marketing_stopped", null]
        assert.deepStrictEqual(guarded(yield* send(promo("Ana"))), stopped)
        yield* answers({ text: { body: "voltar" } })
        assert.deepStrictEqual(guarded(yield* send(promo("Bia"))), stopped)
        assert.strictEqual((yield* send(welcome)).status, 202)
        assert.strictEqual((yield* send(welcome)).status, 202)
        yield* answers({ text: { body: "parar" } })
        assert.deepStrictEqual(told(yield* send(promo("Bia"))), [400, "contact_opted_out", "recipient.id"])
        assert.deepStrictEqual(told(yield* send(welcome)), [400, "contact_opted_out", "recipient.id"])
      })
  )

  it.effect(
    "answer 503 while a pending template has no category, and are accepted with their key afterwards M-GRD-20 M-GRD-22",
    () =>
      Effect.gen(function* () {
        const { project, send } = yield* stage
        const sql = yield* SqlClient.SqlClient
        const { body } = yield* send(welcome)
        yield* sql`update messages set template_category = null where id = ${body.id}`
        const unclear = yield* send(promo("Ana"), {}, { idempotencyKey: "once" })
        assert.deepStrictEqual(guarded(unclear), [
          503,
          "recipient_cadence_policy_unavailable",
          "pending_unclassified",
          null
        ])
        assert.deepStrictEqual(unclear.body.error.feedback, { endpoint: "/v1/feedback", method: "POST" })
        yield* sql`update messages set template_category = 'utility' where id = ${body.id}`
        assert.strictEqual((yield* send(promo("Ana"), {}, { idempotencyKey: "once" })).status, 202)
        assert.strictEqual(yield* messageCount(project.sandbox.id), 2)
      })
  )

  it.effect("with unhashed media answer 503, and are decided by its bytes afterwards M-GRD-04 M-GRD-23", () =>
    Effect.gen(function* () {
      const { project, send } = yield* stage
      yield* seedTemplate(project.sandbox, {
        name: "photo",
        components: [
          { type: "HEADER", format: "IMAGE" },
          { type: "BODY", text: "Oi" }
        ]
      })
      const sql = yield* SqlClient.SqlClient
      yield* sql`update template_versions v set category = 'marketing' from templates t
        where t.environment_id = ${project.sandbox.id} and t.name = 'photo' and v.template_id = t.id`
      const photo = (header_media: object) => ({
        type: "template",
        template: { name: "photo", language: "pt_BR", header_media }
      })
      const unverified = [503, "recipient_cadence_policy_unavailable", "content_unverified", null]
      const asset = (id: string) => photo({ kind: "image", asset_id: `mda_01kah7v3m8q6x2r9d4t5w0y1z${id}` })
      const refused = yield* send(asset("3"))
      assert.deepStrictEqual(guarded(refused), unverified)
      assert.notProperty(refused.body.error, "param")
      assert.strictEqual(yield* messageCount(project.sandbox.id), 0)
      const insert = (
        id: string,
        sha256: string,
        status = "ready"
      ) => sql`insert into media_assets (environment_id, id, environment, source,
          kind, lifecycle, mime_type, byte_length, status, sha256, counted_bytes, trace_id, created_at, updated_at)
        values (${project.sandbox.id}, ${`mda_01kah7v3m8q6x2r9d4t5w0y1z${id}`}, 'sandbox', 'customer', 'image', 'library',
          'image/png', 8, ${status}, ${sha256}, 8, '0', now(), now())`
      yield* insert("3", "aa")
      yield* insert("4", "aa")
      yield* insert("5", "bb")
      // Bytes count as verified once their upload is complete.
      for (const [id, status] of [
        ["6", "pending"],
        ["7", "failed"]
      ] as const) {
        yield* insert(id, "cc", status)
        assert.deepStrictEqual(guarded(yield* send(asset(id))), unverified, status)
      }
      assert.strictEqual((yield* send(asset("3"))).status, 202)
      // Equal bytes under another id are identical content.
      assert.strictEqual(guarded(yield* send(asset("4")))[2], "duplicate_pending")
      assert.strictEqual((yield* send(asset("5"))).status, 202)
      const link = photo({ kind: "image", link: "https://files.example/a.png" })
      assert.strictEqual((yield* send(link)).status, 202)
      assert.strictEqual(guarded(yield* send(link))[2], "duplicate_pending")
    })
  )
})
