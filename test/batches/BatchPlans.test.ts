import type { CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { operationsOfPeople } from "../support/AsPerson.ts"
import { turnBy } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { phone, recipients, seedBatches } from "./BatchStage.ts"

const promo = { template: { name: "promo", language: "pt_BR" } }
const offers = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ to: phone(n), variables: { first_name: "Maria" } }))

const plan = Effect.fnUntraced(function* (environment: TestEnvironment, body: object) {
  const { callerIn, operations } = yield* operationsOfPeople
  return yield* operations.batchLookups.plan(callerIn(environment, "owner"), { payload: body as CreateBatch })
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("The plan of a batch", (it) => {
  it.effect("names exactly the recipients that the batch then fails for, with their codes", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const batches = yield* seedBatches(acme.sandbox)
      yield* batches.post({ ...promo, recipients: offers(2) })
      yield* turnBy(10_000)
      yield* post("/v1/contacts/opt-out", { phone: phone(3) }, { key: acme.sandbox.key })
      const body = { ...promo, recipients: offers(6) }
      const planned = yield* plan(acme.sandbox, batches.body(body))
      const { body: made } = yield* batches.post(body)
      yield* turnBy(10_000)
      const { body: failures } = yield* batches.get(`/${made.id}/failures`)
      assert.deepStrictEqual(
        planned.held.map(({ error, phone }) => [phone, error.code, error.guard_reason]),
        failures.data.map(({ error_code, guard_reason, to }: Record<string, string>) => [to, error_code, guard_reason])
      )
      assert.deepInclude(planned, { recipient_count: 6, judged_count: 6, category: "marketing", faulty: [] })
      assert.lengthOf(planned.held, 3)
    })
  )

  it.effect("names every recipient that no batch takes, and repeated ones", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { sandbox } = acme.sibling
      const batches = yield* seedBatches(sandbox)
      const [first, second] = recipients(2)
      const given = [
        first,
        { to: "12", variables: { "1": "x" } },
        second,
        { to: phone(2), variables: { "1": "" } },
        { to: phone(3) },
        first,
        { to: "+5511" }
      ]
      const planned = yield* plan(sandbox, batches.body({ recipients: given }))
      assert.deepStrictEqual(
        planned.faulty.map(({ error, index }) => [index, error.code, error.param]),
        [
          [1, "invalid_phone_e164", "recipients.1.to"],
          [3, "template_param_mismatch", "recipients.3.variables"],
          [4, "template_param_mismatch", "recipients.4.variables"],
          [6, "invalid_phone_e164", "recipients.6.to"]
        ]
      )
      assert.deepInclude(planned, { recipient_count: 2, repeated: [5], held: [] })
    })
  )

  it.effect("refuses faults of the batch as a whole as acceptance does", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { sandbox } = acme.sibling
      const batches = yield* seedBatches(sandbox)
      for (const given of [
        { template: { name: "none", language: "pt_BR" } },
        { sender: { type: "chatapp_phone_number", id: "pn_x" } },
        { scheduled_at: "2020-01-01T00:00:00Z" },
        { template: { name: "welcome", language: "pt_BR", header_media: { kind: "image", link: "https://a.test/x" } } },
        { audience: { filter: {} } },
        { audience_id: "aud_00000000000000000000000000" }
      ]) {
        const { error } = (yield* batches.post(given)).body
        const refused = yield* Effect.flip(plan(sandbox, batches.body(given)))
        assert.deepStrictEqual([refused._tag, refused.param], [error.code, error.param], JSON.stringify(given))
      }
    })
  )

  it.effect('is for those alone who may start a batch gaps-1 C "Dashboard sessions and roles"', () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { sandbox } = acme.sibling
      const batches = yield* seedBatches(sandbox)
      const { callerIn, operations } = yield* operationsOfPeople
      const payload = batches.body() as unknown as CreateBatch
      const { recipient_count } = yield* operations.batchLookups.plan(callerIn(sandbox, "admin"), { payload })
      assert.strictEqual(recipient_count, 2)
      const refused = yield* Effect.flip(operations.batchLookups.plan(callerIn(sandbox, "member"), { payload }))
      assert.strictEqual(refused._tag, "insufficient_scope")
    })
  )

  it.effect("reads the contacts that an audience has now, and writes nothing", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { sandbox } = acme.sibling
      const { key } = sandbox
      const batches = yield* seedBatches(sandbox)
      const text = { type: "BODY", text: "A loja abre às nove." }
      const template = { name: "opening", language: "pt_BR" }
      const made = yield* post("/v1/templates", { ...template, category: "utility", components: [text] }, { key })
      yield* post(`/v1/templates/${made.body.id}/submit`, undefined, { key })
      yield* turnBy(2000)
      for (const n of [40, 41, 42]) yield* post("/v1/contacts/opt-in", { phone: phone(n), source: "web" }, { key })
      yield* post("/v1/contacts/opt-out", { phone: phone(42) }, { key })
      const rows = () =>
        sql`select (select count(*)::int from batches) as batches, (select count(*)::int from messages) as messages,
          (select count(*)::int from batch_stages) as stages, (select count(*)::int from batch_recipients) as recipients`
      const before = yield* rows()
      const planned = yield* plan(sandbox, batches.body({ template, audience: { filter: {} } }))
      assert.deepStrictEqual(
        planned.held.map(({ error, phone }) => [phone, error.code]),
        [[phone(42), "contact_opted_out"]]
      )
      assert.deepInclude(planned, { recipient_count: 3, judged_count: 3, faulty: [], repeated: [] })
      assert.deepStrictEqual(yield* rows(), before)
    })
  )

  it.effect("a batch that is requested three times at once under one key is created once A-IDEM-04", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { id, key } = acme.sibling.sandbox
      const batches = yield* seedBatches(acme.sibling.sandbox)
      const before = yield* sql`select id from batches where environment_id = ${id}`
      const body = batches.body({ recipients: recipients(700) })
      const send = post("/v1/batches", body, { key, idempotencyKey: "three at once" })
      const sent = yield* Effect.all([send, send, send], { concurrency: "unbounded" })
      assert.isTrue(sent.every(({ status }) => status === 202 || status === 409))
      assert.strictEqual((yield* send).status, 202)
      const created = yield* sql`select recipient_count, (select count(*)::int from batch_recipients r
        where r.environment_id = b.environment_id and r.batch_id = b.id) as recipients from batches b
        where environment_id = ${id} and not (id = any(${before.map((row) => row.id)}))`
      assert.deepStrictEqual(created, [{ recipient_count: 700, recipients: 700 }])
    })
  )
})
