import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const path = "/v1/flows"
const flow_json = { version: "7.2", screens: [{ id: "DATE", title: "When?", terminal: true }], routing_model: {} }
const body = { name: " Appointment ", flow_json, categories: ["APPOINTMENT_BOOKING"] }

/** A new draft in the sandbox of acme. */
const draft = Effect.fnUntraced(function* (more: object = {}) {
  const { acme, post } = yield* Api
  return (yield* post(path, { ...body, ...more }, { key: acme.sandbox.key })).body.id as string
})

const switchOff = Effect.fnUntraced(function* (environmentId: string, families: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update environments set capabilities_off = ${JSON.stringify(families)} where id = ${environmentId}`
})

it.layer(WholeProduct(), { excludeTestServices: true })("Flows", (it) => {
  it.effect('create answers a draft, reads show it, lists leave its definition out gaps-2 G "Flow routes"', () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { key } = acme.sibling.sandbox
      const made = yield* post(path, body, { key })
      assert.strictEqual(made.status, 201)
      const { trace_id: _, ...flow } = made.body
      assert.match(flow.id, /^flw_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      assert.deepStrictEqual(flow, {
        id: flow.id,
        object: "flow",
        name: "Appointment",
        status: "draft",
        provider_flow_id: null,
        rejection_reason: null,
        categories: ["APPOINTMENT_BOOKING"],
        environment: "sandbox",
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z",
        published_at: null,
        flow_json
      })
      const { trace_id: __, ...read } = (yield* get(`${path}/${flow.id}`, { key })).body
      assert.deepStrictEqual(read, flow)
      const plain = yield* post(path, { name: "Plain", flow_json, categories: null }, { key })
      assert.deepStrictEqual(plain.body.categories, [])
      const list = yield* get(path, { key })
      const { flow_json: ___, ...entry } = flow
      assert.deepStrictEqual(
        list.body.data.map(({ name }: { readonly name: string }) => name),
        ["Plain", "Appointment"]
      )
      assert.deepStrictEqual(list.body.data[1], entry)
    })
  )

  it.effect("an invalid definition answers invalid_flow_json with its place M-FLOW-15", () =>
    Effect.gen(function* () {
      const { acme, patch, post } = yield* Api
      const { key } = acme.sandbox
      const id = yield* draft()
      const long = "ã".repeat(524_288)
      const cases: ReadonlyArray<readonly [unknown, string]> = [
        [[], "flow_json"],
        ["{}", "flow_json"],
        [{}, "flow_json.version"],
        [{ ...flow_json, version: "" }, "flow_json.version"],
        [{ ...flow_json, version: 7 }, "flow_json.version"],
        [{ version: "7.2" }, "flow_json.screens"],
        [{ version: "7.2", screens: [] }, "flow_json.screens"],
        [{ version: "7.2", screens: {} }, "flow_json.screens"],
        [{ version: "7.2", screens: [{ id: "A" }, null] }, "flow_json.screens.1.id"],
        [{ version: "7.2", screens: [{ id: "" }] }, "flow_json.screens.0.id"],
        [{ version: "7.2", screens: [{ id: "A" }, { id: "B" }, { id: "A" }] }, "flow_json.screens.2.id"],
        [{ ...flow_json, long }, "flow_json"]
      ]
      for (const [wrong, param] of cases) {
        for (const { body: answer, status } of [
          yield* post(path, { ...body, flow_json: wrong }, { key }),
          yield* patch(`${path}/${id}`, { flow_json: wrong }, { key })
        ]) {
          assert.strictEqual(status, 400)
          assert.deepInclude(answer.error, { code: "invalid_flow_json", type: "validation_error", param })
        }
      }
      const largest = { ...flow_json, long: "x".repeat(1_048_576 - JSON.stringify({ ...flow_json, long: "" }).length) }
      assert.strictEqual((yield* post(path, { ...body, flow_json: largest }, { key })).status, 201)
    })
  )

  it.effect('a body breaks the contract as invalid_flow_request gaps-2 A "New error codes"', () =>
    Effect.gen(function* () {
      const { acme, get, patch, post } = yield* Api
      const { key } = acme.sandbox
      const created: ReadonlyArray<readonly [object, string]> = [
        [{ flow_json }, "name"],
        [{ ...body, name: " " }, "name"],
        [{ ...body, name: "x".repeat(129) }, "name"],
        [{ name: "A" }, "flow_json"],
        [{ ...body, categories: [] }, "categories"],
        [{ ...body, categories: Array.from({ length: 6 }, () => "SURVEY") }, "categories"],
        [{ ...body, categories: [1] }, "categories.0"],
        [{ ...body, surplus: 1 }, "surplus"]
      ]
      for (const [wrong, param] of created) {
        const { body: answer, status } = yield* post(path, wrong, { key })
        assert.strictEqual(status, 400)
        assert.deepInclude(answer.error, { code: "invalid_flow_request", type: "validation_error", param })
      }
      const id = yield* draft()
      for (const wrong of [{}, { name: null }, { categories: null }, { status: "published" }]) {
        const { body: answer, status } = yield* patch(`${path}/${id}`, wrong, { key })
        assert.deepStrictEqual([status, answer.error.code], [400, "invalid_flow_request"])
      }
      const query = yield* get(`${path}?status=draft`, { key })
      assert.deepInclude(query.body.error, { code: "invalid_query", param: "status" })
      assert.strictEqual((yield* post(path, { ...body, name: "x".repeat(128) }, { key })).status, 201)
    })
  )

  it.effect("the sandbox publishes at once and assigns the provider's id M-FLOW-07", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { key } = acme.sandbox
      const id = yield* draft()
      const published = yield* post(`${path}/${id}/publish`, undefined, { key, idempotencyKey: "publish" })
      assert.strictEqual(published.status, 200)
      assert.deepInclude(published.body, {
        id,
        status: "published",
        provider_flow_id: `sb_${id}`,
        published_at: "2026-01-01T00:00:00.000Z"
      })
      const { trace_id: _, ...read } = (yield* get(`${path}/${id}`, { key })).body
      const { trace_id: __, ...shown } = published.body
      assert.deepStrictEqual(read, shown)
      const again = yield* post(`${path}/${id}/publish`, undefined, { key, idempotencyKey: "publish" })
      assert.deepStrictEqual([again.status, again.text], [200, published.text])
    })
  )

  it.effect('each state allows what it allows and answers its own 409 otherwise gaps-2 G "Flow routes"', () =>
    Effect.gen(function* () {
      const { acme, patch, post, ...api } = yield* Api
      const { key } = acme.sandbox
      const code = ({
        body: answer,
        status
      }: {
        readonly body: { readonly error?: { readonly code: string } }
        readonly status: number
      }) => (answer.error === undefined ? status : [status, answer.error.code])
      const id = yield* draft()
      const change = patch(`${path}/${id}`, { name: "Other" }, { key })
      const publish = post(`${path}/${id}/publish`, undefined, { key })
      const deprecate = post(`${path}/${id}/deprecate`, undefined, { key })
      const remove = api.delete(`${path}/${id}`, { key })

      const changed = yield* change
      assert.deepStrictEqual([changed.status, changed.body.name, changed.body.flow_json], [200, "Other", flow_json])
      assert.deepStrictEqual(code(yield* deprecate), [409, "flow_not_deprecatable"])
      assert.strictEqual(code(yield* publish), 200)
      assert.deepStrictEqual(code(yield* publish), [409, "flow_not_publishable"])
      assert.deepStrictEqual(code(yield* change), [409, "flow_not_editable"])
      assert.deepStrictEqual(code(yield* remove), [409, "flow_not_deletable"])
      const deprecated = yield* deprecate
      assert.deepStrictEqual([deprecated.status, deprecated.body.status], [200, "deprecated"])
      assert.strictEqual(deprecated.body.provider_flow_id, `sb_${id}`)
      assert.deepStrictEqual(code(yield* deprecate), [409, "flow_not_deprecatable"])
      assert.deepStrictEqual(code(yield* publish), [409, "flow_not_publishable"])
      assert.deepStrictEqual(code(yield* change), [409, "flow_not_editable"])
      assert.deepStrictEqual(code(yield* remove), [409, "flow_not_deletable"])

      const other = yield* draft()
      const removed = yield* api.delete(`${path}/${other}`, { key })
      const { trace_id: _, ...answer } = removed.body
      assert.deepStrictEqual(answer, { id: other, object: "flow", deleted: true })
      for (const gone of [
        yield* api.get(`${path}/${other}`, { key }),
        yield* api.delete(`${path}/${other}`, { key }),
        yield* patch(`${path}/${other}`, { name: "Other" }, { key }),
        yield* post(`${path}/${other}/publish`, undefined, { key }),
        yield* post(`${path}/${other}/deprecate`, undefined, { key })
      ]) {
        assert.deepStrictEqual(code(gone), [404, "flow_not_found"])
      }
    })
  )

  it.effect("of two concurrent changes, the later finds the result of the first", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { key } = acme.sandbox
      const id = yield* draft()
      const both = yield* Effect.all(
        [post(`${path}/${id}/publish`, undefined, { key }), post(`${path}/${id}/publish`, undefined, { key })],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(both.map(({ status }) => status).sort(), [200, 409])
    })
  )

  it.effect('publishing needs the messaging family, the other routes do not gaps-2 A "Feature families"', () =>
    Effect.gen(function* () {
      const { acme, patch, post } = yield* Api
      const { key, id: environment } = acme.project.sandbox
      const id = yield* draft()
      yield* switchOff(environment, ["messaging"])
      const refused = yield* post(`${path}/${id}/publish`, undefined, { key })
      assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "feature_disabled"])
      assert.strictEqual((yield* patch(`${path}/${id}`, { name: "Other" }, { key })).status, 200)
      yield* switchOff(environment, [])
      assert.strictEqual((yield* post(`${path}/${id}/publish`, undefined, { key })).status, 200)
    })
  )
})
