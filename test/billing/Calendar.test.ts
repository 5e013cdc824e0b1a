import { insertMonths } from "@carteiro/runtime/billing/months/CalendarRepo.ts"
import {
  type AccountCalendar,
  accountMonthsToBegin,
  monthJobs,
  monthsToBegin
} from "@carteiro/runtime/billing/months/MonthClock.ts"
import { MonthRepo } from "@carteiro/runtime/billing/months/MonthRepo.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { leapTo, OwnerTest } from "../support/OwnerTest.ts"
import { steadyDatabase } from "../support/SteadyDatabase.ts"
import { seedTenant } from "../support/Tenants.ts"

const [charge, disable] = monthJobs
const at = (text: string): number => Date.parse(text)
const instants = (months: ReadonlyArray<string>) =>
  monthJobs.map((job) => months.map((month) => new Date(job.dueAt(month)).toISOString().slice(0, 16)))

describe("The clock of the months", () => {
  it("is 00:05 UTC on the 1st and 12:00 UTC on the last day, leap years included (gaps-3 F Month clock as jobs)", () => {
    assert.deepStrictEqual(instants(["2027-12", "2028-02", "2028-04", "2029-02"]), [
      ["2027-12-01T00:05", "2028-02-01T00:05", "2028-04-01T00:05", "2029-02-01T00:05"],
      ["2027-12-31T12:00", "2028-02-29T12:00", "2028-04-30T12:00", "2029-02-28T12:00"]
    ])
  })

  it("starts a month when it is due, and also the months it missed", () => {
    if (charge === undefined) return assert.fail("no job")
    assert.deepStrictEqual(monthsToBegin(charge, undefined, at("2028-03-01T00:04:59Z")), [])
    assert.deepStrictEqual(monthsToBegin(charge, undefined, at("2028-03-17T00:00:00Z")), ["2028-03"])
    assert.deepStrictEqual(monthsToBegin(charge, "2028-03", at("2028-03-31T23:59:59Z")), [])
    assert.deepStrictEqual(monthsToBegin(charge, "2027-11", at("2028-02-01T00:05:00Z")), [
      "2027-12",
      "2028-01",
      "2028-02"
    ])
  })
})

it.layer(OwnerTest(MonthRepo.layer, {}, { database: steadyDatabase }), { excludeTestServices: true })(
  "The calendar",
  (it) => {
    it.effect("creates one row for each existing account and job, however often rows are inserted", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const months = yield* MonthRepo
        if (charge === undefined || disable === undefined) return assert.fail("no job")
        yield* leapTo("2028-02-29T11:59:59.999Z")
        const { organization_id: early, sandbox } = yield* seedTenant("early")
        yield* sql`insert into wallets (account_id, organization_id, environment, created_at, updated_at)
        select ${sandbox.id}, ${early}, 'sandbox', '2028-02-29T12:00:00Z', now()`
        yield* insertMonths
        // It begins in the middle of a month: the charge of it is late, for those who were there.
        const rows = (account: string) =>
          Effect.map(
            sql<{ readonly month: string; readonly job: string }>`select month, job from account_months
            where account_id = ${account} order by due_at`,
            (found) => found.map(({ job, month }) => `${month} ${job}`)
          )
        assert.deepStrictEqual(yield* rows(early), [])
        yield* leapTo("2028-02-29T12:00:00Z")
        yield* Effect.all([insertMonths, insertMonths, insertMonths], { concurrency: "unbounded" })
        yield* insertMonths
        assert.deepStrictEqual(yield* rows(early), ["2028-02 month_end_disable"])
        assert.deepStrictEqual(yield* rows(sandbox.id), ["2028-02 month_end_disable"])
        const { organization_id: late } = yield* seedTenant("late")
        yield* leapTo("2028-03-01T00:05:00Z")
        yield* insertMonths
        assert.deepStrictEqual(yield* rows(late), ["2028-03 month_charge"])
        assert.deepStrictEqual(yield* months.due(early, disable.dueAt("2028-02")), [
          { month: "2028-02", job: "month_end_disable", due_at: disable.dueAt("2028-02") }
        ])
        const due = yield* months.dueAccounts(charge.dueAt("2028-03"), "", 100)
        assert.includeMembers([...due.ids], [early, late, sandbox.id])
        assert.deepStrictEqual((yield* months.dueAccounts(charge.dueAt("2028-01"), "", 100)).ids, [])
      })
    )
  }
)

describe("The months of an account on a clock of its own", () => {
  const opened = at("2027-11-17T10:00:00Z")

  it("months begin at equal instants, whether the clock steps or leaps", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90 * 86_400_000 }), { minLength: 1, maxLength: 12 }), (leaps) => {
        const begun: Array<string> = []
        let calendar: AccountCalendar = { opened_at: opened, last: {} }
        let now = opened
        for (const leap of leaps) {
          now += leap
          for (const { job, month } of accountMonthsToBegin(calendar, now)) {
            begun.push(`${month} ${job.name}`)
            calendar = { ...calendar, last: { ...calendar.last, [job.name]: month } }
          }
        }
        const atOnce = accountMonthsToBegin({ opened_at: opened, last: {} }, now)
        assert.deepStrictEqual(begun.toSorted(), atOnce.map(({ job, month }) => `${month} ${job.name}`).toSorted())
      })
    )
  })

  it("charges no month before the wallet's opening, and not the month of its opening", () => {
    const names = accountMonthsToBegin({ opened_at: opened, last: {} }, at("2027-12-31T12:00:00Z"))
    assert.deepStrictEqual(
      names.map(({ job, month }) => `${month} ${job.name}`),
      ["2027-12 month_charge", "2027-11 month_end_disable", "2027-12 month_end_disable"]
    )
  })
})
