import * as Messages from "@carteiro/runtime/messages/room.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seedSender } from "../support/Numbers.ts"
import { OwnerTest } from "../support/OwnerTest.ts"
import { accept, hear } from "./Sending.ts"
import { prepare, promo, welcome } from "./Templates.ts"

const key = (n: number) => `5511900${String(n).padStart(6, "0")}`

/** A number whose owner has sent both templates, so that they are in its memory. */
const warmNumber = Effect.gen(function* () {
  const number = yield* seedSender()
  yield* prepare(number, "unlimited")
  yield* accept(number, welcome(key(1)))
  yield* accept(number, promo(key(1)))
  return number
})

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const templateOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly version: number; readonly category: string; readonly environment_id: string }>`
    select template_version as version, template_category as category, t.environment_id
    from messages m join templates t on t.id = m.template_id where m.id = ${id}`
  return row
})

it.layer(OwnerTest(Messages.room.owners), { excludeTestServices: true })(
  "Templates in the memory of an owner",
  (it) => {
    it.effect('are compared with their row by each commit gaps-2 B "Template resolution"', () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const number = yield* warmNumber
        const where = sql`environment_id = ${number.environment_id}`
        for (const status of ["paused", "disabled"]) {
          yield* sql`update templates set sending_status = ${status} where ${where}`
          assert.strictEqual(yield* tagOf(accept(number, welcome(key(2)))), "template_not_approved")
          assert.strictEqual(yield* tagOf(accept(number, promo(key(2)))), "template_not_approved")
          yield* sql`update templates set sending_status = 'approved' where ${where}`
          yield* accept(number, welcome(key(2)))
          yield* accept(number, promo(key(2), status))
        }
        yield* sql`update templates set deleted_at = now() where ${where}`
        assert.strictEqual(yield* tagOf(accept(number, welcome(key(2)))), "template_not_found")
        assert.strictEqual(yield* tagOf(accept(number, promo(key(2), "c"))), "template_not_found")
      })
    )

    it.effect("are replaced by a version that was approved since, on any node", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const number = yield* warmNumber
        const where = sql`environment_id = ${number.environment_id} and name = 'welcome'`
        yield* sql`insert into template_versions
        select (jsonb_populate_record(v, jsonb_build_object('id', v.id || '2', 'version', 2, 'category', 'authentication',
          'components', '[{"type":"BODY","text":"Oi"}]'))).* from template_versions v
        where environment_id = ${number.environment_id}
          and template_id = (select id from templates where ${where})`
        yield* sql`update templates set latest_approved_version = 2,
        latest_approved_version_id = latest_approved_version_id || '2' where ${where}`
        // The parameters of the earlier version are too many for this one.
        assert.strictEqual(yield* tagOf(accept(number, welcome(key(3)))), "template_param_mismatch")
        const plain = jsonText({ type: "template", template: { name: "welcome", language: "pt_BR" } })
        const { id } = yield* accept(number, { ...welcome(key(3)), content: plain })
        const sent = yield* templateOf(id)
        assert.deepStrictEqual([sent?.version, sent?.category], [2, "authentication"])
      })
    )

    it.effect("let no send pass to a customer who opted out since M-MSG-23", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const number = yield* warmNumber
        yield* hear(number, { customer_key: key(4) })
        yield* accept(number, welcome(key(4)))
        yield* sql`update contacts set opt_in_status = 'opted_out' where environment_id = ${number.environment_id}`
        for (const send of [welcome(key(4)), promo(key(4)), { ...welcome(key(4)), batch_id: "bat_1" }]) {
          assert.strictEqual(yield* tagOf(accept(number, send)), "contact_opted_out")
        }
      })
    )

    it.effect("belong to the environment of the sender", () =>
      Effect.gen(function* () {
        const one = yield* warmNumber
        const other = yield* warmNumber
        const sent = yield* Effect.all(
          [one, other, one, other].map((number) => accept(number, welcome(key(5)))),
          { concurrency: "unbounded" }
        )
        const homes = yield* Effect.forEach(sent, ({ id }) => Effect.map(templateOf(id), (row) => row?.environment_id))
        assert.deepStrictEqual(
          homes,
          [one, other, one, other].map(({ environment_id }) => environment_id)
        )
      })
    )
  }
)
