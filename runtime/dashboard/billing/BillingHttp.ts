import { LedgerSource } from "@carteiro/schema/billing/LedgerEntry.ts"
import type { BillingNotice } from "@carteiro/schema/billing/NoticesApi.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect, Layer } from "effect"
import {
  AccountDirectory,
  dailyBalances,
  type LedgerRow,
  monthsBetween,
  type OpenHold,
  type UsageLine
} from "../../billing/Billing.ts"
import { formatReais, reaisInFiles } from "../../locale/Reais.ts"
import { textFilter, wordFilter } from "../kit/Filters.ts"
import { type Html, html } from "../kit/Html.ts"
import { say, sentence } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { organizationList } from "../kit/ListPage.ts"
import { pageOf } from "../kit/Lists.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, type Visit } from "../kit/Pages.ts"
import { badge, form, instant, none, table } from "../kit/Parts.ts"
import { balanceChart } from "./BalanceChart.ts"
import { billingAddress, billingMenu, movementTable, topupTable } from "./BillingParts.ts"

/** The organization's credit: balance and what moved it this month, usage by meter and number, holds, top-ups. C-BAL-01..13 */
export const BillingHttp = Layer.unwrap(
  Effect.gen(function* () {
    const accounts = yield* AccountDirectory
    const { "billing-packages": packages, notices } = yield* Operations

    const around = Effect.fnUntraced(function* (visit: Visit) {
      const { now, organizationId: id } = visit
      const [month] = monthsBetween(now, now)
      if (month === undefined) return yield* Effect.die(new Error("no month is now"))
      const wallet = yield* accounts.balance(id)
      // The present balance less all of the month's movements: a statement would read the month once more.
      const movements = yield* accounts.movements(id, month)
      const opening = movements.reduce((rest, { delta }) => rest - delta, wallet?.balance ?? 0)
      const days = dailyBalances(opening, movements, month, now)
      const { data: topups } = yield* packages.list(asVisitor(visit), { query: { limit: "10" } })
      return {
        before: html`${(yield* notices.list(asVisitor(visit))).data.map((notice) => noticeCard(visit, notice))}
${billingMenu}
<ul class="tiles">
<li><span class="tile"><strong>${formatReais(wallet?.balance ?? 0)}</strong> balance</span></li>
<li><span class="tile"><strong>${formatReais(wallet?.held ?? 0)}</strong> set aside</span></li>
<li><span class="tile"><strong>${wallet?.credit_blocked === true ? badge("blocked", "bad") : badge("open", "good")}</strong> production</span></li>
</ul>
<section aria-labelledby="balance"><h2 id="balance">Balance in ${month.name}</h2>${balanceChart(days)}</section>`,
        after: html`<section aria-labelledby="usage"><h2 id="usage">Usage in ${month.name}</h2>${usageTable(yield* accounts.usage(id, month))}
<p>How much a project may spend each month is set on <a href="/dashboard/projects">its page</a>.</p></section>
<section aria-labelledby="holds"><h2 id="holds">Set aside now</h2>${holdTable(yield* accounts.holds(id))}</section>
<section aria-labelledby="topups"><h2 id="topups">Top-ups</h2>${topupTable(topups)}</section>`
      }
    })

    const { routes } = yield* organizationList({
      operation: "billing",
      path: billingAddress,
      title: "Billing",
      section: "billing",
      heading: "Movements",
      api: "billing.ledger",
      filters: {
        environment: wordFilter("Of", ["sandbox"] as const, {
          texts: [
            ["", "Production"],
            ["sandbox", "Sandbox"]
          ]
        }),
        source_type: wordFilter("What", LedgerSource.literals),
        entry: textFilter("Id of the entry, or of what it is about", 64, { api: null })
      },
      read: ({ id }, { entry, ...search }, before, count) =>
        entry === undefined
          ? accounts.entries(id, search, before, count)
          : Effect.map(accounts.entriesNamed(id, entry), (rows) => pageOf(rows, (row) => row.id, before, count)),
      idOf: ({ id }) => id,
      table: (rows, _, nothing) => movementTable(rows, nothing),
      file: {
        id: ({ id }) => id,
        recorded_at: ({ recorded_at }) => formatTimestamp(recorded_at),
        type: ({ type }) => type,
        amount_brl: ({ amount }) => reaisInFiles(amount),
        ...membersOf(
          (row: LedgerRow) => row,
          "source_type",
          "source_id",
          "meter_id",
          "environment",
          "payment_id",
          "trace_id"
        )
      },
      empty: () => ({
        purpose: say(
          "Everything that moves your credit: top-ups, what each message and number costs, what is set aside."
        ),
        button: [`${billingAddress}/top-up`, "Add credit"]
      }),
      around: (_, visit) => around(visit)
    })

    const dismiss = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const { id = "" } = visit.request.params
      yield* notices.dismiss(asVisitor(visit), { params: { notice_id: id } })
      return { to: billingAddress }
    })

    return Layer.merge(
      routes,
      action({
        operation: "dismissNotice",
        audit: "billing.notice_dismissed",
        path: `${billingAddress}/notices/:id/dismiss`,
        handler: dismiss
      })
    )
  })
)

const noticeCard = (visit: Visit, { created_at, id, text }: BillingNotice): Html =>
  html`<div class="notice warn" role="status"><p>${sentence(text)} <span class="muted">${instant(created_at)}</span></p>
${visit.mayChange && form(`${billingAddress}/notices/${id}/dismiss`, visit.csrf, html`<button>Seen to it</button>`)}</div>`

const usageTable = (lines: ReadonlyArray<UsageLine>): Html =>
  table(
    "Usage by meter and number, the costliest first",
    ["Meter", "Number", "Units", "Cost"],
    lines.map(({ amount, meter_id, phone_number_id, quantity }) => [
      html`<code>${meter_id}</code>`,
      phone_number_id === null ? none("none") : html`<code>${phone_number_id}</code>`,
      quantity,
      formatReais(amount)
    ]),
    say("Nothing was used this month.")
  )

const holdTable = (holds: ReadonlyArray<OpenHold>): Html =>
  table(
    "Credit that is set aside",
    ["Since", "For", "Amount"],
    holds.map(({ amount, created_at, meter_id, payment_id }) => [
      instant(created_at),
      html`<code>${payment_id ?? meter_id}</code>`,
      formatReais(amount)
    ]),
    say("Nothing is set aside.")
  )
