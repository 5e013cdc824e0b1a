import { Commit } from "@carteiro/owners/Commit.ts"
import { numberChanges } from "@carteiro/runtime/phone-numbers/PhoneNumbers.ts"
import { PhoneNumberRead } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { NumprovWorld, numprovStage } from "../provider-connections/NumprovWorld.ts"
import type { Answer } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { tellSigned } from "../support/ProviderSignature.ts"
import { seedKey } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { connectedPlatform, reached } from "./Numbers.ts"

const world = new NumprovWorld()
const stack = WholeProduct({ sweeps: false, vendors: Layer.merge(world.layer, connectedPlatform) })
const isNumber = Schema.is(PhoneNumberRead)
const refusal = ({ body, status }: Answer) => [status, body.error?.code, body.error?.param]

/**
 * An organization with a plan and connected accounts at the number provider; its production environment has that many
 * numbers.
 */
const stage = (numbers = 2, plan: string | null = "plo_standard") =>
  Effect.gen(function* () {
    const { calls, production, sandbox, tenant } = yield* numprovStage
    const sql = yield* SqlClient.SqlClient
    for (const account of [tenant.organization_id, tenant.sandbox.id]) {
      if (plan === null) break
      yield* sql`insert into account_plans (account_id, effective_from, plan_offering_id)
      values (${account}, '2025-12-01T00:00:00Z', ${plan})`
    }
    const account = world.open(numbers)
    const connect = (of: typeof production) =>
      Effect.map(
        of.post("", { display_name: "Ours", ...account, webhook_secret: "whsec" }),
        ({ body }) => body.id as string
      )
    const connection = yield* connect(production)
    const simulated = yield* connect(sandbox)
    yield* quiesce
    const bodyFor = (provider_connection_id: string, provider_number_id: string, more: object = {}) => ({
      provider_connection_id,
      provider_number_id,
      display_name: "Loja Aurora",
      continuation_terms_version: "numprov_byok_v1",
      ...more
    })
    const listed = world.accounts.get(account.api_key)?.numbers ?? []
    return {
      account,
      calls,
      connection,
      listed,
      production,
      sandbox,
      sql,
      tenant,
      body: (n = 0, more: object = {}) => bodyFor(connection, listed[n]?.number_id ?? "", more),
      simulated: (n = 1, more: object = {}) => bodyFor(simulated, `num_sandbox_${n}`, more)
    }
  }).pipe(Effect.orDie)

/** Every table into which a charge could be written. */
const moneyOf = (organization: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql`select (select count(*)::int4 from ledger_entries where organization_id = ${organization}) as entries,
      (select count(*)::int4 from reservations where account_id = ${organization}) as held,
      (select count(*)::int4 from phone_number_orders where organization_id = ${organization}) as orders`
  })

it.layer(stack, { excludeTestServices: true })("Importing a number", (it) => {
  it.effect(
    "makes the customer's own number under management, and nothing else M-IMP-01 M-IMP-03 M-IMP-05..07 M-PHN-05",
    () =>
      Effect.gen(function* () {
        const { body, connection, listed, production, sql, tenant } = yield* stage()
        const before = yield* moneyOf(tenant.organization_id)
        world.asked.length = 0
        const made = yield* production.import(body())
        assert.strictEqual(made.status, 202, made.text)
        assert.isTrue(isNumber(made.body))
        const { id, numprov_management, ...number } = made.body
        assert.deepStrictEqual(
          [number.source, number.status, number.phone, number.ddd, number.display_name, number.provider_number_id],
          ["byon", "provisioned", listed[0]?.number, "11", "Loja Aurora", null]
        )
        assert.deepStrictEqual([number.monthly_fee_brl, number.renewal, number.activated_at], [null, null, null])
        const { enrolled_at, id: enrollment, ...management } = numprov_management
        assert.match(enrollment, /^nme_/)
        assert.strictEqual(enrolled_at, number.created_at)
        assert.deepStrictEqual(management, {
          object: "numprov_management",
          status: "active",
          provider_connection_id: connection,
          terms_version: "numprov_byok_v1",
          ended_at: null,
          renewal: null
        })
        yield* quiesce
        assert.deepStrictEqual({ ...(yield* production.number(id)), trace_id: made.body.trace_id }, made.body)
        assert.deepStrictEqual(yield* moneyOf(tenant.organization_id), before)
        assert.deepStrictEqual(world.asked, [])
        const [usage] = yield* sql<{ readonly n: number }>`select count(*)::int4 as n from usage_records
          where environment_id = ${tenant.production.id}`
        assert.strictEqual(usage?.n, 0)
      })
  )

  it.effect('is active once the platform reaches it gaps-2 K "Import result"', () =>
    Effect.gen(function* () {
      const { body, listed, production, sandbox, simulated, sql, tenant } = yield* stage(3)
      const upstream = (n: number) => `up-${listed[n]?.number_id}`
      reached.add(upstream(0))
      const active = yield* production.import(body(0, { upstream_phone_number_id: upstream(0) }))
      assert.deepStrictEqual(
        [active.body.status, active.body.biz_account_id, active.body.upstream_phone_number_id],
        ["active", "biz_1", upstream(0)]
      )
      assert.isNotNull(active.body.activated_at)
      const waits = yield* production.import(body(1, { upstream_phone_number_id: upstream(1) }))
      assert.strictEqual(waits.body.status, "provisioned")
      yield* turnBy(10_000)
      assert.strictEqual((yield* production.number(waits.body.id)).status, "provisioned")
      reached.add(upstream(1))
      yield* turnBy(10_000)
      const later = yield* production.number(waits.body.id)
      assert.deepStrictEqual([later.status, later.biz_account_id], ["active", "biz_1"])
      // A sandbox makes no call.
      const proven = yield* sandbox.import(simulated(1, { upstream_phone_number_id: "up-sandbox" }))
      const unproven = yield* sandbox.import(simulated(2))
      assert.deepStrictEqual([proven.body.status, unproven.body.status], ["active", "provisioned"])
      // Failed numbers are not polled for ever, but connecting an account makes them due again.
      const never = (yield* production.import(body(2, { upstream_phone_number_id: upstream(2) }))).body
      const due = Effect.map(
        sql<{ readonly due_at: number | null }>`select due_at from phone_numbers where id = ${never.id}`,
        ([row]) => row?.due_at
      )
      yield* sql`update phone_numbers set created_at = created_at - interval '1 day' where id = ${never.id}`
      yield* turnBy(10_000)
      assert.deepStrictEqual([(yield* production.number(never.id)).status, yield* due], ["provisioned", null])
      reached.add(upstream(2))
      const now = yield* Clock.currentTimeMillis
      yield* (yield* Commit).write([numberChanges.connect({ environment_id: tenant.production.id, due_at: now })])
      yield* quiesce
      yield* turnBy(1000)
      assert.strictEqual((yield* production.number(never.id)).status, "active")
    })
  )

  it.effect("needs an idempotency key, and is replayed under it M-IMP-02", () =>
    Effect.gen(function* () {
      const { body, production } = yield* stage()
      for (const idempotencyKey of ["", "  "]) {
        const refused = yield* production.import(body(), { idempotencyKey })
        assert.deepStrictEqual(refusal(refused).slice(0, 2), [400, "idempotency_key_required"])
      }
      const first = yield* production.import(body(), { idempotencyKey: "one" })
      const again = yield* production.import(body(), { idempotencyKey: "one" })
      assert.deepStrictEqual([again.status, again.text], [202, first.text])
      const other = yield* production.import(body(1), { idempotencyKey: "one" })
      assert.deepStrictEqual([other.status, other.body.error.code], [409, "idempotency_key_conflict"])
    })
  )

  it.effect(
    "refuses what breaks the contract by its first field, the terms by a code of their own M-IMP-03 M-IMP-04",
    () =>
      Effect.gen(function* () {
        const { body, calls, sandbox, tenant } = yield* stage(1, null)
        const whole = body()
        const { continuation_terms_version: _, ...unread } = whole
        const cases: ReadonlyArray<readonly [object, string, string]> = [
          [unread, "numprov_byok_terms_required", "continuation_terms_version"],
          ...["numprov_byok_v0", "", null, 1].map(
            (continuation_terms_version) =>
              [
                { ...whole, continuation_terms_version },
                "numprov_byok_terms_required",
                "continuation_terms_version"
              ] as const
          ),
          [{}, "invalid_phone_number_request", "provider_connection_id"],
          [{ ...whole, provider_number_id: undefined }, "invalid_phone_number_request", "provider_number_id"],
          [{ ...whole, provider_number_id: 7 }, "invalid_phone_number_request", "provider_number_id"],
          [
            { ...whole, upstream_phone_number_id: "x".repeat(65) },
            "invalid_phone_number_request",
            "upstream_phone_number_id"
          ],
          [{ ...whole, display_name: "x".repeat(256) }, "invalid_phone_number_request", "display_name"]
        ]
        for (const [sent, code, param] of cases) {
          assert.deepStrictEqual(refusal(yield* sandbox.import(sent)), [400, code, param])
        }
        const { key } = yield* seedKey(tenant.sandbox, { scopes: ["phone_numbers:read"] })
        assert.deepStrictEqual(refusal(yield* calls({ key }).import(whole)).slice(0, 2), [403, "insufficient_scope"])
      })
  )

  it.effect(
    "checks the plan, the connection, the number and its state, in this order M-IMP-05 M-IMP-08 M-IMP-14 M-IMP-15",
    () =>
      Effect.gen(function* () {
        const { account, body, calls, connection, listed, production, sandbox, simulated, sql, tenant } = yield* stage(
          3,
          null
        )
        const odd = { provider_connection_id: "npc_01kah7v3m8q6x2r9d4t5w0y1z3", provider_number_id: "num_none" }
        for (const [day, plan] of [null, "plo_starter", "plo_scale"].entries()) {
          if (plan !== null) {
            yield* sql`insert into account_plans (account_id, effective_from, plan_offering_id)
            values (${tenant.organization_id}, ${new Date(Date.UTC(2025, 11, day))}, ${plan})`
          }
          const refused = yield* production.import(body(0, odd))
          assert.deepStrictEqual(
            refusal(refused),
            [403, "numprov_byok_subscription_required", undefined],
            plan ?? "free"
          )
        }
        assert.strictEqual((yield* sandbox.import(simulated())).body.error.code, "numprov_byok_subscription_required")
        yield* sql`insert into account_plans (account_id, effective_from, plan_offering_id)
        values (${tenant.organization_id}, '2025-12-20T00:00:00Z', 'plo_growth')`
        for (const [sent, status, code] of [
          [odd, 404, "provider_connection_not_found"],
          [{ provider_connection_id: "pcn_01kah7v3m8q6x2r9d4t5w0y1z3" }, 404, "provider_connection_not_found"],
          [{ provider_number_id: "num_none" }, 404, "numprov_resource_not_found"]
        ] as const) {
          assert.deepStrictEqual(refusal(yield* production.import(body(0, sent))), [status, code, undefined])
        }
        // A connection of another environment answers like an unknown one.
        const sibling = calls(tenant.sibling.production)
        assert.deepStrictEqual(refusal(yield* sibling.import(body())), [
          404,
          "provider_connection_not_found",
          undefined
        ])

        const suspended = listed[1]
        if (suspended !== undefined) listed[1] = { ...suspended, status: "suspended" }
        yield* turnBy(24 * 3_600_000 - 2000)
        yield* production.post(`/${connection}/discoveries`)
        yield* quiesce
        const unavailable = [409, "numprov_number_unavailable", undefined]
        assert.deepStrictEqual(refusal(yield* production.import(body(1))), unavailable)
        assert.strictEqual((yield* production.import(body(0))).status, 202)
        assert.deepStrictEqual(refusal(yield* production.import(body(0))), [
          409,
          "numprov_number_already_imported",
          undefined
        ])
        yield* turnBy(24 * 3_600_000 + 1000)
        assert.deepStrictEqual(refusal(yield* production.import(body(2))), unavailable)

        yield* production.post(`/${connection}/disconnect`)
        const ended = [409, "numprov_connection_unavailable", undefined]
        assert.deepStrictEqual(refusal(yield* production.import(body(2))), ended)
        // The number through another connection of the account is one number.
        const again = (yield* production.post("", { display_name: "Again", ...account })).body.id
        yield* quiesce
        const taken = yield* production.import(body(0, { provider_connection_id: again }))
        assert.deepStrictEqual(refusal(taken), [409, "numprov_number_already_imported", undefined])
        assert.strictEqual((yield* production.import(body(2, { provider_connection_id: again }))).status, 202)
      })
  )

  it.effect("counts within the plan, and is refused when its phone is taken M-PHN-51 M-PHN-52", () =>
    Effect.gen(function* () {
      const { body, listed, production, sql, tenant } = yield* stage(7)
      const theirs = yield* stage(0)
      const connected = yield* theirs.production.api("POST", "/phone-numbers/connect", {
        phone: listed[0]?.number,
        upstream_phone_number_id: `up-${listed[0]?.number_id}`
      })
      assert.strictEqual(connected.status, 201)
      assert.deepStrictEqual(refusal(yield* production.import(body(0))), [409, "phone_number_conflict", undefined])
      const taken = body(1, { upstream_phone_number_id: `up-${listed[0]?.number_id}` })
      assert.deepStrictEqual(refusal(yield* production.import(taken)), [409, "phone_number_conflict", undefined])
      // Of a standard plan's five numbers, four are imported at once, and two compete for the last.
      yield* Effect.forEach([1, 2, 3, 4], (n) => production.import(body(n)), { concurrency: 4 })
      const last = yield* Effect.forEach([5, 6], (n) => production.import(body(n)), { concurrency: 2 })
      assert.deepStrictEqual(last.map(({ body, status }) => [status, body.error?.code]).sort(), [
        [202, undefined],
        [402, "plan_phone_limit_reached"]
      ])
      const [row] = yield* sql<{ readonly n: number }>`select count(*)::int4 as n from phone_numbers
        where environment_id = ${tenant.production.id}`
      assert.strictEqual(row?.n, 5)
    })
  )

  it.effect("happens once, however many requests come at once M-IMP-15", () =>
    Effect.gen(function* () {
      const { body, production, sql, tenant } = yield* stage()
      const all = yield* Effect.forEach([0, 1, 2, 3, 4], () => production.import(body()), { concurrency: 5 })
      assert.deepStrictEqual(all.map(({ body, status }) => [status, body.error?.code ?? null]).sort(), [
        [202, null],
        ...Array.from({ length: 4 }, () => [409, "numprov_number_already_imported"])
      ])
      const rows = yield* sql`select 1 from phone_numbers n join numprov_enrollments m on m.phone_number_id = n.id
        where n.environment_id = ${tenant.production.id}`
      assert.strictEqual(rows.length, 1)
    })
  )

  it.effect("ends with conversion at no cost, or with the number, which may then be imported again M-IMP-13", () =>
    Effect.gen(function* () {
      const { body, production, tenant } = yield* stage()
      const before = yield* moneyOf(tenant.organization_id)
      const first = (yield* production.import(body())).body
      const converted = yield* production.api("POST", `/phone-numbers/${first.id}/convert-to-byon`)
      assert.deepStrictEqual([converted.status, converted.body.numprov_management.status], [200, "ended"])
      assert.strictEqual((yield* production.import(body())).body.error.code, "numprov_number_already_imported")
      yield* production.api("POST", `/phone-numbers/${first.id}/disconnect`)
      const again = yield* production.import(body())
      assert.strictEqual(again.status, 202)
      assert.notStrictEqual(again.body.id, first.id)
      assert.deepStrictEqual(yield* moneyOf(tenant.organization_id), before)
    })
  )

  it.effect("is switched off with provisioning, and under an empty balance M-IMP-16", () =>
    Effect.gen(function* () {
      const { body, production, sandbox, simulated, sql, tenant } = yield* stage()
      yield* sql`update environments set capabilities_off = '["phone_provisioning"]' where id = ${tenant.sandbox.id}`
      assert.deepStrictEqual(refusal(yield* sandbox.import(simulated())).slice(0, 2), [403, "feature_disabled"])
      yield* sql`update organizations set credit_blocked = true where id = ${tenant.organization_id}`
      assert.deepStrictEqual(refusal(yield* production.import(body())).slice(0, 2), [402, "credit_balance_exhausted"])
    })
  )

  it.effect("shows a code that the number receives, through its connection's own receiver M-PHN-20", () =>
    Effect.gen(function* () {
      const { body, connection, listed, production } = yield* stage()
      const { id } = (yield* production.import(body())).body
      const told = JSON.stringify({
        id: "evt_1",
        type: "sms.received",
        created_at: new Date(yield* Clock.currentTimeMillis).toISOString(),
        data: { number_id: listed[0]?.number_id, from: "+1", to: listed[0]?.number, text: "Code 246810" }
      })
      assert.strictEqual((yield* tellSigned(`/webhooks/numprov/${connection}`, told, "whsec")).status, 200)
      yield* quiesce
      assert.strictEqual((yield* production.number(id)).verification_code, "246810")
      const forged = yield* tellSigned(`/webhooks/numprov/${connection}`, told, "another")
      assert.deepStrictEqual([forged.status, forged.body.error.code], [401, "provider_webhook_signature_invalid"])
    })
  )
})
