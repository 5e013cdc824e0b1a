import { Commit } from "@carteiro/owners/Commit.ts"
import { subjectHash } from "@carteiro/owners/Subject.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeClaim } from "../../packages/owners/idempotency/Claim.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { outgoing, register } from "../webhooks/Deliveries.ts"

it.layer(WholeProduct({ sweeps: false, outgoing }), { excludeTestServices: true })("Whom rows are about", (it) => {
  it.effect('stands in events, deliveries and stored responses as a keyed hash gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { sandbox } = acme
      const number = yield* seedNumber(sandbox)
      yield* register(sandbox, "http://127.0.0.1:9/hook", ["message.received", "message.sent"])
      const heard = yield* post(
        "/v1/sandbox/inbound-messages",
        { channel: "chatapp", from: "551187654321", to: number.id, type: "text", text: { body: "oi" } },
        { key: sandbox.key, idempotencyKey: "in" }
      )
      assert.strictEqual(heard.status, 202, heard.text)
      const sent = yield* post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          // The same customer with the ninth digit.
          recipient: { type: "phone_e164", id: "+5511987654321" },
          message: { type: "text", text: { body: "olá" } }
        },
        { key: sandbox.key, idempotencyKey: "out" }
      )
      assert.strictEqual(sent.status, 202, sent.text)
      yield* turnBy(3000)
      const subject = subjectHash(yield* Secrets, sandbox.id, { type: "phone_e164", key: "5511987654321" })
      assert.match(subject, /^[\w-]{22}$/)
      for (const [table, count] of [
        ["outbox_events", 4],
        ["webhook_events", 2],
        ["idempotency_records", 2]
      ] as const) {
        const rows = yield* sql<{ readonly subject: string | null }>`select subject from ${sql(table)}
          where environment_id = ${sandbox.id}`
        assert.deepStrictEqual(rows, Array(count).fill({ subject }), table)
      }
    })
  )

  it.effect('of a response about several is told beside its record, as long as it lives gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const commit = yield* Commit
      const secrets = yield* Secrets
      const expires_at = (yield* Clock.currentTimeMillis) + 1000
      const claim = makeClaim({ environment_id: acme.production.id, key_hash: "k", fingerprint: "", expires_at })
      const subjects = ["1", "2", "1"].map((key) => ({ type: "phone_e164", key }))
      yield* commit.write([], { claim, response: { status: 200, body: "{}" }, subjects })
      const told = yield* sql<{ readonly subject: string }>`select subject from idempotency_subjects
        where environment_id = ${acme.production.id} and key_hash = 'k'`
      assert.deepStrictEqual(
        told.map(({ subject }) => subject).sort(),
        subjects
          .slice(0, 2)
          .map((subject) => subjectHash(secrets, acme.production.id, subject))
          .sort()
      )
      // The same customer is somebody else in another environment.
      assert.notStrictEqual(
        subjectHash(secrets, acme.production.id, { type: "phone_e164", key: "1" }),
        subjectHash(secrets, acme.sandbox.id, { type: "phone_e164", key: "1" })
      )
    })
  )
})
