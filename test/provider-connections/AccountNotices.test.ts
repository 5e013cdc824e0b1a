import { readWebhook } from "@carteiro/provider-upstream/webhook/UpstreamWebhook.ts"
import { inOrder } from "@carteiro/runtime/provider-connections/account/AccountChange.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { signedIn } from "../console/Visitor.ts"
import { until } from "../support/Until.ts"
import { account, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"
import { upstreamCase } from "../support/UpstreamCase.ts"

interface ConnectionRow {
  readonly status: string
  readonly suspension_reason: string | null
  readonly ban: string | null
  readonly ban_date: number | null
  readonly warning: string | null
  readonly restrictions: string | null
  readonly has_secret: boolean
}

/** A production number behind the platform, and its connection and limits as rows. */
const noticeStage = Effect.gen(function* () {
  const stage = yield* upstreamStage
  const { number, sql, tell } = stage
  // The cases happened before this test began.
  const consentedAt = (instant: string) =>
    sql`update provider_connections set connected_at = ${instant}::timestamptz
      where environment_id = ${number.environment_id} and status = 'connected'`
  yield* consentedAt("2026-01-01T00:00:00Z")
  const connection = Effect.map(
    Effect.orDie(sql<ConnectionRow>`select status, suspension_reason, biz_account_ban_state as ban,
      biz_account_ban_date as ban_date, last_policy_warning_type as warning, restrictions,
      credential is not null as has_secret from provider_connections
      where environment_id = ${number.environment_id} order by created_at desc limit 1`),
    ([row]) => row
  )
  const limits = Effect.map(
    Effect.orDie(sql<
      Record<string, string | null>
    >`select messaging_limit_tier, messaging_tier, upstream_throughput_tier
      from phone_numbers where id = ${number.id}`),
    ([row]) => row
  )
  const tellCase = (name: string, change = (input: string) => input) =>
    Effect.gen(function* () {
      const input = JSON.parse(change(JSON.stringify(upstreamCase(name).input)))
      input.entry[0].changes[0].value.display_phone_number &&= number.phone.slice(1)
      assert.strictEqual((yield* tell(input)).status, 200)
      yield* until(
        Effect.map(sql`select 1 from vendor_webhook_work where due_at is not null`, (rows) => rows.length === 0)
      )
    })
  return { ...stage, connection, consentedAt, limits, tellCase }
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("Notices about an account", (it) => {
  it.effect("suspend it with a ban, warn of one, and restore it U-ACC-01", () =>
    Effect.gen(function* () {
      const { connection, tellCase } = yield* noticeStage
      yield* tellCase("account-update-ban")
      assert.deepInclude(yield* connection, {
        status: "suspended",
        suspension_reason: "account_banned",
        ban: "DISABLE",
        ban_date: Date.UTC(2026, 10, 27)
      })
      yield* tellCase("account-update-reinstate")
      assert.deepInclude(yield* connection, { status: "connected", suspension_reason: null, ban: "REINSTATE" })
      const { time } = upstreamCase("account-update-reinstate").input.entry[0]
      yield* tellCase("account-update-ban", (text) =>
        text.replace('"DISABLE"', '"SCHEDULE_FOR_DISABLE"').replace(/"time":\d+/, `"time":${time}`)
      )
      assert.deepInclude(yield* connection, {
        status: "connected",
        ban: "SCHEDULE_FOR_DISABLE",
        warning: "SCHEDULE_FOR_DISABLE"
      })
    })
  )

  it.effect("undo nothing that happened later, whatever comes last U-ACC-01", () =>
    Effect.gen(function* () {
      const { connection, tellCase } = yield* noticeStage
      const { time } = upstreamCase("account-update-ban").input.entry[0]
      const at = (seconds: number) => (text: string) => text.replace(/"time":\d+/, `"time":${time + seconds}`)
      yield* tellCase("account-update-reinstate", at(60))
      yield* tellCase("account-update-ban", at(0))
      assert.deepInclude(yield* connection, { status: "connected", suspension_reason: null, ban: "REINSTATE" })
      yield* tellCase("account-update-ban", at(120))
      assert.deepInclude(yield* connection, { status: "suspended", ban: "DISABLE" })
      yield* tellCase("account-update-reinstate", at(90))
      assert.deepInclude(yield* connection, {
        status: "suspended",
        suspension_reason: "account_banned",
        ban: "DISABLE"
      })
    })
  )

  it("are ordered by what they tell: an older one about something else still counts U-ACC-01", () => {
    const nothing = {
      status: null,
      suspension_reason: null,
      ban_state: null,
      ban_date: null,
      policy_warning: null,
      review_status: null,
      restrictions: null,
      capability: null
    }
    const ban = { ...nothing, status: "suspended", suspension_reason: "account_banned", ban_state: "DISABLE" } as const
    const review = { ...nothing, review_status: "APPROVED" }
    assert.deepStrictEqual(inOrder(ban, 20, {}), { change: ban, times: { ban: 20 } })
    assert.deepStrictEqual(inOrder(review, 10, { ban: 20 }), { change: review, times: { ban: 20, review: 10 } })
    assert.deepStrictEqual(inOrder({ ...ban, ...{ review_status: "APPROVED" } }, 10, { ban: 20 }), {
      change: review,
      times: { ban: 20, review: 10 }
    })
    assert.deepStrictEqual(inOrder(ban, null, { ban: 20 }), { change: ban, times: { ban: 20 } })
  })

  it.effect("set the limit of each of its numbers, and a throughput without a limit U-LIM-02", () =>
    Effect.gen(function* () {
      const { limits, number, sql, tellCase } = yield* noticeStage
      const lower = sql`update phone_numbers set messaging_limit_tier = 'TIER_250', messaging_tier = 'tier_250',
        upstream_throughput_tier = '2' where id = ${number.id}`
      const raised = { messaging_limit_tier: "TIER_10K", messaging_tier: "tier_10k", upstream_throughput_tier: "2" }
      yield* lower
      yield* tellCase("business-capability-update")
      assert.deepStrictEqual(yield* limits, raised)
      yield* lower
      yield* tellCase("phone-quality-2026")
      assert.deepStrictEqual(yield* limits, raised)
      yield* tellCase("throughput-upgrade")
      assert.deepStrictEqual(yield* limits, { ...raised, upstream_throughput_tier: "unlimited" })
    })
  )

  for (const [name, reason] of [
    ["account-update-partner-removed", "partner_removed"],
    ["account-update-partner-removed", "partner_app_uninstalled"],
    ["account-update-account-deleted", "account_deleted"],
    ["account-update-account-deleted", "account_offboarded"]
  ] as const) {
    it.effect(`end its connection with the reason, and ask for a new consent: ${reason} U-ACC-01`, () =>
      Effect.gen(function* () {
        const { api, connection, key, tellCase } = yield* noticeStage
        const event = /"(?:PARTNER_REMOVED|ACCOUNT_DELETED)"/
        yield* tellCase(name, (text) => text.replace(event, `"${reason.toUpperCase()}"`))
        assert.deepInclude(yield* connection, {
          status: "disconnected",
          suspension_reason: reason,
          has_secret: false
        })
        const { body } = yield* api.get("/v1/provider-connections/status", { key })
        assert.deepInclude(body.channels.chatapp, { ready: false })
        const owner = yield* signedIn(api.acme)
        const [{ id }] = (yield* api.get("/v1/provider-connections?limit=1", { key })).body.data
        const page = yield* owner.get(`/dashboard/connections/${api.acme.production.id}/${id}`)
        assert.include(page.text, "consents anew")
      })
    )
  }

  it.effect("find a number under the platform's spelling without its ninth digit U-CON-08", () =>
    Effect.gen(function* () {
      const { number, sql, tell } = yield* noticeStage
      const phone = "+5511987654321"
      yield* sql`update phone_numbers set phone = ${phone} where id = ${number.id}`
      const names = (display_phone_number: string, requested_verified_name: string) =>
        Effect.gen(function* () {
          const value = { display_phone_number, decision: "APPROVED", requested_verified_name, rejection_reason: null }
          const changes = [{ field: "phone_number_name_update", value }]
          yield* tell({ object: "whatsapp_business_account", entry: [{ id: account.biz_account_id, changes }] })
          const find = sql`select 1 from phone_numbers where id = ${number.id} and verified_name = ${requested_verified_name}`
          yield* until(Effect.map(find, (rows) => rows.length === 1))
        })
      yield* names("551187654321", "Without")
      yield* names("+55 11 98765-4321", "With")
    })
  )

  it.effect("end no connection of a later consent, by the platform's seconds U-ACC-01", () =>
    Effect.gen(function* () {
      const { connection, consentedAt, tellCase } = yield* noticeStage
      const { time } = upstreamCase("account-update-partner-removed").input.entry[0]
      const instant = (millis: number) => new Date(time * 1000 + millis).toISOString()
      yield* consentedAt(instant(1000))
      yield* tellCase("account-update-partner-removed")
      assert.deepInclude(yield* connection, { status: "connected", suspension_reason: null, has_secret: true })
      yield* consentedAt(instant(999))
      yield* tellCase("account-update-partner-removed")
      assert.deepInclude(yield* connection, { status: "disconnected", suspension_reason: "partner_removed" })
    })
  )

  it.effect("end a connection when they tell no time U-ACC-01", () =>
    Effect.gen(function* () {
      const { connection, tellCase } = yield* noticeStage
      yield* tellCase("account-update-partner-removed", (text) => text.replace(/"time":\d+,/, ""))
      assert.deepInclude(yield* connection, { status: "disconnected", suspension_reason: "partner_removed" })
    })
  )
})

describe("The reader of notices about an account", () => {
  const read = (value: object, field = "account_update", id = "portfolio-1") =>
    readWebhook(new TextEncoder().encode(JSON.stringify({ entry: [{ id, changes: [{ field, value }] }] }))).accounts

  it("routes by the account that a notice names, else by its entry U-ACC-01", () => {
    const named = read({ event: "PARTNER_REMOVED", waba_info: { waba_id: account.biz_account_id } })
    assert.deepStrictEqual([...named.keys()], [account.biz_account_id])
    assert.deepStrictEqual([...read({ event: "ACCOUNT_DELETED" }).keys()], ["portfolio-1"])
  })

  it("reads the end of a restriction as seconds and as text U-ACC-01", () => {
    const restriction_info = [
      { restriction_type: "A", expiration: 1798000000 },
      { restriction_type: "B", expiration: "2026-12-23T04:26:40+0000" },
      { restriction_type: "C", expiration: "December 23, 2026" },
      { restriction_type: "D" }
    ]
    const [notice] = read({ event: "ACCOUNT_RESTRICTION", restriction_info }).get("portfolio-1") ?? []
    assert.deepStrictEqual(notice?.kind === "account" && notice.restrictions?.map(({ expires_at }) => expires_at), [
      1798000000000,
      Date.UTC(2026, 11, 23, 4, 26, 40),
      Date.UTC(2026, 11, 23),
      null
    ])
  })

  it("reads the limit of a business as a word, a number or -1 U-LIM-02", () => {
    const tier = (limit: unknown) => {
      const value = { max_daily_conversations_per_business: limit }
      const [notice] = read(value, "business_capability_update").get("portfolio-1") ?? []
      return notice?.kind === "account_limit" ? notice.messaging_limit_tier : notice?.kind
    }
    assert.deepStrictEqual(["TIER_2K", 2000, "2000", 5000, 100_000, -1, 0, null].map(tier), [
      "TIER_2K",
      "TIER_2K",
      "TIER_2K",
      "TIER_2K",
      "TIER_100K",
      "TIER_UNLIMITED",
      "other",
      "other"
    ])
  })
})
