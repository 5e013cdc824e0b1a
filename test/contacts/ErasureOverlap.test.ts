import { erasureJob } from "@carteiro/runtime/contacts/erasure/ErasureJob.ts"
import { type Eraser, Erasers } from "@carteiro/runtime/erasure/Erasers.ts"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const quarterMs = 15 * 60_000
const phone = "+5511987654321"

/** The passes that each erasure still has behind it, as its row says. */
const passesOf = Effect.fnUntraced(function* (environmentId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly passes: number }>`select passes from contact_erasures
    where environment_id = ${environmentId}`
  return rows.map(({ passes }) => passes)
})

/** A sandbox with one customer who is being erased. */
const erasing = Effect.fnUntraced(function* (name: string) {
  const { delete: remove, get, post } = yield* Api
  const { sandbox } = yield* seedTenant(name)
  const { key } = sandbox
  const number = yield* seedNumber(sandbox)
  const inbound = { channel: "chatapp", from: phone, to: number.id, type: "text", text: { body: "Oi" } }
  assert.strictEqual((yield* post("/v1/sandbox/inbound-messages", inbound, { key })).status, 202)
  const { body } = yield* get(`/v1/contacts?phone=${encodeURIComponent(phone)}`, { key })
  assert.strictEqual((yield* remove(`/v1/contacts/${body.data[0].id}`, { key })).status, 200)
  return sandbox
})

/** Two runs of the job that read the same erasures before either has made its pass. */
const overlapping = Effect.gen(function* () {
  const erasers = yield* Erasers
  const met = yield* Deferred.make<void>()
  let begun = 0
  const meets: Eraser = {
    clear: () =>
      Effect.suspend(() => {
        begun++
        return begun === 2 ? Deferred.succeed(met, undefined) : Deferred.await(met)
      })
  }
  const run = Effect.provideService(erasureJob.run, Erasers, [meets, ...erasers])
  const one = yield* Effect.forkChild(run)
  const other = yield* Effect.forkChild(run)
  yield* Fiber.join(one)
  yield* Fiber.join(other)
  return begun
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Erasures whose passes overlap", (it) => {
  it.effect('end with the second pass, and are not passed over again gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { id } = yield* erasing("overlap")
      assert.deepStrictEqual(yield* passesOf(id), [0])
      assert.strictEqual(yield* overlapping, 2)
      assert.deepStrictEqual(yield* passesOf(id), [1])
      yield* turnBy(quarterMs)
      assert.strictEqual(yield* overlapping, 2)
      assert.deepStrictEqual(yield* passesOf(id), [])
    })
  )

  it.effect('end also where an earlier release counted both passes as two gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { id } = yield* erasing("counted")
      const sql = yield* SqlClient.SqlClient
      yield* sql`update contact_erasures set passes = 2 where environment_id = ${id}`
      yield* erasureJob.run
      assert.deepStrictEqual(yield* passesOf(id), [])
    })
  )
})
