import { Commit } from "@carteiro/owners/Commit.ts"
import * as Projects from "@carteiro/runtime/projects/room.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type Answer, Api, ApiTest } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { served } from "../support/ServedRooms.ts"
import { seedKey, seedProject, type TestEnvironment } from "../support/Tenants.ts"
import { told } from "../support/Told.ts"
import { lockWaiters, until } from "../support/Until.ts"

const conflict = [409, "idempotency_key_conflict", undefined]
const inProgress = [409, "idempotency_key_in_progress", undefined]
const asked = { name: "worker", environment: "sandbox", scopes: ["messages:read"] }

const create = (environment: Pick<TestEnvironment, "key">, idempotencyKey: string, body: unknown = asked) =>
  Effect.flatMap(Api, ({ post }) => post("/v1/api-keys", body, { key: environment.key, idempotencyKey }))

const activeKeys = (environmentId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ counted: number; n: number }>`select c.active_api_keys as counted,
          (select count(*)::int4 from api_keys k where k.environment_id = c.environment_id and k.status = 'active') as n
        from environment_counters c where c.environment_id = ${environmentId}`,
      ([row]) => {
        assert.strictEqual(row?.counted, row?.n)
        return row?.n ?? 0
      }
    )
  )

const replayed = ({ headers }: Answer) => headers["svc-idempotent-replayed"] === "true"

/** Ends the window of every record of an environment, and the lease of what opened it. */
const endWindows = Effect.fnUntraced(function* (environmentId: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update idempotency_records set expires_at = created_at where environment_id = ${environmentId}`
  yield* turnBy(60_001)
})

const Step = Schema.Union([
  Schema.TaggedStruct("Send", {
    key: Schema.Literals(["a", "b"]),
    caller: Schema.Literals([0, 1]),
    body: Schema.Literals([0, 1]),
    copies: Schema.Literals([1, 2, 3])
  }),
  Schema.TaggedStruct("SendRefused", { key: Schema.Literals(["a", "b"]), caller: Schema.Literals([0, 1]) }),
  Schema.TaggedStruct("EndWindows", {})
])
const Steps = Schema.Array(Step).check(Schema.isMaxLength(8))

it.layer(ApiTest(served(Projects.room), Layer.empty), { excludeTestServices: true })("Idempotency", (it) => {
  it.effect.prop(
    "each key and body have one effect, whatever is sent, how often and how concurrently A-IDEM-04 A-IDEM-05 A-IDEM-06 A-IDEM-09",
    [Steps],
    ([steps]) =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const { sandbox } = yield* seedProject(acme.organization_id, `model-${++models}`)
        const callers = [sandbox, yield* seedKey(sandbox)] as const
        const records = new Map<string, { readonly body: number; readonly text: string }>()
        let made = 2
        for (const step of steps) {
          if (step._tag === "EndWindows") {
            yield* endWindows(sandbox.id)
            records.clear()
            continue
          }
          const name = `${step.caller}/${step.key}`
          const record = records.get(name)
          if (step._tag === "SendRefused") {
            const refused = yield* create(callers[step.caller], step.key, { ...asked, project_id: "prj_none" })
            assert.deepStrictEqual(
              told(refused),
              record === undefined ? [404, "project_not_found", undefined] : conflict
            )
            continue
          }
          const { body } = step
          const send = create(callers[step.caller], step.key, { ...asked, name: `body ${body}` })
          const answers = yield* Effect.all(Array(step.copies).fill(send) as Array<typeof send>, {
            concurrency: "unbounded"
          })
          if (record !== undefined && record.body !== body) {
            for (const answer of answers) assert.deepStrictEqual(told(answer), conflict)
            continue
          }
          const fresh = answers.filter((answer) => answer.status === 201 && !replayed(answer))
          assert.strictEqual(fresh.length, record === undefined ? 1 : 0)
          const text = record?.text ?? fresh[0]?.text ?? ""
          for (const answer of answers) {
            if (answer.status === 201) assert.strictEqual(answer.text, text)
            else assert.deepStrictEqual([record, ...told(answer)], [undefined, ...inProgress])
          }
          if (record === undefined) made++
          records.set(name, { body, text })
        }
        assert.strictEqual(yield* activeKeys(sandbox.id), made)
      }),
    { arbitrary: { runs: 25 } }
  )

  it.effect(
    "answers in_progress while the first request runs, and replays its answer afterwards A-IDEM-07 A-IDEM-12",
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const commit = yield* Commit
        const { sandbox } = yield* seedProject(acme.organization_id, "in-progress")
        const first = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select 1 from environment_counters where environment_id = ${sandbox.id} for update`
            const running = yield* Effect.forkChild(create(sandbox, "slow"))
            // The key's commit is held by the lock above; until it waits there, the request is still on its way.
            yield* until(Effect.map(lockWaiters, (waiting) => waiting === 1 && commit.pending() > 0))
            const second = yield* create(sandbox, "slow")
            assert.deepStrictEqual(told(second), inProgress)
            assert.strictEqual(second.body.error.type, "idempotency_conflict")
            assert.deepStrictEqual(told(yield* create(sandbox, "slow", { ...asked, name: "other" })), conflict)
            return running
          })
        )
        const answer = yield* Fiber.join(first)
        assert.strictEqual(answer.status, 201)
        const replay = yield* create(sandbox, "slow")
        assert.deepStrictEqual([replay.text, replayed(replay)], [answer.text, true])
        assert.strictEqual(yield* activeKeys(sandbox.id), 2)
      })
  )

  it.effect("stays in progress until the window ends when work was interrupted A-IDEM-08 A-IDEM-09", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { sandbox } = yield* seedProject(acme.organization_id, "interrupted")
      const first = yield* create(sandbox, "cut")
      yield* sql`update idempotency_records set status = 'in_progress', response_status = null, response_body = null
        where environment_id = ${sandbox.id}`
      yield* turnBy(60_001)
      assert.deepStrictEqual(told(yield* create(sandbox, "cut")), inProgress)
      yield* endWindows(sandbox.id)
      const fresh = yield* create(sandbox, "cut")
      assert.strictEqual(fresh.status, 201)
      assert.notStrictEqual(fresh.body.id, first.body.id)
    })
  )

  it.effect("keeps a record for 24 hours, with its response sealed A-IDEM-03", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { sandbox } = yield* seedProject(acme.organization_id, "sealed")
      const { body } = yield* create(sandbox, "sealed-key")
      const [row] = yield* sql<{ window: number; body: string; row: string }>`select
          (extract(epoch from expires_at - created_at))::int4 as window,
          encode(response_body, 'escape') as body, i::text as row
        from idempotency_records i where environment_id = ${sandbox.id}`
      assert.strictEqual(row?.window, 86_400)
      for (const part of [body.secret, body.id]) assert.notInclude(row?.body ?? "", part)
      for (const part of ["sealed-key", "worker"]) assert.notInclude(row?.row ?? "", part)
    })
  )

  it.effect(
    "replays the first answer after the resource has changed, with the first trace id A-IDEM-04 A-IDEM-14",
    () =>
      Effect.gen(function* () {
        const { acme, delete: remove, get } = yield* Api
        const first = yield* create(acme.sandbox, "changed")
        yield* remove(`/v1/api-keys/${first.body.id}`, { key: acme.sandbox.key })
        const replay = yield* create(acme.sandbox, "changed")
        assert.deepStrictEqual([replay.status, replay.text], [201, first.text])
        assert.strictEqual(replay.body.status, "active")
        assert.notStrictEqual(replay.headers["svc-trace-id"], replay.body.trace_id)
        assert.notStrictEqual(replay.headers["svc-request-id"], first.headers["svc-request-id"])
        assert.strictEqual((yield* get("/v1/me", { key: replay.body.secret })).status, 401)
      })
  )

  it.effect(
    "treats bodies as equal whatever their spacing and order, and null as different from absent A-IDEM-04 A-IDEM-06",
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const first = yield* create(acme.sandbox, "canonical", '{"name":"n","environment":"sandbox","scopes":[]}')
        const again = yield* create(
          acme.sandbox,
          "canonical",
          ' {"scopes": [],\n"environment":"sandbox","name":"\\u006e"}'
        )
        assert.deepStrictEqual([again.status, again.text], [201, first.text])
        const nulled = '{"name":"n","environment":"sandbox","scopes":[],"expires_at":null}'
        assert.deepStrictEqual(told(yield* create(acme.sandbox, "canonical", nulled)), conflict)
      })
  )

  it.effect("binds a secret to the key that created it, and other answers to the environment A-IDEM-05 A-IDEM-13", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const second = yield* seedKey(acme.sandbox)
      const mine = yield* create(acme.sandbox, "bound")
      const theirs = yield* create(second, "bound")
      assert.strictEqual(theirs.status, 201)
      assert.notStrictEqual(theirs.body.id, mine.body.id)
      const project = (key: string) => post("/v1/projects", { name: "Bound" }, { key, idempotencyKey: "bound" })
      const first = yield* project(acme.sandbox.key)
      assert.strictEqual((yield* project(second.key)).text, first.text)
      assert.notStrictEqual((yield* project(acme.production.key)).body.id, first.body.id)
    })
  )

  it.effect("replays a rotation to its caller, and to no caller after that caller's own secret is gone A-IDEM-05", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const target = yield* seedKey(acme.sandbox, { scopes: [] })
      const rotate = (id: string, key: string) =>
        post(`/v1/api-keys/${id}/rotate`, undefined, { key, idempotencyKey: "turn" })
      const first = yield* rotate(target.key_id, acme.sandbox.key)
      assert.strictEqual((yield* rotate(target.key_id, acme.sandbox.key)).text, first.text)
      const other = yield* seedKey(acme.sandbox, { scopes: [] })
      assert.deepStrictEqual(told(yield* rotate(other.key_id, acme.sandbox.key)), conflict)
      const self = yield* seedKey(acme.sandbox)
      assert.strictEqual((yield* rotate(self.key_id, self.key)).status, 200)
      assert.strictEqual((yield* rotate(self.key_id, self.key)).status, 401)
    })
  )

  it.effect("frees a key after a refusal without effect A-IDEM-05", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { sandbox, id } = yield* seedProject(acme.organization_id, "refusing")
      const narrow = yield* seedKey(sandbox, { scopes: ["api_keys:admin"] })
      assert.strictEqual((yield* create(narrow, "fixed")).status, 400)
      assert.strictEqual((yield* create(narrow, "fixed", { ...asked, scopes: 1 })).status, 400)
      yield* sql`update projects set archived_at = created_at where id = ${id}`
      assert.strictEqual((yield* create(narrow, "fixed", { ...asked, scopes: [] })).status, 404)
      yield* sql`update projects set archived_at = null where id = ${id}`
      yield* sql`update environment_counters set active_api_keys = 100 where environment_id = ${sandbox.id}`
      const full = yield* create(narrow, "fixed", { ...asked, scopes: [] })
      assert.deepStrictEqual(told(full), [409, "api_key_limit_reached", undefined])
      yield* sql`update environment_counters set active_api_keys = 2 where environment_id = ${sandbox.id}`
      const made = yield* create(narrow, "fixed", { ...asked, scopes: [] })
      assert.deepStrictEqual([made.status, replayed(made)], [201, false])
    })
  )

  it.effect("reports a fault of the body before one of the key A-IDEM-06 A-IDEM-07 A-ERR-08", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { sandbox } = yield* seedProject(acme.organization_id, "body-first")
      const narrow = yield* seedKey(sandbox, { scopes: ["api_keys:admin"] })
      assert.strictEqual((yield* create(narrow, "used", { ...asked, scopes: [] })).status, 201)
      const wrong = [
        [{ ...asked, environment: "production" }, "environment"],
        [asked, "scopes.0"],
        [{ ...asked, scopes: [], expires_at: "2025-01-01T00:00:00Z" }, "expires_at"]
      ] as const
      const refuseAll = Effect.gen(function* () {
        for (const [body, param] of wrong) {
          assert.deepStrictEqual(told(yield* create(narrow, "used", body)), [400, "invalid_api_key_request", param])
        }
      })
      yield* refuseAll
      yield* sql`update idempotency_records set status = 'in_progress' where environment_id = ${sandbox.id}`
      yield* refuseAll
    })
  )

  it.effect("replays a create whose expires_at has passed since A-IDEM-04", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const soon = { ...asked, expires_at: new Date((yield* Clock.currentTimeMillis) + 1000).toISOString() }
      const first = yield* create(acme.sandbox, "soon past", soon)
      yield* turnBy(2000)
      const replay = yield* create(acme.sandbox, "soon past", soon)
      assert.deepStrictEqual([replay.status, replay.text], [201, first.text])
      assert.strictEqual((yield* create(acme.sandbox, "fresh", soon)).status, 400)
    })
  )

  it.effect("checks the present rights of the replaying caller A-IDEM-04", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const caller = yield* seedKey(acme.sandbox)
      yield* create(caller, "rights")
      yield* sql`update api_keys set scopes = '["messages:read"]' where id = ${caller.key_id}`
      assert.deepStrictEqual(told(yield* create(caller, "rights")), [403, "insufficient_scope", undefined])
      yield* sql`update api_keys set status = 'revoked', revoked_at = created_at where id = ${caller.key_id}`
      assert.deepStrictEqual(told(yield* create(caller, "rights")), [401, "authentication_error", undefined])
    })
  )

  it.effect("has no effect on operations that do not honor it A-IDEM-01 A-IDEM-02", () =>
    Effect.gen(function* () {
      const { acme, get, patch } = yield* Api
      const { key_id } = yield* seedKey(acme.sandbox)
      const rename = (name: string, idempotencyKey: string) =>
        patch(`/v1/api-keys/${key_id}`, { name }, { key: acme.sandbox.key, idempotencyKey })
      assert.strictEqual((yield* rename("first", "same")).body.name, "first")
      assert.strictEqual((yield* rename("second", "same")).body.name, "second")
      assert.strictEqual((yield* rename("third", "x".repeat(300))).body.name, "third")
      assert.strictEqual((yield* get("/v1/me", { key: acme.sandbox.key, idempotencyKey: "same" })).status, 200)
      const twice = { key: acme.sandbox.key, headers: { "Idempotency-Key-2": "same" } }
      assert.strictEqual((yield* get("/v1/me", twice)).status, 200)
    })
  )

  it.effect(
    "takes 1 to 255 printable characters once; a blank key counts as absent where it is optional A-IDEM-02",
    () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const invalid = [400, "invalid_idempotency_key", "Idempotency-Key"]
        for (const key of ["x".repeat(256), "caf\u00e9", "tab\there"]) {
          assert.deepStrictEqual(told(yield* create(acme.sandbox, key)), invalid)
        }
        const twice = yield* post("/v1/api-keys", asked, {
          key: acme.sandbox.key,
          headers: { "idempotency-key": ["a", "b"] }
        })
        assert.deepStrictEqual(told(twice), invalid)
        const blank = [yield* create(acme.sandbox, "  "), yield* create(acme.sandbox, "  ")]
        assert.notStrictEqual(blank[0]?.body.id, blank[1]?.body.id)
        const longest = yield* create(acme.sandbox, "x".repeat(255))
        assert.strictEqual((yield* create(acme.sandbox, `  ${"x".repeat(255)} `)).text, longest.text)
      })
  )
})

let models = 0
