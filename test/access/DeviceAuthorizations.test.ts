import { type Decider, DeviceApprovals } from "@carteiro/runtime/access/devices/DeviceApprovals.ts"
import { room as accessRoom } from "@carteiro/runtime/access/room.ts"
import { standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { deviceGrantType } from "@carteiro/schema/access/DeviceAuthorization.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedProject, type TestTenant } from "../support/Tenants.ts"
import { told } from "../support/Told.ts"
import { lockWaiters, until } from "../support/Until.ts"

const route = "/v1/agent-api-key-device-authorizations"
const asked = { client_name: "Terminal", environment: "sandbox", scopes: ["messages:read", "messages:write"] }

const create = (more: object = {}) => Effect.flatMap(Api, ({ post }) => post(route, { ...asked, ...more }))
const poll = (device_code: string, more: object = {}) =>
  Effect.flatMap(Api, ({ post }) => post(`${route}/token`, { grant_type: deviceGrantType, device_code, ...more }))
const decider = (tenant: TestTenant): Decider => ({
  organization_id: tenant.organization_id,
  member_id: tenant.owner.id
})
const approve = Effect.fnUntraced(function* (
  started: { readonly body: { readonly user_code: string } },
  scopes: ReadonlyArray<string> = asked.scopes,
  projectId?: string
) {
  const { acme } = yield* Api
  const approvals = yield* DeviceApprovals
  const now = yield* Clock.currentTimeMillis
  const open = yield* approvals.findOpen(started.body.user_code, now)
  assert.isDefined(open)
  const choice = { project_id: projectId ?? acme.project.id, scopes }
  return yield* approvals.approve(open?.id ?? "", decider(acme), choice, now)
})
const invalidCode = [400, "invalid_device_code", "device_code"]

it.layer(ApiTest(Layer.empty, Layer.empty), { excludeTestServices: true })("Device authorization", (it) => {
  it.effect("starts without a key and returns the codes A-DEV-01 A-DEV-02 A-DEV-07 A-DEV-08 A-DEV-09 A-DEV-10", () =>
    Effect.gen(function* () {
      const { body, status } = yield* create()
      assert.strictEqual(status, 201)
      assert.match(body.id, /^dva_[0-9a-z]{26}$/)
      assert.match(body.device_code, /^dvc_[A-Za-z0-9_-]{43}$/)
      assert.match(body.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
      assert.deepStrictEqual(body, {
        id: body.id,
        object: "agent_api_key_device_authorization",
        device_code: body.device_code,
        user_code: body.user_code,
        verification_uri: "http://127.0.0.1:8080/dashboard/device",
        verification_uri_complete: `http://127.0.0.1:8080/dashboard/device?user_code=${body.user_code}`,
        expires_in: 900,
        interval: 5,
        trace_id: body.trace_id
      })
    })
  )

  it.effect("stores the device code as a hash only A-DEV-07", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { body } = yield* create()
      const rows = yield* sql`select d::text as row from device_authorizations d where id = ${body.id}`
      assert.notInclude(JSON.stringify(rows), body.device_code.slice(4))
    })
  )

  it.effect("ignores an Authorization header on both routes A-DEV-01 A-DEV-12 A-AUTH-01", () =>
    Effect.gen(function* () {
      const { post } = yield* Api
      const options = { key: "nonsense" }
      const started = yield* post(route, asked, options)
      assert.strictEqual(started.status, 201)
      const body = { grant_type: deviceGrantType, device_code: started.body.device_code }
      assert.strictEqual((yield* post(`${route}/token`, body, options)).status, 202)
    })
  )

  it.effect("refuses a body that breaks the contract A-DEV-03 A-DEV-04 A-DEV-05 A-DEV-06 A-DEV-13 A-DEV-14", () =>
    Effect.gen(function* () {
      for (const [more, param] of [
        [{ client_name: "" }, "client_name"],
        [{ client_name: "x".repeat(81) }, "client_name"],
        [{ environment: "staging" }, "environment"],
        [{ scopes: undefined }, "scopes"],
        [{ scopes: ["api_keys:admin"] }, "scopes.0"],
        [{ expires_at: "2025-01-01T00:00:00Z" }, "expires_at"],
        [{ project_id: "prj_x" }, "project_id"],
        [{ project_id: "prj_x", expires_at: "2025-01-01T00:00:00Z" }, "expires_at"]
      ] as const) {
        const answer = yield* create(more)
        assert.deepStrictEqual(told(answer), [400, "invalid_device_authorization_request", param])
      }
      const invalid = (param: string) => [400, "invalid_device_authorization_request", param]
      assert.deepStrictEqual(told(yield* poll("dvc_x", { grant_type: "password" })), invalid("grant_type"))
      assert.deepStrictEqual(told(yield* poll("dvc_x", { grant_type: undefined })), invalid("grant_type"))
      assert.deepStrictEqual(told(yield* poll("")), invalid("device_code"))
    })
  )

  it.effect("answers 202 with the remaining time before a decision A-DEV-15", () =>
    Effect.gen(function* () {
      const { body } = yield* create()
      yield* turnBy(7000)
      const waiting = yield* poll(body.device_code, { client_id: "ignored" })
      assert.strictEqual(waiting.status, 202)
      assert.deepStrictEqual(waiting.body, {
        object: "agent_api_key_device_authorization_status",
        status: "pending",
        interval: 5,
        expires_in: 893,
        trace_id: waiting.body.trace_id
      })
    })
  )

  it.effect(
    "returns the key once after approval, bound to the chosen project A-DEV-16 A-DEV-17 A-DEV-19 A-DEV-20",
    () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const started = yield* create({ expires_at: "2027-01-01T00:00:00Z" })
        assert.strictEqual(yield* approve(started, ["messages:read", "billing:write"], acme.sibling.id), "done")
        const { status, body } = yield* poll(started.body.device_code)
        assert.strictEqual(status, 200)
        assert.strictEqual(body.object, "agent_api_key_device_authorization_token")
        const { secret, ...key } = body.api_key
        assert.match(secret, /^svc_sbx_/)
        assert.deepInclude(key, {
          name: "Terminal",
          kind: "agent",
          scopes: ["messages:read"],
          environment: "sandbox",
          status: "active",
          expires_at: "2027-01-01T00:00:00.000Z"
        })
        assert.deepStrictEqual(
          body.preflight.checks.map(({ code, status }: { code: string; status: string }) => [code, status]),
          [
            ["organization_active", "pass"],
            ["project_active", "pass"],
            ["scopes_granted", "warn"],
            ["credit_available", "skipped"],
            ["sender_available", "skipped"],
            ["webhook_endpoint_present", "warn"]
          ]
        )
        assert.isTrue(body.preflight.ready)
        const account = yield* get("/v1/account", { key: secret })
        assert.strictEqual(account.body.environment.id, acme.sibling.sandbox.id)
        yield* turnBy(5000)
        const again = yield* poll(started.body.device_code)
        assert.deepStrictEqual(told(again), invalidCode)
        assert.notInclude(again.text, "svc_sbx_")
      })
  )

  it.effect("gives the key to one of many simultaneous polls A-DEV-17 A-DEV-24", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const started = yield* create()
      yield* approve(started)
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => poll(started.body.device_code)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400, 400, 400])
      const won = answers.find(({ status }) => status === 200)
      for (const answer of answers) if (answer !== won) assert.deepStrictEqual(told(answer), invalidCode)
      const rows = yield* sql<{ n: number }>`select count(*)::int4 as n from api_keys
        where id = ${won?.body.api_key.id} or (kind = 'agent' and created_at = ${won?.body.api_key.created_at})`
      assert.strictEqual(rows[0]?.n, 1)
    })
  )

  it.effect("refuses an unknown code A-DEV-21", () =>
    Effect.gen(function* () {
      for (const code of ["dvc_none", "\u0000", `dvc_${"A".repeat(43)}`]) {
        assert.deepStrictEqual(told(yield* poll(code)), invalidCode)
      }
    })
  )

  it.effect("expires after 15 minutes, approved or not A-DEV-11 A-DEV-22 A-DEV-24", () =>
    Effect.gen(function* () {
      const pending = yield* create()
      const approved = yield* create()
      yield* approve(approved)
      yield* turnBy(899_999)
      assert.strictEqual((yield* poll(pending.body.device_code)).status, 202)
      yield* turnBy(1)
      const expired = [400, "device_code_expired", "device_code"]
      for (const { body } of [pending, approved, pending]) {
        assert.deepStrictEqual(told(yield* poll(body.device_code)), expired)
      }
      const approvals = yield* DeviceApprovals
      const now = yield* Clock.currentTimeMillis
      assert.isUndefined(yield* approvals.findOpen(pending.body.user_code, now))
      assert.strictEqual(yield* approveId(pending.body.id), "gone")
      assert.deepStrictEqual(told(yield* poll(pending.body.device_code)), expired)
    })
  )

  it.effect("ends in authorization_denied after a refusal, expired or not A-DEV-23 A-DEV-24", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const approvals = yield* DeviceApprovals
      const started = yield* create()
      const now = yield* Clock.currentTimeMillis
      const open = yield* approvals.findOpen(started.body.user_code.toLowerCase().replace("-", ""), now)
      assert.strictEqual(yield* approvals.deny(open?.id ?? "", decider(acme), now), "done")
      assert.strictEqual(yield* approveId(open?.id ?? ""), "gone")
      const denied = [403, "authorization_denied", undefined]
      assert.deepStrictEqual(told(yield* poll(started.body.device_code)), denied)
      yield* turnBy(900_000)
      assert.deepStrictEqual(told(yield* poll(started.body.device_code)), denied)
    })
  )

  it.effect("is decided for projects of the approver's organization alone A-DEV-19", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const approvals = yield* DeviceApprovals
      const started = yield* create()
      const now = yield* Clock.currentTimeMillis
      const id = (yield* approvals.findOpen(started.body.user_code, now))?.id ?? ""
      const choice = (project_id: string) => ({ project_id, scopes: asked.scopes })
      const by = decider(acme)
      for (const project of [other.project.id, "prj_\u0000"]) {
        assert.strictEqual(yield* approvals.approve(id, by, choice(project), now), "project_not_found")
      }
      assert.strictEqual(yield* approvals.approve("\u0000", by, choice(acme.project.id), now), "gone")
      assert.strictEqual(yield* approvals.deny("\u0000", by, now), "gone")
      const archived = yield* seedProject(acme.organization_id, "device-archived")
      yield* sql`update projects set archived_at = created_at where id = ${archived.id}`
      assert.strictEqual(yield* approvals.approve(id, by, choice(archived.id), now), "project_not_found")
      assert.strictEqual((yield* poll(started.body.device_code)).status, 202)
      assert.strictEqual(yield* approvals.approve(id, decider(acme), choice(acme.project.id), now), "done")
    })
  )

  it.effect("mints no key when the approval no longer holds, then or later A-DEV-24", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const project = yield* seedProject(acme.organization_id, "fleeting")
      const at = new Date(0)
      const { organization_id, owner } = acme
      const upsets = [
        [
          sql`update members set role = 'member' where id = ${owner.id}`,
          sql`update members set role = 'owner' where id = ${owner.id}`
        ],
        [
          sql`update members set active = false where id = ${owner.id}`,
          sql`update members set active = true where id = ${owner.id}`
        ],
        [
          sql`update organizations set suspended_at = ${at} where id = ${organization_id}`,
          sql`update organizations set suspended_at = null where id = ${organization_id}`
        ],
        [
          sql`update projects set archived_at = ${at} where id = ${project.id}`,
          sql`update projects set archived_at = null where id = ${project.id}`
        ]
      ] as const
      for (const [upset, mend] of upsets) {
        const started = yield* create()
        assert.strictEqual(yield* approve(started, asked.scopes, project.id), "done")
        yield* upset
        const denied = [403, "authorization_denied", undefined]
        assert.deepStrictEqual(told(yield* poll(started.body.device_code)), denied)
        yield* mend
        assert.deepStrictEqual(told(yield* poll(started.body.device_code)), denied)
      }
    })
  )

  it.effect("mints no key when the project is archived at the moment of the poll, then or later A-DEV-24", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const project = yield* seedProject(acme.organization_id, "just-archived")
      const started = yield* create()
      yield* approve(started, asked.scopes, project.id)
      const polling = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select 1 from environment_counters where environment_id = ${project.sandbox.id} for update`
          const running = yield* Effect.forkChild(poll(started.body.device_code))
          // The poll has looked at the approval; its commit waits for the lock above.
          yield* until(Effect.map(lockWaiters, (waiting) => waiting === 1))
          yield* sql`update projects set archived_at = created_at where id = ${project.id}`
          return running
        })
      )
      const denied = [403, "authorization_denied", undefined]
      assert.deepStrictEqual(told(yield* Fiber.join(polling)), denied)
      yield* sql`update projects set archived_at = null where id = ${project.id}`
      assert.deepStrictEqual(told(yield* poll(started.body.device_code)), denied)
    })
  )

  it.effect("waits for a free place when the environment has its maximum of keys A-DEV-16", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const project = yield* seedProject(acme.organization_id, "full")
      const started = yield* create()
      yield* approve(started, asked.scopes, project.id)
      yield* sql`update environment_counters set active_api_keys = 100 where environment_id = ${project.sandbox.id}`
      assert.deepStrictEqual(told(yield* poll(started.body.device_code)), [409, "api_key_limit_reached", undefined])
      yield* sql`update environment_counters set active_api_keys = 99 where environment_id = ${project.sandbox.id}`
      assert.strictEqual((yield* poll(started.body.device_code)).status, 200)
    })
  )

  it.effect("slows a client that polls too fast, up to 60 seconds, with half a second of tolerance A-DEV-15", () =>
    Effect.gen(function* () {
      const { body } = yield* create()
      assert.strictEqual((yield* poll(body.device_code)).status, 202)
      yield* turnBy(4500)
      assert.strictEqual((yield* poll(body.device_code)).status, 202)
      yield* turnBy(4499)
      const early = yield* poll(body.device_code)
      assert.deepStrictEqual(told(early), [429, "slow_down", undefined])
      assert.strictEqual(early.body.error.type, "rate_limited")
      assert.strictEqual(early.body.error.retry_after_ms, 10_000)
      assert.strictEqual(early.headers["retry-after"], "10")
      yield* turnBy(9500)
      assert.strictEqual((yield* poll(body.device_code)).body.interval, 10)
      let wait = 0
      for (let i = 0; i < 12; i++) wait = (yield* poll(body.device_code)).body.error.retry_after_ms
      assert.strictEqual(wait, 60_000)
    })
  )

  it.effect("accepts one of many simultaneous polls, and slows down for each of the others A-DEV-15", () =>
    Effect.gen(function* () {
      const { body } = yield* create()
      const polls = Array.from({ length: 5 }, () => poll(body.device_code))
      const answers = yield* Effect.all(polls, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [202, 429, 429, 429, 429])
      const waits = answers.map(({ body }) => body.error?.retry_after_ms ?? 0)
      assert.deepStrictEqual(
        waits.sort((a, b) => a - b),
        [0, 10_000, 15_000, 20_000, 25_000]
      )
    })
  )

  it.effect("deletes its records after 24 hours A-DEV-21", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { body } = yield* create()
      const now = yield* Clock.currentTimeMillis
      yield* sql`update device_authorizations set created_at = ${new Date(now - 86_400_000)} where id = ${body.id}`
      assert.deepStrictEqual(told(yield* poll(body.device_code)), invalidCode)
      for (const { run } of accessRoom.jobs) yield* run
      const left = yield* sql`select id from device_authorizations where id = ${body.id}`
      assert.deepStrictEqual(left, [])
    })
  )
})

const approveId = Effect.fnUntraced(function* (id: string) {
  const { acme } = yield* Api
  const approvals = yield* DeviceApprovals
  const now = yield* Clock.currentTimeMillis
  return yield* approvals.approve(id, decider(acme), { project_id: acme.project.id, scopes: asked.scopes }, now)
})

const limited = ApiTest(Layer.empty, Layer.empty, { rates: standardRates })

it.layer(limited, { excludeTestServices: true })("Device authorization under its limits", (it) => {
  it.effect("limits creates and polls per source address A-DEV-01 A-DEV-12", () =>
    Effect.gen(function* () {
      for (let i = 0; i < 5; i++) assert.strictEqual((yield* create()).status, 201)
      const over = yield* create()
      assert.deepStrictEqual(told(over), [429, "rate_limited", undefined])
      assert.strictEqual(over.body.error.retry_after_ms, 180_000)
      for (let i = 0; i < 60; i++) assert.strictEqual((yield* poll("dvc_none")).status, 400)
      assert.deepStrictEqual(told(yield* poll("dvc_none")), [429, "rate_limited", undefined])
      yield* turnBy(180_000)
      assert.strictEqual((yield* create()).status, 201)
      assert.strictEqual((yield* poll("dvc_none")).status, 400)
    })
  )
})
