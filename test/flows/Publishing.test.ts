import { Commit } from "@carteiro/owners/Commit.ts"
import * as Flows from "@carteiro/runtime/flows/Flows.ts"
import { FlowPublisherWorker } from "@carteiro/runtime/flows/publish/FlowPublisherWorker.ts"
import { room as flowsRoom } from "@carteiro/runtime/flows/room.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { sweepFrom } from "../../packages/owners/schedule/Sweeper.ts"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { served } from "../support/ServedRooms.ts"
import { done, failed, heard, newScript, refused, scripted } from "./FlowTasks.ts"

const path = "/v1/flows"
const flow_json = { version: "7.2", screens: [{ id: "DATE" }] }
const script = newScript()

/** Nothing of an earlier test is left to do. */
const forget = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update flows set provider_step = null, due_at = null where due_at is not null`
  Object.assign(script, newScript())
})

/** A draft of acme's production. */
const draft = Effect.fnUntraced(function* () {
  yield* forget
  const { acme, post } = yield* Api
  const body = { name: "Appointment", flow_json, categories: ["SURVEY", "OTHER"] }
  return (yield* post(path, body, { key: acme.production.key })).body.id as string
})

const publish = Effect.fnUntraced(function* (id: string) {
  const { acme, post } = yield* Api
  return yield* post(`${path}/${id}/publish`, undefined, { key: acme.production.key })
})

const read = Effect.fnUntraced(function* (id: string) {
  const { acme, get } = yield* Api
  return (yield* get(`${path}/${id}`, { key: acme.production.key })).body
})

const made = done({ provider_flow_id: "7001" })
const valid = done({ validation_errors: [] })
const said = (status: string, ...validation_errors: ReadonlyArray<string>) => done({ status, validation_errors })
const all = [made, valid, heard, said("published")]

/** A flow that its provider has published. */
const published = Effect.fnUntraced(function* () {
  const id = yield* draft()
  script.answers.push(...all)
  yield* publish(id)
  yield* turnBy(1000)
  script.asked.length = 0
  return id
})

it.layer(ApiTest(served(flowsRoom), Layer.provide(flowsRoom.owners, scripted(script))), {
  excludeTestServices: true
})("Publishing through a provider", (it) => {
  it.effect('answers 202 publishing, and becomes published once the provider says so gaps-2 G "Flow routes"', () =>
    Effect.gen(function* () {
      const id = yield* draft()
      script.answers.push(made, valid, heard, said("draft"), failed, said("published"))
      const answer = yield* publish(id)
      assert.strictEqual(answer.status, 202)
      assert.deepInclude(answer.body, {
        id,
        status: "publishing",
        provider_flow_id: null,
        published_at: null,
        flow_json
      })
      assert.strictEqual((yield* publish(id)).body.error.code, "flow_not_publishable")
      yield* turnBy(1)
      assert.deepStrictEqual(script.asked, [
        `create ${id} Appointment SURVEY,OTHER`,
        "upload 7001 7.2",
        "publish 7001",
        "read 7001"
      ])
      assert.strictEqual((yield* read(id)).status, "publishing")
      yield* turnBy(3000)
      assert.deepStrictEqual(script.asked.slice(4), ["read 7001", "read 7001"])
      const flow = yield* read(id)
      assert.deepInclude(flow, { status: "published", provider_flow_id: "7001", rejection_reason: null })
      assert.strictEqual(flow.published_at, flow.updated_at)
      yield* turnBy(3_600_000)
      assert.strictEqual(script.asked.length, 6)
    })
  )

  it.effect("a flow whose creation had no answer is looked up, and created once", () =>
    Effect.gen(function* () {
      const id = yield* draft()
      script.answers.push(failed, failed, done({ provider_flow_id: "7002" }), valid, heard, said("published"))
      yield* publish(id)
      yield* turnBy(10_000)
      assert.deepStrictEqual(script.asked, [
        `create ${id} Appointment SURVEY,OTHER`,
        `find ${id}`,
        `find ${id}`,
        "upload 7002 7.2",
        "publish 7002",
        "read 7002"
      ])
      assert.deepInclude(yield* read(id), { status: "published", provider_flow_id: "7002" })
    })
  )

  it.effect("is created again only when the provider has none", () =>
    Effect.gen(function* () {
      const id = yield* draft()
      script.answers.push(failed, done({ provider_flow_id: null }), ...all)
      yield* publish(id)
      yield* turnBy(10_000)
      assert.deepStrictEqual(
        script.asked.map((one) => one.split(" ")[0]),
        ["create", "find", "create", "upload", "publish", "read"]
      )
      assert.strictEqual((yield* read(id)).status, "published")
    })
  )

  it.effect("a creation that a crash cut off is looked up by the next node", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const owners = yield* FlowPublisherWorker.client
      const id = yield* draft()
      script.answers.push(done({ provider_flow_id: "7003" }), valid, heard, said("published"))
      // As a crash leaves it: reserved, without a result.
      const now = new Date(yield* Clock.currentTimeMillis)
      yield* sql`update flows set status = 'publishing', provider_step = 'find', due_at = ${now}, publishing_since = ${now}
        where id = ${id}`
      owners.wake(acme.production.id)
      yield* turnBy(1000)
      assert.deepStrictEqual(script.asked, [`find ${id}`, "upload 7003 7.2", "publish 7003", "read 7003"])
      assert.strictEqual((yield* read(id)).status, "published")
    })
  )

  it.effect("the reservation is durable before the creation is sent", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const id = yield* draft()
      const seen: Array<unknown> = []
      script.meanwhile = Effect.orDie(
        Effect.tap(sql`select provider_step, due_at from flows where id = ${id}`, (rows) =>
          Effect.sync(() => seen.push(...rows))
        )
      )
      script.answers.push(...all)
      const now = yield* Clock.currentTimeMillis
      yield* publish(id)
      yield* turnBy(1)
      assert.deepStrictEqual(seen[0], { provider_step: "find", due_at: now + 60_000 })
    })
  )

  it.effect("a publishing without an answer is looked up before it is repeated", () =>
    Effect.gen(function* () {
      const id = yield* draft()
      script.answers.push(made, valid, failed, said("draft"), heard, said("published"))
      yield* publish(id)
      yield* turnBy(5000)
      assert.deepStrictEqual(script.asked.slice(2), ["publish 7001", "read 7001", "publish 7001", "read 7001"])
      const other = yield* draft()
      script.answers.push(made, valid, failed, said("published"))
      yield* publish(other)
      yield* turnBy(5000)
      assert.deepStrictEqual(script.asked.slice(2), ["publish 7001", "read 7001"])
      assert.strictEqual((yield* read(other)).status, "published")
    })
  )

  it.effect(
    "a refusal makes it rejected with the reason; after a change it is a draft and can be published again",
    () =>
      Effect.gen(function* () {
        const { acme, patch, ...api } = yield* Api
        const { key } = acme.production
        const id = yield* draft()
        script.answers.push(made, done({ validation_errors: ["Screen DATE has no layout."] }))
        yield* publish(id)
        yield* turnBy(1)
        assert.deepInclude(yield* read(id), {
          status: "rejected",
          rejection_reason: "Screen DATE has no layout.",
          provider_flow_id: null,
          published_at: null
        })
        assert.strictEqual((yield* api.delete(`${path}/${id}`, { key })).body.error.code, "flow_not_deletable")
        const changed = yield* patch(`${path}/${id}`, { flow_json: { ...flow_json, version: "7.3" } }, { key })
        assert.deepInclude(changed.body, { status: "draft", rejection_reason: null })
        script.asked.length = 0
        script.answers.push(valid, refused("Name is taken."))
        yield* publish(id)
        yield* turnBy(1)
        // The provider knows it already.
        assert.deepStrictEqual(script.asked, ["upload 7001 7.3", "publish 7001"])
        assert.deepInclude(yield* read(id), { status: "rejected", rejection_reason: "Name is taken." })
        script.answers.push(...all.slice(1))
        assert.strictEqual((yield* publish(id)).status, 202)
        yield* turnBy(1)
        assert.deepInclude(yield* read(id), { status: "published", rejection_reason: null })
      })
  )

  it.effect("without a connection it is rejected with no_provider_connection", () =>
    Effect.gen(function* () {
      const id = yield* draft()
      script.connected = false
      yield* publish(id)
      yield* turnBy(1)
      assert.deepInclude(yield* read(id), { status: "rejected", rejection_reason: "no_provider_connection" })
      assert.deepStrictEqual(script.asked, [])
    })
  )

  it.effect("a provider that never answers is given up after a day", () =>
    Effect.gen(function* () {
      const id = yield* draft()
      yield* publish(id)
      const { acme } = yield* Api
      const owners = yield* FlowPublisherWorker.client
      const wait = Effect.andThen(
        turnBy(600_000),
        Effect.sync(() => owners.wake(acme.production.id))
      )
      yield* Effect.repeat(wait, { times: 23 * 6 })
      assert.strictEqual((yield* read(id)).status, "publishing")
      assert.notInclude(script.asked.slice(1).join(), "create")
      yield* Effect.repeat(wait, { times: 2 * 6 })
      assert.deepInclude(yield* read(id), {
        status: "rejected",
        rejection_reason: "The provider did not answer within 24 hours."
      })
    })
  )

  it.effect("deprecating tells the provider until it hears, and no send may name it from the first moment", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const id = yield* published()
      script.answers.push(failed, heard)
      const answer = yield* post(`${path}/${id}/deprecate`, undefined, { key: acme.production.key })
      assert.deepStrictEqual([answer.status, answer.body.status], [200, "deprecated"])
      yield* turnBy(60_000)
      assert.deepStrictEqual(script.asked, ["deprecate 7001", "deprecate 7001"])
      assert.strictEqual((yield* read(id)).status, "deprecated")
    })
  )

  it.effect("a draft that the provider knows is removed there as well", () =>
    Effect.gen(function* () {
      const { acme, patch, get, ...api } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { key } = acme.production
      const id = yield* draft()
      script.answers.push(made, done({ validation_errors: ["Bad."] }))
      yield* publish(id)
      yield* turnBy(1)
      yield* patch(`${path}/${id}`, { name: "Other" }, { key })
      script.asked.length = 0
      script.answers.push(failed, heard)
      assert.strictEqual((yield* api.delete(`${path}/${id}`, { key })).status, 200)
      assert.strictEqual((yield* get(`${path}/${id}`, { key })).status, 404)
      assert.strictEqual((yield* api.delete(`${path}/${id}`, { key })).status, 404)
      yield* turnBy(60_000)
      assert.deepStrictEqual(script.asked, ["remove 7001", "remove 7001"])
      assert.deepStrictEqual(yield* sql`select id from flows where id = ${id}`, [])
    })
  )

  it.effect('a hint of the provider has it asked what the flow is now gaps-2 E "Inbound upstream webhook"', () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const reports = yield* Flows.FlowReports
      const commit = yield* Commit
      const notice = (provider: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          commit.write([reports.notice(acme.production.id, provider, now)])
        )
      const id = yield* published()
      // Others of this test have the same id at the provider.
      const sql = yield* SqlClient.SqlClient
      yield* sql`update flows set provider_flow_id = '7009' where id = ${id}`
      script.answers.push(said("blocked"))
      yield* notice("nobody")
      yield* notice("7009")
      yield* turnBy(1000)
      assert.deepStrictEqual(script.asked, ["read 7009"])
      assert.deepInclude(yield* read(id), {
        status: "deprecated",
        rejection_reason: "The provider says that it is blocked."
      })
      yield* notice("7009")
      yield* turnBy(1000)
      assert.strictEqual(script.asked.length, 1)
    })
  )

  it.effect("the sweeper finds environments with something due", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into flows (environment_id, id, name, status, categories, flow_json, provider_step, due_at,
          publishing_since, created_at, updated_at)
        select 'env_' || lpad(n::text, 5, '0'), 'flw_' || n || '_' || f, 'n', 'publishing', '[]', '{}', 'poll',
          case when n % 3 = 0 then now() - interval '400 days' else 'infinity' end, now(), now(), now()
        from generate_series(1, 2500) n, generate_series(1, 2) f`
      const { due } = yield* flowsRoom.due[0]
      const found: Array<string> = []
      let from = ""
      do from = yield* sweepFrom({ due }, from, (id) => found.push(id))
      while (from !== "")
      assert.deepStrictEqual(
        found.filter((id) => /^env_\d{5}$/.test(id)),
        Array.from({ length: 833 }, (_, n) => `env_${String(3 * n + 3).padStart(5, "0")}`)
      )
    })
  )
})
