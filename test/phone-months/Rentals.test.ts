import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { askFor, entriesOf, violations, walletOf } from "../billing/Accounts.ts"
import { Api } from "../support/ApiTest.ts"
import { leapTo, turnBy } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { imported, monthProduct, monthStage, monthsTo, rental, rented, some, subscribe } from "./Stage.ts"

/** The renewals of an environment's numbers, by number. */
const renewals = Effect.fnUntraced(function* ({ key }: TestEnvironment) {
  const { get } = yield* Api
  const { body } = yield* get("/v1/billing/phone-renewal?limit=100", { key })
  return new Map(
    (body.data as ReadonlyArray<{ readonly id: string; readonly renewal: { readonly [member: string]: unknown } }>).map(
      ({ id, renewal }) => [id, renewal]
    )
  )
})

const statusesOf = Effect.fnUntraced(function* ({ id }: TestEnvironment) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ readonly status: string }>`select status from phone_numbers where environment_id = ${id}
    order by id`).map(({ status }) => status)
}, Effect.orDie)

const shown = [
  "state",
  "reason_codes",
  "next_renewal_at",
  "release_cutoff_at",
  "automatic_release_enabled",
  "amount_brl",
  "recommended_action"
]

it.layer(monthProduct, { excludeTestServices: true, timeout: "60 seconds" })("Rentals", (it) => {
  it.effect(
    "charges rented numbers by activation, then management, each in full; what leaves the balance below zero puts all that were charged at risk, until the balance is at zero M-PHN-30 M-PHN-31 M-PHN-32 M-PHN-34 M-PHN-36 M-PHN-40 C-LED-19 (gaps-3 D What may go negative)",
    () =>
      Effect.gen(function* () {
        yield* leapTo("2026-03-10T12:00:00Z")
        const { production, organization_id } = yield* monthStage(60_0000)
        const managed = yield* imported(production)
        const first = yield* rented(production)
        yield* turnBy(1)
        const second = yield* rented(production)
        // The month of activation is charged by the activation, not by the calendar.
        const march = ["upcoming", [], "2026-04-01T00:05:00.000Z", null, true, "49.9000", "none"]
        assert.deepStrictEqual(some((yield* renewals(production)).get(second.id) ?? {}, ...shown), march)
        yield* monthsTo("2026-04-01T00:05:00Z", production)
        const entries = yield* entriesOf({ id: organization_id })
        assert.deepStrictEqual(
          entries.slice(1).map(({ amount, meter_id, type, uncollected }) => [type, meter_id, amount, uncollected]),
          [
            ["debit", "phone.rental.month", rental, 0],
            ["debit", "phone.rental.month", rental, 2 * rental - 60_0000]
          ]
        )
        const sql = yield* SqlClient.SqlClient
        const decided = yield* sql<{ readonly id: string; readonly step: string; readonly amount: number | null }>`
          select phone_number_id as id, step, amount from phone_months where account_id = ${organization_id}
          order by phone_number_id`
        assert.deepStrictEqual(
          [...decided],
          [
            { id: managed.id, step: "management", amount: null },
            { id: first.id, step: "rental", amount: rental },
            { id: second.id, step: "rental", amount: rental }
          ]
        )
        const atRisk = [
          "at_risk",
          ["insufficient_credit"],
          "2026-05-01T00:05:00.000Z",
          "2026-04-30T12:00:00.000Z",
          true,
          "49.9000",
          "add_credit_or_enable_auto_topup"
        ]
        const april = yield* renewals(production)
        assert.deepStrictEqual(some(april.get(first.id) ?? {}, ...shown), atRisk)
        assert.deepStrictEqual(some(april.get(second.id) ?? {}, ...shown), atRisk)
        // A top-up before its turn on the last day saves the numbers.
        yield* askFor(organization_id, "credit", 2 * rental - 60_0000)
        yield* monthsTo("2026-04-30T12:00:00Z", production)
        assert.strictEqual((yield* walletOf({ id: organization_id })).balance, 0)
        const paid = ["upcoming", [], "2026-05-01T00:05:00.000Z", null, true, "49.9000", "none"]
        assert.deepStrictEqual(some((yield* renewals(production)).get(first.id) ?? {}, ...shown), paid)
        assert.deepStrictEqual(yield* statusesOf(production), ["active", "active", "active"])
        assert.deepStrictEqual(yield* violations, [])
      })
  )

  it.effect(
    "an unpaid month ends in release on the free plan, within the window of its last day; a paid plan keeps the number at risk M-PHN-33 M-PHN-35 M-PHN-39 (gaps-3 F Month clock as jobs)",
    () =>
      Effect.gen(function* () {
        yield* leapTo("2026-06-10T12:00:00Z")
        const free = yield* monthStage(1_0000)
        const paying = yield* monthStage(1_0000)
        yield* subscribe(paying.production, "starter", "2026-12-10T12:00:00Z")
        yield* rented(free.production)
        const kept = yield* rented(paying.production)
        yield* monthsTo("2026-07-01T00:05:00Z", free.production, paying.production)
        yield* monthsTo("2026-07-31T12:00:00Z", free.production, paying.production)
        assert.include(["release_requested", "released"], (yield* statusesOf(free.production))[0])
        assert.deepStrictEqual(yield* statusesOf(paying.production), ["active"])
        assert.deepStrictEqual(some((yield* renewals(paying.production)).get(kept.id) ?? {}, ...shown), [
          "at_risk",
          ["insufficient_credit"],
          "2026-08-01T00:05:00.000Z",
          null,
          false,
          "49.9000",
          "add_credit_or_enable_auto_topup"
        ])
        // The released number is charged no more; the other one is, further below zero.
        yield* monthsTo("2026-08-01T00:05:00Z", free.production, paying.production)
        assert.strictEqual((yield* walletOf({ id: free.organization_id })).balance, 1_0000 - rental)
        assert.strictEqual((yield* walletOf({ id: paying.organization_id })).balance, 1_0000 - 2 * rental)
      })
  )

  it.effect(
    "a charge that did not run in time is made late for its month, and a number that was not ended in its window is not ended that month (gaps-3 F Month clock as jobs)",
    () =>
      Effect.gen(function* () {
        yield* leapTo("2026-09-10T12:00:00Z")
        const { production, organization_id } = yield* monthStage(1_0000)
        yield* rented(production)
        yield* monthsTo("2026-10-01T00:05:00Z", production)
        // From here to the middle of December no job runs, except the calendar at 18:00 of October's last day.
        yield* monthsTo("2026-10-31T18:00:00Z", production)
        assert.deepStrictEqual(yield* statusesOf(production), ["active"])
        yield* monthsTo("2026-12-15T00:00:00Z", production)
        const sql = yield* SqlClient.SqlClient
        const decided = yield* sql<{
          readonly month: string
          readonly step: string
        }>`select month, step from phone_months
          where account_id = ${organization_id} order by month`
        assert.deepStrictEqual(
          decided.map(({ month, step }) => `${month} ${step}`),
          ["2026-10 rental", "2026-11 rental", "2026-12 rental"]
        )
        assert.deepStrictEqual(yield* statusesOf(production), ["active"])
      })
  )

  it.effect(
    "the list of renewals answers with its deprecation headers, for rented production numbers only C-PMGT-25 (gaps-3 F Deprecated phone-renewal)",
    () =>
      Effect.gen(function* () {
        const { get } = yield* Api
        yield* leapTo("2027-01-10T12:00:00Z")
        const { production, sandbox, sibling } = yield* monthStage(1000_0000)
        yield* imported(production)
        yield* rented(sibling.production)
        const older = yield* rented(production)
        yield* turnBy(1)
        const newer = yield* rented(production)
        const answer = yield* get("/v1/billing/phone-renewal?limit=1", { key: production.key })
        assert.strictEqual(answer.status, 200)
        assert.deepStrictEqual(
          [answer.headers.deprecation, answer.headers.link],
          ["@1767225600", '</v1/phone-numbers>; rel="successor-version"']
        )
        assert.deepStrictEqual([answer.body.object, answer.body.has_more, answer.body.data.length], ["list", true, 1])
        const [item] = answer.body.data
        assert.deepStrictEqual(Object.keys(item), ["id", "object", "phone_number_id", "phone", "renewal"])
        assert.deepStrictEqual(
          [item.id, item.object, item.phone_number_id, item.phone],
          [newer.id, "phone_renewal", newer.id, newer.phone]
        )
        const rest = yield* get(`/v1/billing/phone-renewal?starting_after=${answer.body.next_cursor}`, {
          key: production.key
        })
        assert.deepStrictEqual([rest.body.data[0].id, rest.body.has_more], [older.id, false])
        const ofSandbox = yield* get("/v1/billing/phone-renewal", { key: sandbox.key })
        assert.deepStrictEqual([ofSandbox.body.data, ofSandbox.headers.deprecation], [[], "@1767225600"])
        const refused = yield* get("/v1/billing/phone-renewal?limit=101", { key: production.key })
        assert.deepStrictEqual([refused.status, refused.body.error.param], [400, "limit"])
      })
  )
})
