import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { type BatchesStage, phone, recipients, seedBatches } from "./BatchStage.ts"

/** Waits in the queue of its number until it is released. */
const waiting = (count: number) =>
  recipients(count).map((one) => ({ ...one, metadata: { sandbox_scenario: "messaging_limit_pacing" } }))

const later = "2026-01-20T00:00:00Z"

const statuses = (batches: BatchesStage, id: string) =>
  Effect.map(batches.get(`/${id}/recipients?limit=100`), ({ body }) =>
    body.data.map(({ status }: { readonly status: string }) => status)
  )

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })(
  'Moving a batch, gaps-2 H "Pause, resume, cancel"',
  (it) => {
    it.effect("starts at its instant", () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const batches = yield* seedBatches(acme.sandbox)
        const { body: made } = yield* batches.post({ scheduled_at: "2026-01-01T00:00:30.000Z" })
        assert.deepStrictEqual([made.status, made.scheduled_at], ["scheduled", "2026-01-01T00:00:30.000Z"])
        yield* turnBy(29_000)
        assert.deepInclude((yield* batches.get(`/${made.id}`)).body, { status: "scheduled", enqueued_count: 0 })
        assert.deepStrictEqual(yield* statuses(batches, made.id), ["pending", "pending"])
        yield* turnBy(10_000)
        assert.deepInclude((yield* batches.get(`/${made.id}`)).body, { status: "completed", read_count: 2 })
      })
    )

    it.effect("pauses before it starts and resumes to its former state; a repeat changes nothing", () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const batches = yield* seedBatches(acme.sandbox)
        const { body: made } = yield* batches.post({ scheduled_at: later })
        assert.deepStrictEqual((yield* batches.move(made.id, "resume")).body.error.code, "batch_state_conflict")
        const paused = yield* batches.move(made.id, "pause")
        assert.deepStrictEqual([paused.status, paused.body.status], [200, "paused"])
        const again = yield* batches.move(made.id, "pause", { idempotencyKey: "pause" })
        assert.deepStrictEqual([again.status, again.text], [200, paused.text])
        const replay = yield* batches.move(made.id, "pause", { idempotencyKey: "pause" })
        assert.strictEqual(replay.headers["svc-idempotent-replayed"], "true")
        const resumed = yield* batches.move(made.id, "resume")
        assert.deepStrictEqual([resumed.status, resumed.body.status], [200, "scheduled"])
        const twice = yield* batches.move(made.id, "resume")
        assert.deepStrictEqual([twice.status, twice.body], [200, resumed.body])
      })
    )

    it.effect("keeps its queued messages while paused, and creates none until it is resumed", () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const batches = yield* seedBatches(acme.sandbox)
        const { body: made } = yield* batches.post({ recipients: waiting(3) })
        yield* turnBy(1000)
        const paused = yield* batches.move(made.id, "pause")
        assert.deepInclude(paused.body, { status: "paused", enqueued_count: 3, sent_count: 0 })
        yield* turnBy(20_000)
        // What was queued left.
        assert.deepInclude((yield* batches.get(`/${made.id}`)).body, { status: "paused", read_count: 3 })
        assert.strictEqual((yield* batches.move(made.id, "resume")).body.status, "processing")
        yield* turnBy(1000)
        assert.deepInclude((yield* batches.get(`/${made.id}`)).body, { status: "completed", read_count: 3 })
        for (const command of ["pause", "resume", "cancel"]) {
          const answer = yield* batches.move(made.id, command)
          assert.deepStrictEqual([answer.status, answer.body.error?.code], [409, "batch_state_conflict"], command)
        }
      })
    )

    it.effect("cancels its queued messages and its remaining recipients, once M-BAT-10", () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const batches = yield* seedBatches(acme.sandbox)
        const { body: made } = yield* batches.post({
          recipients: [...waiting(3), { to: phone(9), variables: { "1": "x" } }]
        })
        yield* turnBy(3500)
        assert.deepInclude((yield* batches.get(`/${made.id}`)).body, {
          status: "processing",
          enqueued_count: 4,
          sent_count: 1
        })
        const cancelled = yield* batches.move(made.id, "cancel")
        assert.deepStrictEqual([cancelled.status, cancelled.body.status], [200, "cancelled"])
        yield* turnBy(20_000)
        const counts = { status: "cancelled", recipient_count: 4, cancelled_count: 3, sent_count: 1, failed_count: 0 }
        assert.deepInclude((yield* batches.get(`/${made.id}`)).body, counts)
        assert.deepStrictEqual(yield* statuses(batches, made.id), ["cancelled", "cancelled", "cancelled", "read"])
        assert.strictEqual((yield* batches.move(made.id, "cancel")).status, 200)
        yield* turnBy(5000)
        assert.deepInclude((yield* batches.get(`/${made.id}`)).body, counts)
        for (const command of ["pause", "resume"]) {
          assert.strictEqual((yield* batches.move(made.id, command)).status, 409, command)
        }
        const { body: scheduled } = yield* batches.post({ scheduled_at: later })
        yield* batches.move(scheduled.id, "cancel")
        yield* turnBy(1000)
        assert.deepInclude((yield* batches.get(`/${scheduled.id}`)).body, { cancelled_count: 2, enqueued_count: 0 })
        assert.deepStrictEqual(yield* statuses(batches, scheduled.id), ["cancelled", "cancelled"])
      })
    )

    it.effect('fails when its template or its number is gone before it starts, gaps-2 H "Batch states"', () =>
      Effect.gen(function* () {
        const { acme, other } = yield* Api
        const sql = yield* SqlClient.SqlClient
        for (const [environment, code, take] of [
          [
            acme.sibling.sandbox,
            "template_not_found",
            sql`update templates set deleted_at = '2026-01-01' where name = 'welcome'`
          ],
          [other.sandbox, "sender_phone_number_unavailable", sql`update phone_numbers set status = 'released'`]
        ] as const) {
          const batches = yield* seedBatches(environment)
          const starts = new Date((yield* Clock.currentTimeMillis) + 30_000).toISOString()
          const { body: made } = yield* batches.post({ scheduled_at: starts })
          yield* take
          yield* turnBy(35_000)
          const { body } = yield* batches.get(`/${made.id}`)
          assert.deepStrictEqual([body.status, body.failure?.code, body.enqueued_count], ["failed", code, 0])
          assert.strictEqual((yield* batches.move(made.id, "cancel")).status, 409)
        }
      })
    )

    it.effect("of another tenant, and an unknown one, answers 404 M-ERR-02", () =>
      Effect.gen(function* () {
        const { acme, get, other, post } = yield* Api
        const batches = yield* seedBatches(acme.sibling.production)
        const { body: made } = yield* batches.post({ scheduled_at: "2026-01-25T00:00:00Z" })
        for (const id of [made.id, "bat_01kah7v3m8q6x2r9d4t5w0y1z3", "x", "bat_\u0000"]) {
          for (const end of ["/pause", "/resume", "/cancel"]) {
            const answer = yield* post(`/v1/batches/${encodeURIComponent(id)}${end}`, undefined, {
              key: other.sandbox.key
            })
            assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "batch_not_found"])
          }
          for (const end of ["", "/recipients", "/failures", "/failures/export"]) {
            const answer = yield* get(`/v1/batches/${encodeURIComponent(id)}${end}`, { key: other.sandbox.key })
            assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "batch_not_found"])
          }
        }
      })
    )

    it.effect("lists batches by their status", () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const batches = yield* seedBatches(acme.sandbox)
        const { body: scheduled } = yield* batches.get("?status=scheduled")
        assert.isAbove(scheduled.data.length, 0)
        for (const one of scheduled.data) assert.strictEqual(one.status, "scheduled")
        const bad = yield* batches.get("?status=done")
        assert.deepStrictEqual(
          [bad.status, bad.body.error.code, bad.body.error.param],
          [400, "invalid_query", "status"]
        )
      })
    )
  }
)
