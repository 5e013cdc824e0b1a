import { NumberLifecycleWorker } from "@carteiro/runtime/phone-numbers/lifecycle/NumberLifecycleWorker.ts"
import { PhoneNumberRead } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { ddds } from "@carteiro/schema/phone-numbers/Region.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { signedIn, textOf } from "../console/Visitor.ts"
import { Api, type CallOptions } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { quiesce, turnBy, turnTo } from "../support/OwnerTest.ts"
import { seedKey, seedProject, seedTenant, type TestEnvironment } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { connectedPlatform, enroll, phone, reached } from "./Numbers.ts"

const isNumber = Schema.is(PhoneNumberRead)
const stack = WholeProduct({ sweeps: false, vendors: connectedPlatform })

/** A separate organization, and the calls of its keys. */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const tenant = yield* seedTenant(`numbers${++stages}`)
  const calls = ({ key }: TestEnvironment) => ({
    get: (path: string) => api.get(`/v1/phone-numbers${path}`, { key }),
    post: (path: string, body?: unknown, options: CallOptions = {}) =>
      api.post(`/v1/phone-numbers${path}`, body, { key, ...options })
  })
  return { api, tenant, sandbox: calls(tenant.sandbox), production: calls(tenant.production), calls }
})
let stages = 0

const connecting = (upstream = `up${phone()}`) => ({
  phone: phone(),
  upstream_phone_number_id: upstream,
  display_name: "Loja Aurora"
})

it.layer(stack, { excludeTestServices: true })("Reading phone numbers", (it) => {
  it.effect(
    "shows every printed member of a sandbox number, its health a simulated snapshot M-PHN-01..11 M-PHN-15..27",
    () =>
      Effect.gen(function* () {
        const { sandbox, tenant } = yield* stage
        const number = yield* seedNumber(tenant.sandbox)
        const { body, status } = yield* sandbox.get(`/${number.id}`)
        assert.strictEqual(status, 200)
        assert.isTrue(isNumber(body))
        const { created_at, trace_id: _, ...shown } = body
        assert.deepStrictEqual(shown, {
          id: number.id,
          object: "phone_number",
          source: "byon",
          status: "active",
          environment: "sandbox",
          display_name: "Sandbox",
          ddd: "20",
          phone: number.phone,
          provider_number_id: null,
          upstream_phone_number_id: null,
          biz_account_id: null,
          numprov_management: null,
          quality_rating: "green",
          messaging_tier: "tier_1k",
          messaging_limit_tier: "TIER_1K",
          upstream_throughput_tier: "2",
          upstream_quality_rating: "GREEN",
          verified_name: "Sandbox",
          pending_name_review: null,
          name_review: null,
          upstream_health_synced_at: created_at,
          current_24h_unique_recipients: 0,
          remaining_messaging_allowance_estimate: 900,
          verification_code: null,
          verification_code_received_at: null,
          monthly_fee_brl: null,
          error_code: null,
          error_message: null,
          updated_at: created_at,
          activated_at: created_at,
          released_at: null,
          recent_messages: [],
          warnings: [],
          renewal: null
        })
      })
  )

  it.effect(
    "counts new recipients of 24 hours, and lists the last ten messages in detail only M-PHN-15..18 M-PHN-23",
    () =>
      Effect.gen(function* () {
        const { api, sandbox, tenant } = yield* stage
        const { key } = tenant.sandbox
        const number = yield* seedNumber(tenant.sandbox)
        for (let n = 0; n < 11; n++) {
          yield* api.post(
            "/v1/sandbox/inbound-messages",
            { channel: "chatapp", from: "+5511912345678", to: number.id, type: "text", text: { body: `${n}` } },
            { key }
          )
          yield* turnBy(1)
        }
        const { body } = yield* sandbox.get(`/${number.id}`)
        assert.strictEqual(body.recent_messages.length, 10)
        assert.deepStrictEqual(Object.keys(body.recent_messages[0]).sort(), [
          "created_at",
          "direction",
          "id",
          "status",
          "type"
        ])
        const times = body.recent_messages.map((one: { created_at: string }) => one.created_at)
        assert.deepStrictEqual(times, [...times].sort().reverse())
        const listed = yield* sandbox.get("")
        assert.deepStrictEqual(listed.body.data[0].recent_messages, [])
        assert.isTrue("renewal" in listed.body.data[0])
      })
  )

  it.effect(
    "estimates nothing for an unlimited number, and takes an unknown tier for a low one M-PHN-18 M-PHN-19",
    () =>
      Effect.gen(function* () {
        const { sandbox, tenant } = yield* stage
        const sql = yield* SqlClient.SqlClient
        const number = yield* seedNumber(tenant.sandbox)
        const estimate = Effect.map(
          sandbox.get(`/${number.id}`),
          ({ body }) => body.remaining_messaging_allowance_estimate
        )
        yield* sql`update phone_numbers set messaging_tier = 'unlimited' where id = ${number.id}`
        assert.isNull(yield* estimate)
        yield* sql`update phone_numbers set messaging_tier = 'unknown', quality_rating = 'unknown' where id = ${number.id}`
        assert.strictEqual(yield* estimate, 180)
        yield* sql`update phone_numbers set status = 'disconnected' where id = ${number.id}`
        assert.isNull(yield* estimate)
      })
  )

  it.effect(
    "lists numbers that are not released, newest first, by status and source; a released one is read by its id M-PHN-42 M-PHN-43",
    () =>
      Effect.gen(function* () {
        const { sandbox, tenant } = yield* stage
        const sql = yield* SqlClient.SqlClient
        const first = yield* seedNumber(tenant.sandbox)
        yield* turnBy(1)
        const second = yield* seedNumber(tenant.sandbox)
        yield* turnBy(1)
        const gone = yield* seedNumber(tenant.sandbox)
        yield* sql`update phone_numbers set source = 'numprov', status = 'released', released_at = created_at where id = ${gone.id}`
        yield* sql`update phone_numbers set status = 'disconnected' where id = ${first.id}`
        const ids = (path: string) =>
          Effect.map(sandbox.get(path), ({ body }) => body.data.map(({ id }: { readonly id: string }) => id))
        assert.deepStrictEqual(yield* ids(""), [second.id, first.id])
        assert.deepStrictEqual(yield* ids("?status=disconnected"), [first.id])
        assert.deepStrictEqual(yield* ids("?source=numprov"), [])
        const page = yield* sandbox.get("?limit=1")
        assert.isTrue(page.body.has_more)
        assert.deepStrictEqual(yield* ids(`?limit=1&starting_after=${page.body.next_cursor}`), [first.id])
        assert.strictEqual((yield* sandbox.get(`/${gone.id}`)).body.status, "released")
        assert.strictEqual((yield* sandbox.get("?status=gone")).body.error.code, "invalid_query")
      })
  )

  it.effect("answers an unknown and a foreign id alike, and reads despite exhausted credit M-PHN-44 M-PHN-53", () =>
    Effect.gen(function* () {
      const { production, sandbox, tenant } = yield* stage
      const { tenant: stranger } = yield* stage
      const sql = yield* SqlClient.SqlClient
      const foreign = yield* seedNumber(stranger.sandbox)
      for (const id of [foreign.id, "pn_00000000000000000000000000", "nothing"]) {
        const { body, status } = yield* sandbox.get(`/${id}`)
        assert.strictEqual(status, 404)
        assert.strictEqual(body.error.code, "phone_number_not_found")
      }
      const number = yield* seedNumber(tenant.production)
      yield* sql`update organizations set credit_blocked = true where id = ${tenant.organization_id}`
      assert.strictEqual((yield* production.get("")).status, 200)
      assert.strictEqual((yield* production.get(`/${number.id}`)).status, 200)
      assert.strictEqual((yield* production.get("/available-regions")).status, 402)
      assert.strictEqual((yield* production.post("/connect", connecting())).status, 402)
    })
  )

  it.effect('lists the 67 area codes of Brazil with their price M-PHN-41 gaps-2 K "available-regions item"', () =>
    Effect.gen(function* () {
      const { production, sandbox } = yield* stage
      assert.strictEqual(ddds.length, 67)
      const whole = yield* production.get("/available-regions?limit=100")
      assert.strictEqual(whole.body.data.length, 67)
      assert.isFalse(whole.body.has_more)
      assert.deepStrictEqual(whole.body.data[0], {
        id: "11",
        object: "phone_region",
        ddd: "11",
        state: "SP",
        available: true,
        monthly_fee_brl: "49.9000"
      })
      const page = yield* sandbox.get("/available-regions")
      assert.strictEqual(page.body.data.length, 20)
      assert.strictEqual(page.body.data[0].monthly_fee_brl, "0.0000")
      const next = yield* sandbox.get(`/available-regions?starting_after=${page.body.next_cursor}`)
      assert.strictEqual(next.body.data[0].ddd, ddds[20])
    })
  )

  it.effect("shows a verification code for ten minutes M-PHN-20", () =>
    Effect.gen(function* () {
      const { production, tenant } = yield* stage
      const sql = yield* SqlClient.SqlClient
      const number = yield* seedNumber(tenant.production)
      yield* sql`update phone_numbers set verification_code = '123456', verification_code_received_at = created_at
        where id = ${number.id}`
      const shown = Effect.map(production.get(`/${number.id}`), ({ body }) => [
        body.verification_code,
        body.verification_code_received_at !== null
      ])
      const owner = yield* signedIn(tenant)
      const page = Effect.map(owner.get(`/dashboard/phone-numbers/${tenant.production.id}/${number.id}`), ({ text }) =>
        textOf(text)
      )
      assert.deepStrictEqual(yield* shown, ["123456", true])
      assert.include(yield* page, "Verification code 123456 , received")
      yield* turnBy(10 * 60_000)
      assert.deepStrictEqual(yield* shown, [null, false])
      assert.notInclude(yield* page, "Verification code")
    })
  )

  it.effect("shows the reviews of a name as the platform reported them M-PHN-10 M-PHN-11 M-PHN-24", () =>
    Effect.gen(function* () {
      const { production, tenant } = yield* stage
      const sql = yield* SqlClient.SqlClient
      const number = yield* seedNumber(tenant.production)
      const pending = { name: "LOJA AURORA", submitted_at: "2026-01-01T00:00:00.000Z" }
      const review = { name: "Oi", decision: "declined", reason: "too short", decided_at: "2026-01-01T00:00:00.000Z" }
      yield* sql`update phone_numbers set pending_name_review = ${JSON.stringify(pending)},
        name_review = ${JSON.stringify(review)}, display_name = 'LOJA AURORA' where id = ${number.id}`
      const { body } = yield* production.get(`/${number.id}`)
      assert.deepStrictEqual(body.pending_name_review, pending)
      assert.deepStrictEqual(body.name_review, review)
      assert.deepStrictEqual(body.warnings, [
        {
          code: "display_name_all_caps",
          field: "display_name",
          message: "The name is written in capitals. It may be declined in review."
        }
      ])
      assert.isNull(body.verified_name)
    })
  )
})

it.layer(stack, { excludeTestServices: true })("Connecting a number", (it) => {
  it.effect("is active at once in a sandbox, and warns of a name without stopping it M-PHN-25 M-PHN-49", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* stage
      const body = { ...connecting(), display_name: " LOJA AURORA " }
      const made = yield* sandbox.post("/connect", body)
      assert.strictEqual(made.status, 201)
      assert.isTrue(isNumber(made.body))
      assert.strictEqual(made.body.status, "active")
      assert.strictEqual(made.body.source, "byon")
      assert.strictEqual(made.body.ddd, body.phone.slice(3, 5))
      assert.strictEqual(made.body.display_name, "LOJA AURORA")
      assert.strictEqual(made.body.verified_name, "LOJA AURORA")
      assert.strictEqual(made.body.remaining_messaging_allowance_estimate, 900)
      assert.strictEqual(made.body.warnings[0].code, "display_name_all_caps")
      const { trace_id: _, ...read } = (yield* sandbox.get(`/${made.body.id}`)).body
      const { trace_id: __, ...answered } = made.body
      assert.deepStrictEqual(read, answered)
    })
  )

  it.effect("refuses what breaks the contract by its first field M-PHN-50", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* stage
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{ phone: undefined }, "phone"],
        [{ phone: "5511998765432" }, "phone"],
        [{ phone: "+1234567" }, "phone"],
        [{ phone: "+1234567890123456" }, "phone"],
        [{ upstream_phone_number_id: undefined }, "upstream_phone_number_id"],
        [{ upstream_phone_number_id: "" }, "upstream_phone_number_id"],
        [{ upstream_phone_number_id: "x".repeat(65) }, "upstream_phone_number_id"],
        [{ display_name: "" }, "display_name"],
        [{ display_name: "x".repeat(256) }, "display_name"]
      ]
      for (const [change, param] of cases) {
        const { body, status } = yield* sandbox.post("/connect", { ...connecting(), ...change })
        assert.strictEqual(status, 400)
        assert.deepStrictEqual([body.error.code, body.error.param], ["invalid_connect_request", param])
      }
    })
  )

  it.effect(
    'refuses a phone or an upstream number that is live anywhere, without telling whose it is M-PHN-51 gaps-2 K "Connect rules"',
    () =>
      Effect.gen(function* () {
        const { sandbox } = yield* stage
        const { sandbox: stranger } = yield* stage
        const body = connecting()
        const made = yield* sandbox.post("/connect", body)
        for (const other of [
          { ...connecting(), phone: body.phone },
          { ...connecting(), upstream_phone_number_id: body.upstream_phone_number_id },
          body
        ]) {
          const refused = yield* stranger.post("/connect", other)
          assert.strictEqual(refused.status, 409)
          assert.strictEqual(refused.body.error.code, "phone_number_conflict")
          assert.notInclude(refused.text, made.body.id)
        }
        yield* sandbox.post(`/${made.body.id}/disconnect`)
        assert.strictEqual((yield* stranger.post("/connect", body)).status, 201)
      })
  )

  it.effect("gives a phone to one of two concurrent callers M-PHN-51", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* stage
      const { sandbox: stranger } = yield* stage
      const body = connecting()
      const answers = yield* Effect.all([sandbox.post("/connect", body), stranger.post("/connect", body)], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 409])
    })
  )

  it.effect("replays the response under its key, and needs phone_numbers:write M-PHN-49", () =>
    Effect.gen(function* () {
      const { api, sandbox, tenant } = yield* stage
      const body = connecting()
      const made = yield* sandbox.post("/connect", body, { idempotencyKey: "once" })
      const again = yield* sandbox.post("/connect", body, { idempotencyKey: "once" })
      assert.strictEqual(again.text, made.text)
      const { key } = yield* seedKey(tenant.sandbox, { scopes: ["phone_numbers:read"] })
      assert.strictEqual((yield* api.post("/v1/phone-numbers/connect", connecting(), { key })).status, 403)
    })
  )

  it.effect(
    "counts numbers of all production environments against the plan, however many are added at once M-PHN-52",
    () =>
      Effect.gen(function* () {
        const { calls, production, tenant } = yield* stage
        const sibling = calls(tenant.sibling.production)
        const answers = yield* Effect.all(
          [production.post("/connect", connecting()), sibling.post("/connect", connecting())],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 402])
        const refused = yield* production.post("/connect", connecting())
        assert.deepStrictEqual([refused.status, refused.body.error.code], [402, "plan_phone_limit_reached"])
        assert.isUndefined(refused.body.error.feedback)
        const made = answers.find(({ status }) => status === 201)?.body
        const owner = made.id === answers[0].body.id ? production : sibling
        yield* owner.post(`/${made.id}/disconnect`)
        assert.strictEqual((yield* production.post("/connect", connecting())).status, 201)
      })
  )

  it.effect('waits in production until the connection reaches the number gaps-2 K "State machine" M-PHN-12', () =>
    Effect.gen(function* () {
      const { production } = yield* stage
      const body = connecting()
      const made = yield* production.post("/connect", body)
      assert.strictEqual(made.body.status, "verifying")
      assert.isNull(made.body.upstream_health_synced_at)
      yield* quiesce
      assert.strictEqual((yield* production.get(`/${made.body.id}`)).body.status, "verifying")
      reached.add(body.upstream_phone_number_id)
      yield* turnBy(6_000)
      const read = (yield* production.get(`/${made.body.id}`)).body
      assert.strictEqual(read.status, "active")
      assert.strictEqual(read.biz_account_id, "biz_1")
      assert.isNotNull(read.activated_at)
    })
  )
})

it.layer(stack, { excludeTestServices: true })("A number that no connection reaches", (it) => {
  it.effect('fails after 24 hours gaps-2 K "State machine" M-PHN-21', () =>
    Effect.gen(function* () {
      const { production } = yield* stage
      const made = yield* production.post("/connect", connecting())
      yield* quiesce
      yield* turnTo("2026-01-02T00:00:01.000Z")
      // The sweeper does this.
      ;(yield* NumberLifecycleWorker.client).wake(made.body.id)
      yield* quiesce
      const read = (yield* production.get(`/${made.body.id}`)).body
      assert.strictEqual(read.status, "failed")
      assert.strictEqual(read.error_code, "upstream_registration_required")
      assert.isString(read.error_message)
      assert.strictEqual((yield* production.post("/connect", connecting())).status, 201)
    })
  )
})

it.layer(stack, { excludeTestServices: true })("Giving a number up", (it) => {
  it.effect(
    'releases what is rented, once, and not what was brought M-PHN-54 gaps-2 K "Release, disconnect, convert"',
    () =>
      Effect.gen(function* () {
        const { sandbox, tenant } = yield* stage
        const sql = yield* SqlClient.SqlClient
        const number = yield* seedNumber(tenant.sandbox)
        const refused = yield* sandbox.post(`/${number.id}/release`, {})
        assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "phone_number_not_removable"])
        yield* sql`update phone_numbers set source = 'numprov' where id = ${number.id}`
        assert.strictEqual(
          (yield* sandbox.post(`/${number.id}/disconnect`)).body.error.code,
          "phone_number_not_removable"
        )
        const bad = yield* sandbox.post(`/${number.id}/release`, { reason: "x".repeat(501) })
        assert.deepStrictEqual([bad.body.error.code, bad.body.error.param], ["invalid_phone_number_request", "reason"])
        const asked = yield* sandbox.post(`/${number.id}/release`, { reason: "" })
        assert.deepStrictEqual([asked.status, asked.body.status], [202, "release_requested"])
        assert.isNull(asked.body.remaining_messaging_allowance_estimate)
        yield* turnBy(1000)
        const again = yield* sandbox.post(`/${number.id}/release`, {}, { idempotencyKey: "release again" })
        assert.deepStrictEqual([again.status, again.body.status], [200, "released"])
        // A call that changes nothing completes its key as well.
        const replay = yield* sandbox.post(`/${number.id}/release`, {}, { idempotencyKey: "release again" })
        assert.deepStrictEqual([replay.status, replay.text], [200, again.text])
        assert.isNotNull(again.body.released_at)
        assert.strictEqual((yield* sandbox.get("")).body.data.length, 0)
      })
  )

  it.effect(
    'disconnects what was brought; what is queued fails gaps-2 K "Release, disconnect, convert" M-DLV-03 M-DLV-04',
    () =>
      Effect.gen(function* () {
        const { api, sandbox, tenant } = yield* stage
        const { key } = tenant.sandbox
        const number = yield* seedNumber(tenant.sandbox)
        yield* seedNumber(tenant.sandbox)
        yield* api.post(
          "/v1/sandbox/inbound-messages",
          { channel: "chatapp", from: "+5511912345678", to: number.id, type: "text", text: { body: "oi" } },
          { key }
        )
        const send = api.post(
          "/v1/messages",
          {
            channel: "chatapp",
            sender: { type: "chatapp_phone_number", id: number.id },
            recipient: { type: "phone_e164", id: "+5511912345678" },
            message: { type: "text", text: { body: "Olá" } }
          },
          { key }
        )
        const queued = yield* send
        const gone = yield* sandbox.post(`/${number.id}/disconnect`, undefined, { idempotencyKey: "gone" })
        assert.deepStrictEqual([gone.status, gone.body.status], [200, "disconnected"])
        const after = yield* send
        assert.strictEqual(after.status, 202)
        yield* turnBy(3000)
        for (const id of [queued.body.id, after.body.id]) {
          const { body } = yield* api.get(`/v1/messages/${id}`, { key })
          assert.deepStrictEqual([body.status, body.error_code], ["failed", "sender_phone_number_unavailable"])
        }
        const again = yield* sandbox.post(`/${number.id}/disconnect`)
        assert.deepStrictEqual([again.status, again.body.status], [200, "disconnected"])
        assert.strictEqual(
          (yield* sandbox.post(`/${number.id}/disconnect`, undefined, { idempotencyKey: "gone" })).text,
          gone.text
        )
      })
  )

  it.effect(
    'is done by the first of concurrent calls, and the others answer as its repeats gaps-2 K "Release, disconnect, convert"',
    () =>
      Effect.gen(function* () {
        const { production, sandbox, tenant } = yield* stage
        const sql = yield* SqlClient.SqlClient
        const brought = yield* seedNumber(tenant.sandbox)
        const rented = yield* seedNumber(tenant.sandbox)
        yield* sql`update phone_numbers set source = 'numprov' where id = ${rented.id}`
        const imported = yield* seedNumber(tenant.production)
        yield* enroll(imported)
        const atOnce = <A>(call: Effect.Effect<A>) =>
          Effect.all(
            Array.from({ length: 8 }, () => call),
            { concurrency: "unbounded" }
          )
        for (const [call, first] of [
          [sandbox.post(`/${brought.id}/disconnect`), 200],
          [sandbox.post(`/${rented.id}/release`), 202],
          [production.post(`/${imported.id}/convert-to-byon`), 200]
        ] as const) {
          const statuses = (yield* atOnce(call)).map(({ status }) => status)
          assert.deepStrictEqual(
            statuses.toSorted((a, b) => b - a),
            [first, ...Array.from({ length: 7 }, () => 200)]
          )
        }
      })
  )

  it.effect("ends the management of an imported number once; the number stays active M-PHN-05 M-IMP-13", () =>
    Effect.gen(function* () {
      const { production, tenant } = yield* stage
      const number = yield* seedNumber(tenant.production)
      const plain = yield* production.post(`/${number.id}/convert-to-byon`)
      assert.deepStrictEqual([plain.status, plain.body.error.code], [409, "phone_number_not_convertible"])
      yield* enroll(number)
      const before = (yield* production.get(`/${number.id}`)).body.numprov_management
      assert.deepStrictEqual([before.object, before.status, before.renewal], ["numprov_management", "active", null])
      assert.isNull(before.ended_at)
      const done = yield* production.post(`/${number.id}/convert-to-byon`)
      assert.deepStrictEqual([done.status, done.body.status], [200, "active"])
      assert.strictEqual(done.body.numprov_management.status, "ended")
      const again = yield* production.post(`/${number.id}/convert-to-byon`)
      assert.strictEqual(again.status, 200)
      assert.deepStrictEqual(again.body.numprov_management, done.body.numprov_management)
    })
  )

  it.effect(
    'stays possible while provisioning is switched off, unlike connecting gaps-2 A "Feature families" M-ERR-08',
    () =>
      Effect.gen(function* () {
        const { sandbox, tenant } = yield* stage
        const sql = yield* SqlClient.SqlClient
        const number = yield* seedNumber(tenant.sandbox)
        yield* sql`update environments set capabilities_off = '["phone_provisioning"]' where id = ${tenant.sandbox.id}`
        const refused = yield* sandbox.post("/connect", connecting())
        assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "feature_disabled"])
        assert.strictEqual((yield* sandbox.post(`/${number.id}/disconnect`)).status, 200)
      })
  )

  it.effect(
    "holds back a suspended number's messages in every environment, also in one that it left M-ERR-05 M-IMP-12",
    () =>
      Effect.gen(function* () {
        const { api, tenant } = yield* stage
        const { key } = tenant.sandbox
        const sql = yield* SqlClient.SqlClient
        const number = yield* seedNumber(tenant.sandbox)
        const hear = api.post(
          "/v1/sandbox/inbound-messages",
          { channel: "chatapp", from: "+5511912345678", to: number.id, type: "text", text: { body: "oi" } },
          { key }
        )
        const heard = Effect.map(
          api.get("/v1/webhook-events/listen?start_at=oldest", { key }),
          ({ body }) => body.data.length
        )
        yield* api.post(
          "/v1/webhook-endpoints",
          { url: "https://hooks.example.test/in", subscribed_events: ["message.received"] },
          { key }
        )
        yield* hear
        yield* quiesce
        assert.strictEqual(yield* heard, 1)
        const [event] = (yield* api.get("/v1/webhook-events", { key })).body.data
        const resend = Effect.map(
          api.post(`/v1/webhook-events/${event.id}/resend`, {}, { key }),
          ({ body, status }) => [status, body.error?.code]
        )
        const heldBack = [403, "phone_service_suspended"]
        yield* sql`update phone_numbers set suspended_at = created_at where id = ${number.id}`
        assert.strictEqual((yield* hear).status, 202)
        assert.strictEqual(yield* heard, 1)
        assert.deepStrictEqual(yield* resend, heldBack)
        const sent = yield* api.post(
          "/v1/messages",
          {
            channel: "chatapp",
            sender: { type: "chatapp_phone_number", id: number.id },
            recipient: { type: "phone_e164", id: "+5511912345678" },
            message: { type: "text", text: { body: "Olá" } }
          },
          { key }
        )
        assert.deepStrictEqual([sent.status, sent.body.error.code], [403, "phone_service_suspended"])
        // Messages in the environment that it left are still held back.
        const project = yield* seedProject(tenant.organization_id, `elsewhere${++stages}`)
        const moved = yield* api.post(
          `/v1/phone-numbers/${number.id}/transfer`,
          {
            target_project_id: project.id,
            target_environment_id: project.sandbox.id,
            confirm_phone_number_id: number.id
          },
          { key }
        )
        assert.strictEqual(moved.status, 200)
        assert.deepStrictEqual(yield* resend, heldBack)
      })
  )
})
