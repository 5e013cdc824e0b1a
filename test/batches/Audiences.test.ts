import * as Contacts from "@carteiro/runtime/contacts/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { phone, recipients, seedBatches } from "./BatchStage.ts"

const contactJobs = Contacts.room.jobs.filter(({ name }) => name === "contacts.erasures")

const plain = { type: "BODY", text: "Olá!" }

/** An environment with contacts and a template that needs no values. */
const stage = Effect.fnUntraced(function* (environment: TestEnvironment) {
  const { delete: remove, get, post } = yield* Api
  const { key } = environment
  const batches = yield* seedBatches(environment)
  const rows = Array.from({ length: 5 }, (_, n) => ({ phone: phone(n) }))
  const imported = yield* post("/v1/contacts/bulk-import", { rows, source: "loja" }, { key })
  assert.strictEqual(imported.status, 200, imported.text)
  yield* post("/v1/contacts/opt-out", { phone: phone(0) }, { key })
  yield* post("/v1/contacts/opt-in", { phone: phone(9), source: "site" }, { key })
  const template = { name: "sem_valores", language: "pt_BR", category: "utility", components: [plain] }
  const made = yield* post("/v1/templates", template, { key })
  yield* post(`/v1/templates/${made.body.id}/submit`, undefined, { key })
  yield* turnBy(1500)
  return {
    batches,
    contacts: imported.body.data as ReadonlyArray<{ readonly id: string; readonly phone: string }>,
    send: (to: object) => batches.post({ template: { name: "sem_valores", language: "pt_BR" }, ...to }),
    create: (body: unknown, options: object = {}) => post("/v1/audiences", body, { key, ...options }),
    read: (id: string) => get(`/v1/audiences/${id}`, { key }),
    remove: (id: string) => remove(`/v1/audiences/${id}`, { key })
  }
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })('Audiences, gaps-2 H "Audiences"', (it) => {
  it.effect("are saved filters that count their contacts now", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { create, read, remove } = yield* stage(acme.sandbox)
      const made = yield* create({ name: " Clientes ", filter: { opt_in_status: "opted_in", source: "loja" } })
      assert.strictEqual(made.status, 201, made.text)
      assert.deepInclude(made.body, {
        object: "audience",
        name: "Clientes",
        filter: { opt_in_status: "opted_in", source: "loja" },
        contact_count: 4
      })
      yield* post("/v1/contacts/opt-in", { phone: phone(0), source: "loja" }, { key: acme.sandbox.key })
      const again = yield* read(made.body.id)
      assert.strictEqual(again.body.contact_count, 5)
      const all = yield* create({ name: "Todos", filter: {} })
      assert.strictEqual(all.body.contact_count, 6)
      const none = yield* create({ name: "Novos", filter: { created_after: "2026-01-02T00:00:00Z", source: null } })
      assert.deepStrictEqual(
        [none.body.contact_count, none.body.filter],
        [0, { created_after: "2026-01-02T00:00:00Z" }]
      )
      const gone = yield* remove(made.body.id)
      assert.deepInclude(gone.body, { id: made.body.id, object: "audience", deleted: true })
      for (const answer of [yield* remove(made.body.id), yield* read(made.body.id)]) {
        assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "audience_not_found"])
      }
    })
  )

  it.effect("refuse members outside their contract", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { create } = yield* stage(acme.sibling.sandbox)
      const bad: ReadonlyArray<readonly [unknown, string | undefined]> = [
        [{ filter: {} }, "name"],
        [{ name: "", filter: {} }, "name"],
        [{ name: "x".repeat(256), filter: {} }, "name"],
        [{ name: "x" }, "filter"],
        [{ name: "x", filter: { opt_in_status: "yes" } }, "filter.opt_in_status"],
        [{ name: "x", filter: { source: "" } }, "filter.source"],
        [{ name: "x", filter: { created_after: "2026" } }, "filter.created_after"],
        [{ name: "x", filter: { tag: "a" } }, "filter.tag"],
        [{ name: "x", filter: {}, color: "red" }, "color"]
      ]
      for (const [body, param] of bad) {
        const answer = yield* create(body)
        assert.deepStrictEqual(
          [answer.status, answer.body.error?.code, answer.body.error?.param],
          [400, "invalid_audience_request", param]
        )
      }
      const first = yield* create({ name: "x", filter: {} }, { idempotencyKey: "one" })
      const again = yield* create({ name: "x", filter: {} }, { idempotencyKey: "one" })
      assert.strictEqual(again.text, first.text)
    })
  )

  it.effect('refuse a misspelt filter, also in a batch, and address nobody by it gaps-2 A "Unknown body fields"', () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const { batches, create, send } = yield* stage(other.sibling.sandbox)
      const told: ReadonlyArray<readonly [string, string]> = [
        ["Source", "Did you mean `source`?"],
        ["optin_status", "Did you mean `opt_in_status`?"],
        ["created-after", "Did you mean `created_after`?"],
        ["tags", "Known fields here: opt_in_status, source, created_after."]
      ]
      for (const [name, hint] of told) {
        const filter = { [name]: "x" }
        const batch = yield* send({ audience: { filter } })
        const audience = yield* create({ name: "x", filter })
        assert.deepStrictEqual(
          [batch, audience].map(({ body: { error }, status }) => [status, error?.code, error?.param, error?.message]),
          [
            ["batch", "audience.filter"],
            ["audience", "filter"]
          ].map(([route, path]) => [
            400,
            `invalid_${route}_request`,
            `${path}.${name}`,
            `\`${path}.${name}\` is not a known field. ${hint}`
          ])
        )
      }
      // A value that breaks the contract is told before an unknown member, as everywhere.
      const both = yield* send({ audience: { filter: { Source: "x", opt_in_status: "yes" } } })
      assert.strictEqual(both.body.error?.param, "audience.filter.opt_in_status")
      assert.deepStrictEqual((yield* batches.get("")).body.data, [])
      const ignored = yield* send({ audience: { filter: { source: "nowhere" }, note: 1 }, colour: "red" })
      assert.deepStrictEqual([ignored.status, ignored.headers["svc-ignored-fields"]], [202, "audience.note, colour"])
    })
  )

  it.effect("are resolved when the batch starts, even if deleted since", () =>
    Effect.gen(function* () {
      const { other, post } = yield* Api
      const { batches, create, remove, send } = yield* stage(other.sandbox)
      const audience = yield* create({ name: "Clientes", filter: {} })
      const starts = { scheduled_at: "2026-01-01T00:00:40Z" }
      const { body: made } = yield* send({ audience_id: audience.body.id, ...starts })
      assert.deepInclude(made, { status: "scheduled", recipient_count: 6, pacing: null })
      yield* post("/v1/contacts/opt-in", { phone: phone(7), source: "loja" }, { key: other.sandbox.key })
      yield* remove(audience.body.id)
      yield* turnBy(60_000)
      const { body } = yield* batches.get(`/${made.id}`)
      // Who opted out is found too, and refused with a receipt.
      assert.deepInclude(body, { status: "completed", recipient_count: 7, enqueued_count: 6, failed_count: 1 })
      const { body: rows } = yield* batches.get(`/${made.id}/recipients`)
      assert.deepStrictEqual(
        rows.data.map(({ to }: { readonly to: string }) => to).sort(),
        [0, 1, 2, 3, 4, 7, 9].map(phone).sort()
      )
    })
  )

  it.effect('contacts are named by their ids or by a filter, gaps-2 H "Create body"', () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const { batches, contacts, send } = yield* stage(other.sibling.sandbox)
      const ids = contacts.slice(1, 3).map(({ id }) => id)
      const { body: named } = yield* send({ audience: { contact_ids: [...ids, ids[0]] } })
      assert.deepInclude(named, { recipient_count: 2, pacing: { deferred_recipient_count: 0, estimated_windows: 1 } })
      const { body: filtered } = yield* send({ audience: { filter: { opt_in_status: "opted_in", source: "site" } } })
      yield* turnBy(10_000)
      assert.deepInclude((yield* batches.get(`/${named.id}`)).body, { status: "completed", read_count: 2 })
      assert.deepInclude((yield* batches.get(`/${filtered.id}`)).body, { status: "completed", read_count: 1 })
      const nobody = yield* send({ audience: { filter: { source: "nowhere" } } })
      yield* turnBy(5000)
      assert.deepInclude((yield* batches.get(`/${nobody.body.id}`)).body, { status: "completed", recipient_count: 0 })
      const unknown = yield* send({ audience: { contact_ids: [ids[0], "con_01kah7v3m8q6x2r9d4t5w0y1z3"] } })
      assert.deepStrictEqual(
        [unknown.status, unknown.body.error.code, unknown.body.error.param],
        [404, "contact_not_found", "audience.contact_ids.1"]
      )
    })
  )

  it.effect('an erased customer is in no batch any more, gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { acme, delete: remove } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { batches, contacts } = yield* stage(acme.production)
      const [gone] = contacts.filter(({ phone: one }) => one === phone(3))
      const { body: sent } = yield* batches.post({ recipients: recipients(5) })
      const { body: waits } = yield* batches.post({ recipients: recipients(5), scheduled_at: "2026-01-20T00:00:00Z" })
      yield* turnBy(10_000)
      const erased = yield* remove(`/v1/contacts/${gone?.id}`, { key: acme.production.key })
      assert.strictEqual(erased.status, 200, erased.text)
      yield* Effect.forEach(contactJobs, ({ run }) => run)
      for (const id of [sent.id, waits.id]) {
        const { body } = yield* batches.get(`/${id}/recipients`)
        assert.deepStrictEqual(
          body.data.map(({ to }: { readonly to: string | null }) => to),
          [phone(0), phone(1), phone(2), null, phone(4)]
        )
      }
      const left = yield* sql`select 1 from batch_recipients where customer_key = ${phone(3).slice(1)}
        and environment_id = ${acme.production.id}`
      assert.deepStrictEqual(left, [])
      // Named again after that, he is a recipient as anybody else.
      const { body: later } = yield* batches.post({
        recipients: recipients(1, 3),
        scheduled_at: "2026-01-20T00:00:00Z"
      })
      yield* Effect.forEach(contactJobs, ({ run }) => run)
      assert.strictEqual((yield* batches.get(`/${later.id}/recipients`)).body.data[0].to, phone(3))
    })
  )
})
