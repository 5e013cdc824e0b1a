import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { recipients, seedBatches } from "../batches/BatchStage.ts"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { stored } from "./Sending.ts"

/** The recipients per day of a number of the smallest tier and red quality. */
const allowed = 22
/** When the slots of its number end, in milliseconds: its held messages are then released. */
const slotsEndMs = 120_000

/** A number whose allowance is used up, and a held template to a new recipient. */
const stage = Effect.fnUntraced(function* (environment: TestEnvironment) {
  const { get, post } = yield* Api
  const sql = yield* SqlClient.SqlClient
  const batches = yield* seedBatches(environment)
  const { number } = batches
  const ends = new Date((yield* Clock.currentTimeMillis) + slotsEndMs)
  yield* sql`update phone_numbers set messaging_tier = 'tier_50', quality_rating = 'red' where id = ${number.id}`
  yield* sql`insert into allowance_slots (environment_id, business_id, customer_key, expires_at, uses)
    select ${environment.id}, ${number.id}, 'key ' || n, ${ends}, 1 from generate_series(1, ${allowed}::int4) n`
  const { key } = environment
  const send = (id = "+5511933334444") =>
    Effect.map(
      post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: "phone_e164", id },
          message: { type: "template", template: { name: "welcome", language: "pt_BR", variables: { 1: "Ana" } } }
        },
        { key }
      ),
      ({ body }) => body
    )
  return {
    batches,
    number,
    send,
    read: (id: string) => Effect.map(get(`/v1/messages/${id}`, { key }), ({ body }) => body),
    call: (path: string) => post(`/v1/phone-numbers/${number.id}/${path}`, undefined, { key })
  }
}, Effect.orDie)

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Held messages", (it) => {
  it.effect(
    'fail at once with their number, and their batch completes gaps-2 K "Release, disconnect, convert" M-DLV-03',
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        for (const [environment, path] of [
          [acme.sandbox, "disconnect"],
          [acme.production, "disconnect"],
          [acme.sibling.sandbox, "release"]
        ] as const) {
          const sql = yield* SqlClient.SqlClient
          const { batches, call, number, read, send } = yield* stage(environment)
          if (path === "release") yield* sql`update phone_numbers set source = 'numprov' where id = ${number.id}`
          const made = (yield* batches.post({ recipients: recipients(30) })).body
          const { id } = yield* send()
          yield* turnBy(5000)
          assert.deepInclude(yield* read(id), { status: "queued", status_reason: "messaging_limit_pacing" })
          assert.strictEqual((yield* batches.get(`/${made.id}`)).body.status, "processing")
          yield* call(path)
          const sending = yield* Effect.forkChild(send("+5511933335555"))
          yield* turnBy(2000)
          const late = yield* Fiber.join(sending)
          yield* turnBy(2000)
          for (const one of [id, late.id]) {
            const { error_code, status } = yield* read(one)
            assert.deepStrictEqual([status, error_code], ["failed", "sender_phone_number_unavailable"], environment.id)
          }
          assert.deepInclude((yield* batches.get(`/${made.id}`)).body, { status: "completed", failed_count: 30 })
        }
      })
  )

  it.effect("fail when the number's service is suspended M-IMP-12", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { number, read, send } = yield* stage(acme.sandbox)
      const { id } = yield* send()
      yield* turnBy(1000)
      yield* sql`update phone_numbers set suspended_at = ${new Date(yield* Clock.currentTimeMillis)} where id = ${number.id}`
      yield* turnBy(60_000)
      const { error_code, status } = yield* read(id)
      assert.deepStrictEqual([status, error_code], ["failed", "phone_service_suspended"])
    })
  )

  it.effect(
    'are checked against credit and spend cap again when they are sent, and then cost nothing gaps-1 N "Monthly spend cap"',
    () =>
      Effect.gen(function* () {
        const { acme, other } = yield* Api
        const sql = yield* SqlClient.SqlClient
        for (const [tenant, code] of [
          [acme, "credit_balance_exhausted"],
          [other, "spend_limit_exceeded"]
        ] as const) {
          const { send } = yield* stage(tenant.production)
          const { id } = yield* send()
          yield* turnBy(90_000)
          assert.strictEqual((yield* stored(id)).status, "queued")
          // A message that is accepted now is checked with its request, and again only after it has waited for a
          // minute.
          const young = yield* send("+5511933335555")
          const isBlocked = code === "credit_balance_exhausted"
          if (isBlocked) yield* sql`update organizations set credit_blocked = true where id = ${tenant.organization_id}`
          else yield* sql`update projects set monthly_spend_cap = 0 where id = ${tenant.project.id}`
          yield* turnBy(slotsEndMs - 85_000)
          const { error_code, status } = yield* stored(id)
          assert.deepStrictEqual([status, error_code], ["failed", code])
          assert.strictEqual((yield* stored(young.id)).error_code, "no_provider_connection")
          assert.deepStrictEqual(yield* sql`select 1 from usage_records where source_id = ${id}`, [])
        }
      })
  )

  it.effect("of a sandbox are sent whatever its organization may spend", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { send } = yield* stage(acme.sibling.sandbox)
      const { id } = yield* send()
      yield* turnBy(90_000)
      yield* sql`update organizations set credit_blocked = true where id = ${acme.organization_id}`
      yield* sql`update projects set monthly_spend_cap = 0 where id = ${acme.sibling.id}`
      yield* turnBy(slotsEndMs)
      assert.strictEqual((yield* stored(id)).status, "read")
    })
  )
})
