import { triesAgainAt } from "@carteiro/runtime/provider-connections/numprov/NumprovState.ts"
import { NumprovConnection, NumprovOperation } from "@carteiro/schema/provider-connections/NumprovConnection.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Answer } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { tellSigned } from "../support/ProviderSignature.ts"
import { seedKey } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { type Mishap, NumprovWorld, numprovStage } from "./NumprovWorld.ts"

const world = new NumprovWorld()
const stack = WholeProduct({ sweeps: false, vendors: world.layer })
const isConnection = Schema.is(NumprovConnection)
const isOperation = Schema.is(NumprovOperation)
const named = { display_name: " Our numbers " }
const refusal = ({ body, status }: Answer) => [status, body.error?.code, body.error?.param]

interface Outcome {
  readonly mishaps: ReadonlyArray<Mishap>
  readonly code: string | null
  readonly turns: number
}
const lost = (times: number) => Array.from({ length: times }, (): Mishap => "lost")

it("an operation is tried five times, with growing pauses, and no later than the provider asks", () => {
  assert.deepStrictEqual(
    [1, 2, 3, 4, 5].map((tries) => triesAgainAt(tries, 0, null)),
    [1000, 3000, 9000, 27_000, undefined]
  )
  assert.deepStrictEqual([triesAgainAt(1, 0, 20_000), triesAgainAt(1, 0, 3_600_000)], [20_000, 30_000])
})

it.layer(stack, { excludeTestServices: true })("An account at the number provider", (it) => {
  it.effect(
    'is connected once its key is proven, and its numbers are listed gaps-2 L "Number-provider connections"',
    () =>
      Effect.gen(function* () {
        const { production } = yield* numprovStage
        const account = world.open(5)
        const made = yield* production.post("", { ...named, ...account })
        assert.strictEqual(made.status, 202, made.text)
        assert.isTrue(isConnection(made.body))
        assert.notInclude(made.text, account.api_key)
        const { created_at, id, latest_operation, trace_id: _, ...shown } = made.body
        assert.deepStrictEqual(shown, {
          object: "numprov_connection",
          status: "pending",
          display_name: "Our numbers",
          account_id: account.account_id,
          environment: "production",
          credential_last_four: account.api_key.slice(-4),
          webhook_secret_configured: false,
          last_discovered_at: null,
          updated_at: created_at,
          disconnected_at: null
        })
        assert.isTrue(isOperation(latest_operation))
        assert.deepStrictEqual([latest_operation.kind, latest_operation.status], ["register", "pending"])
        yield* quiesce
        const operation = (yield* production.get(`/${id}/operations/${latest_operation.id}`)).body
        assert.isTrue(isOperation(operation))
        assert.deepStrictEqual([operation.status, operation.error_code], ["succeeded", null])
        assert.isNotNull(operation.completed_at)
        const read = (yield* production.get(`/${id}`)).body
        assert.strictEqual(read.status, "connected")
        assert.isNotNull(read.last_discovered_at)
        assert.strictEqual(read.latest_operation.id, latest_operation.id)
        const first = (yield* production.get(`/${id}/resources?limit=3`)).body
        assert.deepStrictEqual([first.data.length, first.has_more], [3, true])
        const rest = (yield* production.get(`/${id}/resources?limit=3&starting_after=${first.next_cursor}`)).body
        const all = [...first.data, ...rest.data]
        assert.strictEqual(new Set(all.map((one) => one.provider_number_id)).size, 5)
        assert.deepStrictEqual([all[0].object, all[0].status, all[0].sms], ["numprov_resource", "active", true])
        assert.deepStrictEqual(
          (yield* production.get("")).body.data.map((one: { readonly id: string }) => one.id),
          [id]
        )
      })
  )

  it.effect("is registered once per environment, and again after it failed or ended M-IMP-17", () =>
    Effect.gen(function* () {
      const { production, sandbox } = yield* numprovStage
      const account = world.open(1)
      const second = yield* production.post("", { ...named, ...account })
      assert.strictEqual(second.status, 202)
      assert.deepStrictEqual(refusal(yield* production.post("", { ...named, ...account })), [
        409,
        "numprov_connection_already_exists",
        undefined
      ])
      yield* quiesce
      assert.strictEqual((yield* sandbox.post("", { ...named, ...account })).status, 202)
      const { id } = second.body
      const ended = yield* production.post(`/${id}/disconnect`)
      assert.deepStrictEqual(
        [ended.status, ended.body.status, ended.body.webhook_secret_configured],
        [200, "disconnected", false]
      )
      assert.isNotNull(ended.body.disconnected_at)
      const again = yield* production.post(`/${id}/disconnect`)
      assert.deepStrictEqual([again.status, again.body.disconnected_at], [200, ended.body.disconnected_at])
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ readonly gone: boolean }>`select credential is null as gone from numprov_connections
        where id = ${id}`
      assert.isTrue(row?.gone)
      for (const path of ["rotate", "discoveries"]) {
        const refused = yield* production.post(`/${id}/${path}`, path === "rotate" ? { api_key: "next" } : undefined)
        assert.deepStrictEqual(refusal(refused), [409, "numprov_connection_unavailable", undefined])
      }
      assert.strictEqual((yield* production.post("", { ...named, ...account })).status, 202)
      yield* quiesce
    })
  )

  it.effect("shows the provider's answer on the operation, not in the response to its request M-IMP-18", () =>
    Effect.gen(function* () {
      const { calls } = yield* numprovStage
      const outcomes: ReadonlyArray<Outcome> = [
        { mishaps: ["refused"], code: "numprov_credentials_invalid", turns: 0 },
        { mishaps: ["suspended"], code: "numprov_credentials_invalid", turns: 0 },
        { mishaps: lost(5), code: "numprov_provider_unavailable", turns: 45_000 },
        { mishaps: lost(4), code: null, turns: 45_000 }
      ]
      for (const { code, mishaps, turns } of outcomes) {
        const { tenant } = yield* numprovStage
        const production = calls(tenant.production)
        world.mishaps.account.push(...mishaps)
        const made = yield* production.post("", { ...named, ...world.open(1) })
        assert.strictEqual(made.status, 202)
        yield* quiesce
        if (turns > 0) yield* turnBy(turns)
        const operation = (yield* production.get(`/${made.body.id}/operations/${made.body.latest_operation.id}`)).body
        assert.deepStrictEqual([operation.status, operation.error_code], [code === null ? "succeeded" : "failed", code])
        if (code === null) continue
        // A failed account does not block another registration.
        assert.strictEqual((yield* production.get(`/${made.body.id}`)).body.status, "failed")
        assert.strictEqual((yield* production.post("", { ...named, ...world.open(1) })).status, 202)
        yield* quiesce
      }
      // A key that reaches another account than the registered one proves nothing.
      const { tenant } = yield* numprovStage
      const other = calls(tenant.production)
      const made = yield* other.post("", { ...named, ...world.open(1), account_id: "acc_other" })
      yield* quiesce
      const read = (yield* other.get(`/${made.body.id}`)).body
      assert.deepStrictEqual([read.status, read.latest_operation.error_code], ["failed", "numprov_credentials_invalid"])
    })
  )

  it.effect("takes another key once it is proven, and keeps the present one otherwise M-CONN-34", () =>
    Effect.gen(function* () {
      const { production } = yield* numprovStage
      const account = world.open(1)
      const { id } = (yield* production.post("", { ...named, ...account })).body
      yield* quiesce
      const refused = yield* production.post(`/${id}/rotate`, { api_key: "nobody's" })
      assert.deepStrictEqual([refused.status, refused.body.kind, refused.body.status], [202, "rotate", "pending"])
      yield* quiesce
      const kept = (yield* production.get(`/${id}`)).body
      assert.deepStrictEqual(
        [kept.status, kept.credential_last_four, kept.latest_operation.error_code],
        ["connected", account.api_key.slice(-4), "numprov_credentials_invalid"]
      )
      const known = world.accounts.get(account.api_key)
      assert.isDefined(known)
      if (known !== undefined) world.accounts.set("the-next-key", known)
      yield* production.post(`/${id}/rotate`, { api_key: "the-next-key", webhook_secret: "whsec" })
      yield* quiesce
      const taken = (yield* production.get(`/${id}`)).body
      assert.deepStrictEqual([taken.credential_last_four, taken.webhook_secret_configured], ["-key", true])
      world.asked.length = 0
      yield* production.post(`/${id}/discoveries`)
      yield* quiesce
      assert.deepStrictEqual(world.asked, [["numbers", "the-next-key"]])
      const sql = yield* SqlClient.SqlClient
      const left =
        yield* sql`select 1 from numprov_operations where numprov_connection_id = ${id} and credential is not null`
      assert.strictEqual(left.length, 0)
    })
  )

  it.effect("lists its numbers again: a number that is gone reads released", () =>
    Effect.gen(function* () {
      const { production } = yield* numprovStage
      const account = world.open(3)
      const { id } = (yield* production.post("", { ...named, ...account })).body
      yield* quiesce
      const numbers = world.accounts.get(account.api_key)?.numbers ?? []
      const [gone] = numbers.splice(0, 1)
      numbers.push({ number_id: "num_odd", number: "not a phone", status: "active", sms: true })
      yield* turnBy(1000)
      const asked = yield* production.post(`/${id}/discoveries`)
      assert.deepStrictEqual([asked.status, asked.body.kind], [202, "discovery"])
      yield* quiesce
      const { data } = (yield* production.get(`/${id}/resources`)).body
      assert.deepStrictEqual(
        data.map((one: { readonly id: string; readonly status: string }) => [one.id, one.status]).sort(),
        [[gone?.number_id, "released"], ...numbers.slice(0, 2).map(({ number_id }) => [number_id, "active"])]
      )
    })
  )

  it.effect("is connected at once in a sandbox whose clock was turned, on the sandbox's time", () =>
    Effect.gen(function* () {
      const { sandbox, tenant } = yield* numprovStage
      const sql = yield* SqlClient.SqlClient
      const clock = { environment_id: tenant.sandbox.id, lead_ms: 3_600_000, due_at: new Date(8.64e12) }
      yield* sql`insert into sandbox_clocks ${sql.insert(clock)}`
      yield* turnBy(1_000)
      const { id } = (yield* sandbox.post("", { ...named, account_id: "acc_1", api_key: "any" })).body
      yield* quiesce
      const { latest_operation, status } = (yield* sandbox.get(`/${id}`)).body
      assert.deepStrictEqual([status, latest_operation.status], ["connected", "succeeded"])
      assert.isAtLeast(Date.parse(latest_operation.completed_at), Date.parse(latest_operation.created_at))
    })
  )

  it.effect("makes no call in a sandbox", () =>
    Effect.gen(function* () {
      const { calls, sandbox, tenant } = yield* numprovStage
      world.asked.length = 0
      const made = yield* sandbox.post("", { ...named, account_id: "acc_1", api_key: "invalid-key" })
      yield* quiesce
      const failed = (yield* sandbox.get(`/${made.body.id}`)).body
      assert.deepStrictEqual(
        [failed.status, failed.latest_operation.error_code],
        ["failed", "numprov_credentials_invalid"]
      )
      const { id } = (yield* sandbox.post("", { ...named, account_id: "acc_1", api_key: "any" })).body
      yield* quiesce
      assert.strictEqual((yield* sandbox.get(`/${id}`)).body.status, "connected")
      const { data } = (yield* sandbox.get(`/${id}/resources`)).body
      assert.deepStrictEqual(data.map((one: { readonly status: string }) => one.status).sort(), [
        "active",
        "active",
        "active",
        "suspended"
      ])
      assert.strictEqual(world.asked.length, 0)
      // A key of another environment finds none of it.
      const stranger = calls(tenant.sibling.sandbox)
      for (const path of [
        `/${id}`,
        `/${id}/resources`,
        `/${id}/operations/${made.body.latest_operation.id}`,
        "/npc_1"
      ]) {
        assert.deepStrictEqual(refusal(yield* stranger.get(path)), [404, "provider_connection_not_found", undefined])
      }
    })
  )

  it.effect(
    "refuses a body that breaks the contract by its first wrong field, and a missing key M-CONN-30 M-CONN-34",
    () =>
      Effect.gen(function* () {
        const { sandbox, tenant, calls } = yield* numprovStage
        const whole = { ...named, account_id: "acc", api_key: "key" }
        const cases: ReadonlyArray<readonly [object, string]> = [
          [{}, "display_name"],
          [{ ...whole, display_name: "  " }, "display_name"],
          [{ ...whole, account_id: 5 }, "account_id"],
          [{ ...whole, api_key: "" }, "api_key"],
          [{ ...whole, api_key: "x".repeat(4097) }, "api_key"],
          [{ ...whole, webhook_secret: "" }, "webhook_secret"],
          [{ ...whole, more: 1 }, "more"]
        ]
        for (const [body, param] of cases) {
          assert.deepStrictEqual(refusal(yield* sandbox.post("", body)), [
            400,
            "invalid_provider_connection_request",
            param
          ])
        }
        for (const path of ["", "/npc_1/rotate", "/npc_1/discoveries"]) {
          const { status, body } = yield* sandbox.post(path, whole, { idempotencyKey: " " })
          assert.deepStrictEqual([status, body.error.code], [400, "idempotency_key_required"])
        }
        const { key } = yield* seedKey(tenant.sandbox, { scopes: ["provider_connections:read"] })
        assert.deepStrictEqual(refusal(yield* calls({ key }).post("", whole)).slice(0, 2), [403, "insufficient_scope"])
      })
  )

  it.effect("resumes after a node stops at any step, from a state that the operation shows", () =>
    Effect.gen(function* () {
      // A registration reads the account and three pages of numbers; a node may stop at each step.
      for (const step of [0, 1, 2, 3]) {
        const { production } = yield* numprovStage
        const account = world.open(5)
        if (step === 0) world.mishaps.account.push("dies")
        else world.mishaps.numbers.push(...Array.from({ length: step - 1 }, (): Mishap => "none"), "dies")
        const made = (yield* production.post("", { ...named, ...account })).body
        yield* quiesce
        const stopped = (yield* production.get(`/${made.id}`)).body
        assert.deepStrictEqual(
          [stopped.status, stopped.latest_operation.status],
          [step === 0 ? "pending" : "connected", "pending"]
        )
        yield* turnBy(60_000)
        const ended = (yield* production.get(`/${made.id}`)).body
        assert.deepStrictEqual([ended.status, ended.latest_operation.status], ["connected", "succeeded"])
        assert.strictEqual((yield* production.get(`/${made.id}/resources`)).body.data.length, 5)
      }
    })
  )

  it.effect('has a receiver of its own gaps-3 G "Inbound provider webhooks"', () =>
    Effect.gen(function* () {
      const { production } = yield* numprovStage
      const { id } = (yield* production.post("", { ...named, ...world.open(1) })).body
      yield* quiesce
      const path = `/webhooks/numprov/${id}`
      const unset = yield* tellSigned(path, "{}", "whsec")
      assert.deepStrictEqual([unset.status, unset.body.error.code], [503, "provider_webhook_not_configured"])
      yield* production.post(`/${id}/disconnect`)
      const ended = yield* tellSigned(path, "{}", "whsec")
      assert.deepStrictEqual([ended.status, ended.body.error.code], [401, "provider_webhook_signature_invalid"])
    })
  )
})

const off = WholeProduct({ sweeps: false, settings: { CARTEIRO_NUMPROV_BYOK_ENABLED: "false" } })

it.layer(off, { excludeTestServices: true })("Without accounts of tenants", (it) => {
  it.effect("no account is registered and no number imported, whatever else would be refused M-IMP-16", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* numprovStage
      const register = { ...named, account_id: "acc", api_key: "key" }
      const imported = {
        provider_connection_id: "npc_1",
        provider_number_id: "num_1",
        continuation_terms_version: "numprov_byok_v1"
      }
      // The key stores nothing, so the unchanged request may be repeated.
      for (let n = 0; n < 2; n++) {
        for (const refused of [
          yield* sandbox.post("", register, { idempotencyKey: "same" }),
          yield* sandbox.import(imported, { idempotencyKey: "import" })
        ]) {
          assert.deepStrictEqual([refused.status, refused.body.error.code], [503, "numprov_byok_unavailable"])
        }
      }
      assert.deepStrictEqual((yield* sandbox.get("")).body.data, [])
    })
  )
})
