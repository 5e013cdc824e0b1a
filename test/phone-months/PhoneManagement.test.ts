import { PhoneManagementCoverage, PhoneManagementSummary } from "@carteiro/schema/phone-months/PhoneManagement.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { askFor, entriesOf, violations, walletOf } from "../billing/Accounts.ts"
import { Api } from "../support/ApiTest.ts"
import { leapTo, turnBy } from "../support/OwnerTest.ts"
import {
  coverage,
  coverageOf,
  fee,
  imported,
  monthProduct,
  monthStage,
  monthsTo,
  review,
  some,
  subscribe,
  suspendedAt
} from "./Stage.ts"

const isItem = Schema.is(PhoneManagementCoverage)
const isSummary = Schema.is(PhoneManagementSummary)
const rowsOf = (table: "phone_numbers" | "numprov_enrollments" | "phone_months" | "unpaid_months") =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.orDie(sql`select to_jsonb(t) - 'row_version' as row from ${sql.literal(table)} t order by 1`)
  )

it.layer(monthProduct, { excludeTestServices: true, timeout: "60 seconds" })("Coverage of imported numbers", (it) => {
  it.effect(
    "lists the environment's imported numbers newest first, with every printed member, page by page under one summary C-PMGT-01 C-PMGT-02 C-PMGT-03 C-PMGT-04 C-PMGT-14 C-PMGT-15 C-PMGT-16 (gaps-3 F Coverage item and summary)",
    () =>
      Effect.gen(function* () {
        const { get } = yield* Api
        yield* leapTo("2026-02-10T12:00:00Z")
        const { production, sandbox, sibling } = yield* monthStage(1000_0000)
        yield* subscribe(production, "standard", "2026-03-10T12:00:00Z")
        const first = yield* imported(production)
        yield* turnBy(1000)
        const second = yield* imported(production)
        yield* imported(sibling.production)
        yield* imported(sandbox)
        const before = [
          yield* rowsOf("phone_numbers"),
          yield* rowsOf("numprov_enrollments"),
          yield* rowsOf("phone_months")
        ]
        const { body, status } = yield* coverage(production)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(Object.keys(body).sort(), [
          "data",
          "has_more",
          "next_cursor",
          "object",
          "summary",
          "trace_id"
        ])
        assert.deepStrictEqual(
          body.data.map(({ id }: { id: string }) => id),
          [second.id, first.id]
        )
        assert.isTrue(body.data.every(isItem))
        assert.isTrue(isSummary(body.summary))
        assert.deepStrictEqual(body.data[1], {
          id: first.id,
          object: "phone_management_coverage",
          phone_number_id: first.id,
          phone: first.phone,
          display_name: "Demo",
          environment: "production",
          coverage: "plan",
          covered_until: "2026-04-01T00:00:00.000Z",
          next_charge_at: "2026-04-01T00:05:00.000Z",
          next_charge_brl: "19.9000",
          currency: "brl",
          current_month_payment_status: "not_charged",
          service_state: "serving",
          disable_at: null,
          evaluated_at: "2026-02-10T12:00:01.000Z"
        })
        const summary = {
          retained_count: 2,
          monthly_total_brl: "39.8000",
          next_charge_at: "2026-04-01T00:05:00.000Z",
          next_charge_brl: "39.8000",
          currency: "brl"
        }
        assert.deepStrictEqual(body.summary, summary)
        const page = yield* coverage(production, "?limit=1")
        assert.deepStrictEqual([page.body.data.length, page.body.has_more], [1, true])
        assert.deepStrictEqual(page.body.summary, summary)
        const rest = yield* coverage(production, `?limit=1&starting_after=${page.body.next_cursor}`)
        assert.deepStrictEqual([rest.body.data[0].id, rest.body.has_more], [first.id, false])
        const bad = yield* Effect.forEach(["limit=0", "limit=101", "starting_after=x", "status=active"], (query) =>
          Effect.map(coverage(production, `?${query}`), ({ body: { error }, status }) => [
            status,
            error.code,
            error.param
          ])
        )
        assert.deepStrictEqual(bad, [
          [400, "invalid_billing_query", "limit"],
          [400, "invalid_billing_query", "limit"],
          [400, "invalid_cursor", "starting_after"],
          [400, "invalid_billing_query", "status"]
        ])
        assert.strictEqual((yield* get("/v1/billing/phone-management")).status, 401)
        // It reads: no row has changed.
        const after = [
          yield* rowsOf("phone_numbers"),
          yield* rowsOf("numprov_enrollments"),
          yield* rowsOf("phone_months")
        ]
        assert.deepStrictEqual(after, before)
      })
  )

  it.effect(
    "a plan covers the month in which it ends; then one full fee is charged on each 1st, and nothing is sent before that C-PMGT-05 C-PMGT-06 C-PMGT-07 C-PMGT-08 C-PMGT-10 C-PMGT-11 C-PMGT-18 M-IMP-09 M-IMP-10",
    () =>
      Effect.gen(function* () {
        yield* leapTo("2026-04-10T12:00:00Z")
        const { production, organization_id } = yield* monthStage(1000_0000)
        const sql = yield* SqlClient.SqlClient
        yield* subscribe(production, "growth", "2026-04-20T12:00:00Z")
        const number = yield* imported(production)
        yield* review(production)
        assert.isNull(yield* suspendedAt(number))
        yield* leapTo("2026-04-20T12:00:00Z")
        yield* subscribe(production, null)
        yield* review(production)
        yield* leapTo("2026-04-30T23:59:59Z")
        const shown = ["coverage", "covered_until", "next_charge_at", "current_month_payment_status", "service_state"]
        assert.deepStrictEqual(some(yield* coverageOf(production, number), ...shown, "disable_at"), [
          "plan",
          "2026-05-01T00:00:00.000Z",
          "2026-05-01T00:05:00.000Z",
          "not_charged",
          "serving",
          null
        ])
        // The number is not charged yet, so it has no coverage.
        assert.strictEqual(yield* suspendedAt(number), "2026-05-01T00:00:00.000Z")
        yield* leapTo("2026-05-01T00:00:00Z")
        assert.deepStrictEqual(some(yield* coverageOf(production, number), ...shown), [
          "none",
          null,
          "2026-05-01T00:05:00.000Z",
          "not_charged",
          "not_serving"
        ])
        yield* monthsTo("2026-05-01T00:05:00Z", production)
        assert.deepStrictEqual(some(yield* coverageOf(production, number), ...shown, "next_charge_brl", "disable_at"), [
          "prepaid",
          "2026-06-01T00:00:00.000Z",
          "2026-06-01T00:05:00.000Z",
          "paid",
          "serving",
          "19.9000",
          null
        ])
        assert.strictEqual(yield* suspendedAt(number), "2026-06-01T00:00:00.000Z")
        const entries = yield* entriesOf({ id: organization_id })
        assert.deepStrictEqual(
          entries
            .slice(1)
            .map(({ amount, environment, meter_id, source_type, type, uncollected }) => [
              type,
              amount,
              source_type,
              meter_id,
              environment,
              uncollected
            ]),
          [["debit", fee, "usage", "phone.management.month", "production", 0]]
        )
        // A rerun of the job charges nothing twice.
        yield* sql`update account_months set done_at = null where account_id = ${organization_id} and job = 'month_charge'`
        yield* monthsTo("2026-05-01T00:06:00Z", production)
        assert.strictEqual((yield* entriesOf({ id: organization_id })).length, entries.length)
        assert.deepStrictEqual(yield* violations, [])
      })
  )

  it.effect(
    "an unpaid month: prepaid and unpaid, disabled at the end on the free plan, funding required, and back with the credit of one fee C-PMGT-08 C-PMGT-09 C-PMGT-12 C-PMGT-17 C-PMGT-19 C-PMGT-20 C-PMGT-21 C-PMGT-23 M-IMP-11 M-IMP-12",
    () =>
      Effect.gen(function* () {
        yield* leapTo("2026-07-10T12:00:00Z")
        const { production, organization_id } = yield* monthStage(1_0000)
        yield* subscribe(production, "standard", "2026-07-20T12:00:00Z")
        const number = yield* imported(production)
        yield* leapTo("2026-07-20T12:00:00Z")
        yield* subscribe(production, null)
        const shown = [
          "coverage",
          "current_month_payment_status",
          "service_state",
          "disable_at",
          "next_charge_at",
          "next_charge_brl"
        ]
        const read = Effect.map(coverageOf(production, number), (item) => some(item, ...shown))
        const deadline = "2026-08-31T12:00:00.000Z"
        const next = ["2026-09-01T00:05:00.000Z", "19.9000"]
        // The number was in service, so it is charged below zero.
        yield* monthsTo("2026-08-01T00:05:00Z", production)
        assert.strictEqual((yield* walletOf({ id: organization_id })).balance, 1_0000 - fee)
        assert.deepStrictEqual(yield* read, ["prepaid", "unpaid", "serving", deadline, ...next])
        // Credit below zero pays nothing.
        yield* askFor(organization_id, "credit", fee - 1_0001)
        yield* monthsTo("2026-08-31T11:59:00Z", production)
        assert.deepStrictEqual(yield* read, ["prepaid", "unpaid", "serving", deadline, ...next])
        yield* monthsTo("2026-08-31T12:00:00Z", production)
        const disabled = ["none", "unpaid", "disabled_unpaid_month_end"]
        assert.deepStrictEqual(yield* read, [...disabled, deadline, null, null])
        assert.strictEqual((yield* suspendedAt(number))?.slice(0, 16), "2026-08-31T12:00")
        yield* leapTo("2026-08-31T17:59:59.999Z")
        assert.deepStrictEqual(yield* read, [...disabled, deadline, null, null])
        yield* leapTo("2026-08-31T18:00:00Z")
        assert.deepStrictEqual(yield* read, [...disabled, null, null, null])
        // Paid now: the month stays disabled to its end.
        yield* askFor(organization_id, "credit", 1)
        yield* monthsTo("2026-08-31T18:30:00Z", production)
        assert.deepStrictEqual(yield* read, ["none", "paid", "disabled_unpaid_month_end", null, null, null])
        yield* monthsTo("2026-09-01T00:05:00Z", production)
        const septemberEnd = "2026-09-30T12:00:00.000Z"
        assert.deepStrictEqual(yield* read, ["none", "not_charged", "funding_required", septemberEnd, null, null])
        // Nothing is charged mid-month.
        yield* askFor(organization_id, "credit", fee)
        yield* monthsTo("2026-09-15T00:00:00Z", production)
        const october = ["2026-10-01T00:05:00.000Z", "19.9000"]
        assert.deepStrictEqual(yield* read, ["none", "not_charged", "funding_required", septemberEnd, ...october])
        yield* monthsTo("2026-09-30T12:00:00Z", production)
        assert.deepStrictEqual((yield* read).slice(0, 3), ["none", "not_charged", "disabled_unpaid_month_end"])
        yield* monthsTo("2026-10-01T00:05:00Z", production)
        assert.deepStrictEqual((yield* read).slice(0, 4), ["prepaid", "paid", "serving", null])
        assert.strictEqual((yield* walletOf({ id: organization_id })).balance, 0)
        // It was never released.
        const sql = yield* SqlClient.SqlClient
        const statuses = yield* sql<{
          readonly status: string
        }>`select status from phone_numbers where id = ${number.id}`
        assert.deepStrictEqual([...statuses], [{ status: "active" }])
        assert.strictEqual(yield* suspendedAt(number), "2026-11-01T00:00:00.000Z")
        assert.deepStrictEqual(yield* violations, [])
      })
  )

  it.effect(
    "credit closes the evidence for good: later debits do not reopen the month, and a top-up before its turn saves the number C-PMGT-17 C-PMGT-21 (gaps-3 F Unpaid-month evidence, Month clock as jobs)",
    () =>
      Effect.gen(function* () {
        yield* leapTo("2026-11-10T12:00:00Z")
        const { production, organization_id } = yield* monthStage(1_0000)
        yield* subscribe(production, "standard", "2026-11-11T12:00:00Z")
        const number = yield* imported(production)
        yield* turnBy(1)
        yield* subscribe(production, null)
        yield* monthsTo("2026-12-01T00:05:00Z", production)
        const read = Effect.map(coverageOf(production, number), (item) =>
          some(item, "coverage", "current_month_payment_status", "disable_at")
        )
        assert.deepStrictEqual(yield* read, ["prepaid", "unpaid", "2026-12-31T12:00:00.000Z"])
        yield* askFor(organization_id, "credit", fee - 1_0000)
        yield* monthsTo("2026-12-02T00:00:00Z", production)
        assert.deepStrictEqual(yield* read, ["prepaid", "paid", null])
        yield* askFor(organization_id, "debit", 50_0000)
        yield* monthsTo("2026-12-31T12:00:00Z", production)
        assert.isBelow((yield* walletOf({ id: organization_id })).balance, 0)
        assert.deepStrictEqual(yield* read, ["prepaid", "paid", null])
        const sql = yield* SqlClient.SqlClient
        const evidence = yield* sql<{ readonly subject: string; readonly closed: boolean }>`select subject,
          closed_at is not null as closed from unpaid_months where account_id = ${organization_id}`
        assert.deepStrictEqual([...evidence], [{ subject: number.id, closed: true }])
      })
  )
})

it.layer(monthProduct, { excludeTestServices: true, timeout: "60 seconds" })("Coverage under plans", (it) => {
  it.effect(
    "a paid plan has no deadline, one that is past due ends with its last retry, and a new one covers numbers at once C-PMGT-05 C-PMGT-06 C-PMGT-20 C-PMGT-22",
    () =>
      Effect.gen(function* () {
        yield* leapTo("2027-01-10T12:00:00Z")
        const { production } = yield* monthStage(1_0000)
        yield* subscribe(production, "standard", "2027-01-25T00:00:00Z")
        const number = yield* imported(production)
        const shown = ["coverage", "covered_until", "current_month_payment_status", "service_state", "disable_at"]
        const read = Effect.map(coverageOf(production, number), (item) => some(item, ...shown))
        yield* subscribe(production, "standard", "2027-01-25T00:00:00Z", "2027-01-25T00:00:00Z")
        assert.deepStrictEqual(yield* read, ["plan", "2027-03-01T00:00:00.000Z", "not_charged", "serving", null])
        // Starter does not cover management: the fee is charged, and unpaid numbers stay.
        yield* turnBy(1)
        yield* subscribe(production, "starter", "2027-12-10T12:00:00Z")
        yield* monthsTo("2027-02-01T00:05:00Z", production)
        assert.deepStrictEqual(yield* read, ["prepaid", "2027-03-01T00:00:00.000Z", "unpaid", "serving", null])
        yield* monthsTo("2027-02-28T12:00:00Z", production)
        assert.deepStrictEqual(yield* read, ["prepaid", "2027-03-01T00:00:00.000Z", "unpaid", "serving", null])
        // A new plan covers a number at once that had no credit on the 1st.
        const broke = yield* monthStage(1)
        const unfunded = yield* imported(broke.production)
        const then = Effect.map(coverageOf(broke.production, unfunded), (item) => some(item, ...shown))
        yield* monthsTo("2027-03-01T00:05:00Z", broke.production)
        assert.deepStrictEqual((yield* then).slice(2, 4), ["not_charged", "funding_required"])
        yield* subscribe(broke.production, "growth", "2027-05-05T00:00:00Z")
        yield* review(broke.production)
        assert.deepStrictEqual(yield* then, ["plan", "2027-06-01T00:00:00.000Z", "not_charged", "serving", null])
        assert.isNull(yield* suspendedAt(unfunded))
      })
  )

  it.effect(
    "suspended management sends nothing and schedules nothing; ended management is not listed C-PMGT-02 C-PMGT-08 C-PMGT-12 C-PMGT-14",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* leapTo("2027-06-10T12:00:00Z")
        const { production } = yield* monthStage(1000_0000)
        yield* subscribe(production, "standard", "2027-07-10T12:00:00Z")
        const [kept, held, gone] = [
          yield* imported(production),
          yield* imported(production),
          yield* imported(production)
        ]
        yield* sql`update numprov_enrollments set status = 'suspended' where phone_number_id = ${held.id}`
        yield* sql`update numprov_enrollments set status = 'ended', ended_at = enrolled_at where phone_number_id = ${gone.id}`
        const { body } = yield* coverage(production)
        assert.deepStrictEqual(
          body.data.map(({ id }: { id: string }) => id),
          [held.id, kept.id]
        )
        assert.deepStrictEqual(
          some(
            body.data[0],
            "coverage",
            "covered_until",
            "next_charge_at",
            "next_charge_brl",
            "service_state",
            "disable_at"
          ),
          ["none", null, null, null, "not_serving", null]
        )
        assert.deepStrictEqual([body.summary.retained_count, body.summary.monthly_total_brl], [1, "19.9000"])
        yield* turnBy(1)
        yield* subscribe(production, null)
        yield* monthsTo("2027-07-01T00:05:00Z", production)
        const states = (yield* coverage(production)).body.data.map((item: { [member: string]: unknown }) =>
          some(item, "coverage", "current_month_payment_status")
        )
        assert.deepStrictEqual(states, [
          ["none", "not_charged"],
          ["prepaid", "paid"]
        ])
      })
  )

  it.effect(
    "fees of different instants are summed apart, and nothing scheduled is null C-PMGT-12 C-PMGT-14 C-PMGT-15 C-PMGT-16",
    () =>
      Effect.gen(function* () {
        yield* leapTo("2027-08-10T12:00:00Z")
        const { production } = yield* monthStage(0)
        const empty = yield* coverage(production)
        assert.deepStrictEqual(empty.body.summary, {
          retained_count: 0,
          monthly_total_brl: "0.0000",
          next_charge_at: null,
          next_charge_brl: null,
          currency: "brl"
        })
        // Never covered, and no credit: nothing is scheduled.
        yield* imported(production)
        const { body } = yield* coverage(production)
        assert.deepStrictEqual(
          [body.data.length, body.summary.retained_count, body.summary.next_charge_at],
          [1, 0, null]
        )
      })
  )

  it.effect(
    "in sandbox each 1st funds a fee of zero: paid, without unpaid state or deadline, and nothing moves C-PMGT-13 C-PMGT-15 C-PMGT-24",
    () =>
      Effect.gen(function* () {
        yield* leapTo("2027-09-10T12:00:00Z")
        const { sandbox, organization_id } = yield* monthStage(0)
        yield* subscribe(sandbox, "standard", "2027-10-10T12:00:00Z")
        const number = yield* imported(sandbox)
        yield* turnBy(1)
        yield* subscribe(sandbox, null)
        const shown = [
          "coverage",
          "current_month_payment_status",
          "service_state",
          "next_charge_at",
          "next_charge_brl",
          "disable_at"
        ]
        const read = Effect.map(coverageOf(sandbox, number), (item) => some(item, ...shown))
        assert.deepStrictEqual(yield* read, [
          "plan",
          "not_charged",
          "serving",
          "2027-10-01T00:05:00.000Z",
          "0.0000",
          null
        ])
        yield* leapTo("2027-10-01T00:00:00Z")
        assert.deepStrictEqual(yield* read, [
          "none",
          "not_charged",
          "not_serving",
          "2027-10-01T00:05:00.000Z",
          "0.0000",
          null
        ])
        yield* monthsTo("2027-10-01T00:05:00Z", sandbox)
        const paid = ["prepaid", "paid", "serving", "2027-11-01T00:05:00.000Z", "0.0000", null]
        assert.deepStrictEqual(yield* read, paid)
        yield* monthsTo("2027-10-31T12:00:00Z", sandbox)
        assert.deepStrictEqual(yield* read, paid)
        const { body } = yield* coverage(sandbox)
        assert.deepStrictEqual(body.summary, {
          retained_count: 1,
          monthly_total_brl: "0.0000",
          next_charge_at: "2027-11-01T00:05:00.000Z",
          next_charge_brl: "0.0000",
          currency: "brl"
        })
        assert.deepStrictEqual(yield* entriesOf({ id: organization_id }), [])
        assert.deepStrictEqual(yield* entriesOf({ id: sandbox.id }), [])
      })
  )
})
