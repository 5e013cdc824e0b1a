import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import * as Projects from "@carteiro/runtime/projects/Operator.ts"
import { room as projectsRoom } from "@carteiro/runtime/projects/room.ts"
import type { NewEnvironment } from "@carteiro/runtime/tenancy/EnvironmentCreated.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { served } from "../support/ServedRooms.ts"
import { seedKey, seedProject } from "../support/Tenants.ts"
import { instant, told } from "../support/Told.ts"

const plant = defineWrite({
  name: "planted.insert",
  columns: { environment_id: "text", kind: "text" },
  sql: (source) => `insert into planted (environment_id, kind) select r.environment_id, r.kind from ${source} r`
})
const Planted = Layer.effectDiscard(
  Effect.orDie(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`create table planted (environment_id text, kind text)`))
)
const planting = ({ environment_id, kind }: NewEnvironment) =>
  kind === "sandbox" ? [plant.row({ environment_id, kind })] : []

const doors = served(projectsRoom).pipe(Layer.provideMerge(Planted))
const options = { created: [planting] }

it.layer(ApiTest(doors, Layer.empty, options), { excludeTestServices: true })("Projects", (it) => {
  it.effect("are created with a sandbox and a production environment A-PROJ-01..06 A-CONV-02", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const made = yield* post("/v1/projects", { name: " Órdenes & Envíos " }, { key: acme.production.key })
      assert.strictEqual(made.status, 201)
      const { id, created_at, environments, trace_id, ...rest } = made.body
      assert.match(id, /^prj_[0-9a-z]{26}$/)
      assert.match(created_at, instant)
      assert.deepStrictEqual(rest, {
        object: "project",
        name: "Órdenes & Envíos",
        slug: "ordenes-envios",
        default_language: "pt_BR",
        default_region: "BR",
        profile: {},
        archived_at: null,
        updated_at: created_at
      })
      assert.deepStrictEqual(environments, [
        { id: environments[0].id, object: "environment", kind: "sandbox", created_at },
        { id: environments[1].id, object: "environment", kind: "production", created_at }
      ])
      const read = yield* get(`/v1/projects/${id}`, { key: acme.sandbox.key })
      assert.deepStrictEqual(read.body, { ...made.body, trace_id: read.body.trace_id })
      assert.strictEqual(trace_id, made.headers["svc-trace-id"])
    })
  )

  it.effect("are ready for keys, with what other rooms give new environments A-PROJ-06", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { body } = yield* post("/v1/projects", { name: "Ready" }, { key: acme.production.key })
      const key = yield* post(
        "/v1/api-keys",
        { name: "first", environment: "production", project_id: body.id, scopes: [] },
        { key: acme.production.key }
      )
      assert.strictEqual(key.status, 201)
      const planted = yield* sql`select kind from planted where environment_id = ${body.environments[0].id}`
      assert.deepStrictEqual(planted, [{ kind: "sandbox" }])
    })
  )

  it.effect("need their scopes: projects:write to create, projects:read to read A-PROJ-05 A-PROJ-14 A-PROJ-19", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const reader = yield* seedKey(acme.sandbox, { scopes: ["projects:read"] })
      const writer = yield* seedKey(acme.sandbox, { scopes: ["projects:write"] })
      const path = `/v1/projects/${acme.project.id}`
      const refused = [403, "insufficient_scope", undefined]
      assert.deepStrictEqual(told(yield* post("/v1/projects", { name: "x" }, { key: reader.key })), refused)
      assert.deepStrictEqual(told(yield* get("/v1/projects", { key: writer.key })), refused)
      assert.deepStrictEqual(told(yield* get(path, { key: writer.key })), refused)
      assert.strictEqual((yield* get(path, { key: reader.key })).status, 200)
    })
  )

  it.effect("refuse a body that breaks the contract A-PROJ-07 A-PROJ-08 A-PROJ-09 A-PROJ-10", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      for (const [body, param] of [
        [{}, "name"],
        [{ name: " " }, "name"],
        [{ name: "x".repeat(121) }, "name"],
        [{ name: "x", slug: "" }, "slug"],
        [{ name: "x", slug: "Up" }, "slug"],
        [{ name: "x", slug: " a" }, "slug"],
        [{ name: "x", slug: "a".repeat(81) }, "slug"],
        [{ name: "x", default_language: "pt_BR" }, "default_language"],
        [{ name: "x", organization_id: "org_other" }, "organization_id"],
        [[], undefined]
      ] as const) {
        const answer = yield* post("/v1/projects", body, { key: acme.sandbox.key })
        assert.deepStrictEqual(told(answer), [400, "invalid_project_body", param], JSON.stringify(body))
      }
      const longest = yield* post("/v1/projects", { name: "x".repeat(120), slug: "a".repeat(80) }, acme.sandbox)
      assert.strictEqual(longest.status, 201)
    })
  )

  it.effect("keep a slug to one project of an organization; a derived one takes the next number A-PROJ-11", () =>
    Effect.gen(function* () {
      const { acme, other, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const make = (body: object, key = acme.sandbox.key) => post("/v1/projects", body, { key })
      const first = yield* make({ name: "A", slug: "taken" })
      assert.strictEqual(first.body.slug, "taken")
      assert.deepStrictEqual(told(yield* make({ name: "B", slug: "taken" })), [409, "project_slug_taken", "slug"])
      assert.strictEqual((yield* make({ name: "Taken" })).body.slug, "taken-2")
      assert.strictEqual((yield* make({ name: "taken!", slug: null })).body.slug, "taken-3")
      assert.strictEqual((yield* make({ name: "A", slug: "taken" }, other.sandbox.key)).status, 201)
      yield* sql`update projects set archived_at = created_at where id = ${first.body.id}`
      assert.strictEqual((yield* make({ name: "C", slug: "taken" })).status, 409)
      yield* sql`update projects set deleted_at = created_at where id = ${first.body.id}`
      assert.strictEqual((yield* make({ name: "C", slug: "taken" })).status, 201)
    })
  )

  it.effect("give one of many concurrent requests its slug, and number the derived ones A-PROJ-11", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const many = (body: object, idempotent: boolean) =>
        Effect.all(
          Array.from({ length: 6 }, (_, i) =>
            post("/v1/projects", body, {
              key: acme.sandbox.key,
              ...(idempotent ? { idempotencyKey: `${JSON.stringify(body)}-${i}` } : {})
            })
          ),
          { concurrency: "unbounded" }
        )
      const asked = yield* many({ name: "Race", slug: "race" }, true)
      assert.deepStrictEqual(asked.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
      const lost = asked.findIndex(({ status }) => status === 409)
      const again = yield* post(
        "/v1/projects",
        { name: "Race", slug: "race" },
        { key: acme.sandbox.key, idempotencyKey: `${JSON.stringify({ name: "Race", slug: "race" })}-${lost}` }
      )
      assert.deepStrictEqual(told(again), [409, "project_slug_taken", "slug"])
      const derived = yield* many({ name: "Derived" }, false)
      assert.deepStrictEqual(derived.map(({ body }) => body.slug).sort(), [
        "derived",
        "derived-2",
        "derived-3",
        "derived-4",
        "derived-5",
        "derived-6"
      ])
      const [orphans] = yield* sql<{ count: number }>`select count(*)::int4 as count from planted p
        where not exists (select 1 from environments e where e.id = p.environment_id)`
      assert.strictEqual(orphans?.count, 0)
    })
  )

  it.effect("stop at 100 active ones, also for concurrent requests A-PROJ-05", () =>
    Effect.gen(function* () {
      const { other, post } = yield* Api
      const actions = yield* Projects.ProjectActions
      const sql = yield* SqlClient.SqlClient
      const { organization_id } = other
      yield* sql`update organization_counters set active_projects = 98 where organization_id = ${organization_id}`
      const make = (name: string) => post("/v1/projects", { name }, { key: other.sandbox.key })
      const answers = yield* Effect.all(["A", "B", "C", "D", "E"].map(make), { concurrency: "unbounded" })
      assert.strictEqual(answers.filter(({ status }) => status === 201).length, 2)
      assert.deepStrictEqual(told(yield* make("F")), [409, "project_limit_reached", undefined])
      const made = answers.find(({ status }) => status === 201)?.body.id
      yield* actions.archive(organization_id, made, 1 as RealInstant)
      yield* actions.archive(organization_id, made, 2 as RealInstant)
      assert.strictEqual((yield* make("G")).status, 201)
      assert.strictEqual(
        (yield* Effect.flip(actions.restore(organization_id, made, 3 as RealInstant)))._tag,
        "project_limit_reached"
      )
      yield* actions.remove(organization_id, made, 4 as RealInstant)
      assert.deepStrictEqual(told(yield* make("H")), [409, "project_limit_reached", undefined])
    })
  )

  it.effect("honor an optional Idempotency-Key A-IDEM-13 A-IDEM-04 A-IDEM-05", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const send = () => post("/v1/projects", { name: "Once" }, { key: acme.sandbox.key, idempotencyKey: "once" })
      const first = yield* send()
      const second = yield* send()
      assert.deepStrictEqual([second.status, second.text], [201, first.text])
      assert.strictEqual(second.headers["svc-idempotent-replayed"], "true")
      const list = yield* get("/v1/projects?limit=50", { key: acme.sandbox.key })
      assert.strictEqual(list.body.data.filter(({ name }: { name: string }) => name === "Once").length, 1)
    })
  )

  it.effect("are listed newest first, active ones of the organization only A-PROJ-15 A-PROJ-16 A-PROJ-17", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const actions = yield* Projects.ProjectActions
      yield* turnBy(1000)
      const older = yield* post("/v1/projects", { name: "Older" }, { key: acme.sandbox.key })
      yield* turnBy(1000)
      const hidden = yield* post("/v1/projects", { name: "Hidden" }, { key: acme.sandbox.key })
      yield* turnBy(1000)
      const newer = yield* post("/v1/projects", { name: "Newer" }, { key: acme.sandbox.key })
      yield* actions.archive(acme.organization_id, hidden.body.id, 1 as RealInstant)
      const page = yield* get("/v1/projects?limit=1", { key: acme.production.key })
      assert.deepStrictEqual([page.body.data[0].id, page.body.has_more], [newer.body.id, true])
      const rest = yield* get(`/v1/projects?limit=50&starting_after=${page.body.next_cursor}`, {
        key: acme.production.key
      })
      assert.strictEqual(rest.body.data[0].id, older.body.id)
      assert.include(rest.text, acme.sibling.id)
      assert.notInclude(rest.text, hidden.body.id)
      yield* actions.restore(acme.organization_id, hidden.body.id, 2 as RealInstant)
      const shown = yield* get("/v1/projects?limit=2", { key: acme.production.key })
      assert.strictEqual(shown.body.data[1].id, hidden.body.id)
    })
  )

  it.effect("refuse a list query that breaks the contract A-PROJ-15 A-PROJ-18", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      for (const [query, param] of [
        ["limit=51", "limit"],
        ["limit=0", "limit"],
        ["limit=x", "limit"],
        ["status=archived", "status"]
      ]) {
        const answer = yield* get(`/v1/projects?${query}`, { key: acme.sandbox.key })
        assert.deepStrictEqual(told(answer), [400, "invalid_project_body", param])
      }
      const cursor = yield* get("/v1/projects?starting_after=abc", { key: acme.sandbox.key })
      assert.deepStrictEqual(told(cursor), [400, "invalid_cursor", "starting_after"])
    })
  )

  it.effect("answer one 404 for a missing, archived, deleted or foreign id A-PROJ-13 A-PROJ-20", () =>
    Effect.gen(function* () {
      const { acme, get, other } = yield* Api
      const actions = yield* Projects.ProjectActions
      const archived = yield* seedProject(acme.organization_id, "old-one")
      const deleted = yield* seedProject(acme.organization_id, "gone-one")
      yield* actions.archive(acme.organization_id, archived.id, 1 as RealInstant)
      yield* actions.remove(acme.organization_id, deleted.id, 1 as RealInstant)
      for (const id of ["prj_x", "%00", archived.id, deleted.id, other.project.id]) {
        const answer = yield* get(`/v1/projects/${id}`, { key: acme.sandbox.key })
        assert.deepStrictEqual(told(answer), [404, "project_not_found", undefined], id)
      }
      const foreign = yield* Effect.flip(actions.archive(acme.organization_id, other.project.id, 1 as RealInstant))
      assert.strictEqual(foreign._tag, "project_not_found")
    })
  )

  it.effect("of a removed organization answer organization_not_found on create only A-PROJ-12", () =>
    Effect.gen(function* () {
      const { get, other, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { organization_id } = other
      yield* sql`update organizations set removed_at = created_at where id = ${organization_id}`
      yield* sql`update projects set deleted_at = created_at where id = ${other.project.id}`
      const make = yield* post("/v1/projects", { name: "x" }, { key: other.sandbox.key })
      assert.deepStrictEqual(told(make), [404, "organization_not_found", undefined])
      const list = yield* get("/v1/projects", { key: other.sandbox.key })
      assert.deepStrictEqual(told(list), [404, "project_not_found", undefined])
    })
  )
})
