import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { typedStage } from "./TypedSending.ts"

const text = { type: "text", text: { body: "oi" } }
const held = { metadata: { sandbox_scenario: "messaging_limit_pacing" } }

const stage = Effect.gen(function* () {
  const { api, key, ...rest } = yield* typedStage
  const cancel = (id: string, options: object = {}) =>
    api.post(`/v1/messages/${id}/cancel`, undefined, { key, ...options })
  return { ...rest, api, cancel, key }
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })(
  'Cancelling, gaps-2 B "Cancel a message"',
  (it) => {
    it.effect("ends a queued message, held or not, without an event, and it is never sent M-MSG-14", () =>
      Effect.gen(function* () {
        const { cancel, read, send } = yield* stage
        const sql = yield* SqlClient.SqlClient
        for (const more of [{}, held]) {
          const { body } = yield* send(text, more)
          const answer = yield* cancel(body.id)
          assert.strictEqual(answer.status, 200, answer.text)
          assert.deepInclude(answer.body, { id: body.id, object: "message", status: "cancelled", status_reason: null })
          assert.deepStrictEqual(
            answer.body.events.map((event: { type: string }) => event.type),
            ["message.queued", "message.cancelled"]
          )
          assert.deepStrictEqual(yield* read(body.id), answer.body)
          yield* turnBy(20_000)
          assert.deepStrictEqual(yield* read(body.id), answer.body)
          assert.deepStrictEqual(yield* sql`select 1 from outbox_events where source_id = ${body.id}`, [])
        }
      })
    )

    it.effect("is repeatable: it returns the message again, and identical bytes for a repeated key M-ERR-09", () =>
      Effect.gen(function* () {
        const { cancel, send } = yield* stage
        const { body } = yield* send(text)
        const first = yield* cancel(body.id, { idempotencyKey: "once" })
        yield* turnBy(1000)
        const again = yield* cancel(body.id)
        assert.deepStrictEqual([again.status, again.text], [200, first.text])
        const replay = yield* cancel(body.id, { idempotencyKey: "once" })
        assert.deepStrictEqual([replay.text, replay.headers["svc-idempotent-replayed"]], [first.text, "true"])
        const keyed = yield* cancel(body.id, { idempotencyKey: "another" })
        const replayed = yield* cancel(body.id, { idempotencyKey: "another" })
        assert.deepStrictEqual([keyed.text, replayed.headers["svc-idempotent-replayed"]], [first.text, "true"])
      })
    )

    it.effect("in any other status is a conflict, and of another environment a 404 M-ERR-02", () =>
      Effect.gen(function* () {
        const { api, cancel, send, simulate } = yield* stage
        const inbound = (yield* simulate()).body
        const sent = (yield* send(text)).body
        const failed = (yield* send(text, { metadata: { sandbox_scenario: "delivery_failure" } })).body
        yield* turnBy(600)
        for (const { id } of [inbound, sent, failed]) {
          assert.deepStrictEqual(told(yield* cancel(id)), [409, "message_not_cancellable", undefined])
        }
        yield* turnBy(5000)
        assert.deepStrictEqual(told(yield* cancel(sent.id)), [409, "message_not_cancellable", undefined])
        const queued = (yield* send(text)).body
        const stranger = yield* cancel(queued.id, { key: api.other.sandbox.key })
        assert.deepStrictEqual(told(stranger), [404, "message_not_found", undefined])
        assert.deepStrictEqual(told(yield* cancel("nothing")), [404, "message_not_found", undefined])
      })
    )

    it.effect('works while the family is switched off gaps-2 A "Feature families"', () =>
      Effect.gen(function* () {
        const { cancel, project, send } = yield* stage
        const { body } = yield* send(text)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update environments set capabilities_off = '["messaging"]' where id = ${project.sandbox.id}`
        assert.strictEqual((yield* cancel(body.id)).status, 200)
      })
    )

    it.effect("by many concurrent calls happens once", () =>
      Effect.gen(function* () {
        const { cancel, read, send } = yield* stage
        const { body } = yield* send(text)
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => cancel(body.id)),
          { concurrency: "unbounded" }
        )
        const shown = yield* read(body.id)
        assert.lengthOf(shown.events, 2)
        for (const answer of answers) assert.deepStrictEqual([answer.status, answer.body], [200, shown])
      })
    )
  }
)
