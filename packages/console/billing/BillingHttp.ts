import { type LedgerEntry, LedgerSource } from "@carteiro/schema/billing/LedgerEntry.ts"
import type { BillingNotice } from "@carteiro/schema/billing/NoticesApi.ts"
import type { OpenHold } from "@carteiro/schema/billing/StatementsApi.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { textFilter, wordFilter } from "../kit/Filters.ts"
import { type Html, html } from "../kit/Html.ts"
import { dottedWord, say, statusWord } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { organizationList } from "../kit/ListPage.ts"
import { pageOf, positionOf } from "../kit/Lists.ts"
import { chargedNumberLinker } from "../kit/NumberLinks.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, type Visit } from "../kit/Pages.ts"
import { badge, form, instant, table } from "../kit/Parts.ts"
import { monthName } from "../kit/Spans.ts"
import { balanceChart } from "./BalanceChart.ts"
import { billingAddress, billingMenu, movementTable, thingOf, topupTable, usageTable } from "./BillingParts.ts"
import { noticeText } from "./NoticeText.ts"

/** The organization's credit: balance and what moved it this month, usage by meter and number, holds, top-ups. */
export const BillingHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const { "billing-packages": packages, notices, statements } = operations
    const numberLinks = chargedNumberLinker(operations)

    const around = Effect.fnUntraced(function* (visit: Visit) {
      const caller = asVisitor(visit)
      const account = yield* statements.present(caller)
      const { data: open } = yield* notices.list(caller)
      const { data: topups } = yield* packages.list(caller, { query: { limit: "10" } })
      return {
        before: html`${open.map((notice) => noticeCard(visit, notice))}
<ul class="tiles first">
<li><span class="tile"><strong>${formatReais(account.balance_brl)}</strong> balance</span></li>
<li><span class="tile"><strong>${formatReais(account.held_brl)}</strong> set aside</span></li>
${account.is_blocked && html`<li><span class="tile"><strong>${badge(statusWord("production", "blocked"), "bad")}</strong> production</span></li>`}
</ul>
${billingMenu}
<section aria-labelledby="balance"><h2 id="balance">Balance in ${monthName(account.month)}</h2>${balanceChart(account.days)}</section>`,
        after: html`<section aria-labelledby="usage"><h2 id="usage">Usage in ${monthName(account.month)}</h2>${usageTable(account.usage, yield* numberLinks(visit, account.usage), say("Nothing was used this month."))}
<p>How much a project may spend each month is set on <a href="/dashboard/projects">its page</a>.</p></section>
<section aria-labelledby="holds"><h2 id="holds">Set aside now</h2>${holdTable(account.holds)}</section>
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
      read: (_, { entry, environment, source_type }, before, count, visit) =>
        entry === undefined
          ? Effect.map(
              statements.entries(asVisitor(visit), {
                query: {
                  ...positionOf(before, count),
                  ...(environment !== undefined && { environment }),
                  ...(source_type !== undefined && { source_type })
                }
              }),
              ({ data, walked_to }) => ({ rows: data, walked_to })
            )
          : Effect.map(statements.entriesNamed(asVisitor(visit), { query: { id: entry } }), ({ data }) =>
              pageOf(data, (row) => row.id, before, count)
            ),
      idOf: ({ id }) => id,
      table: (rows, _, nothing) => movementTable(rows, nothing),
      file: {
        id: ({ id }) => id,
        recorded_at: ({ recorded_at }) => recorded_at,
        type: ({ type }) => type,
        amount_brl: ({ amount_brl }) => amount_brl,
        ...membersOf((row: Entry) => row, "source_type", "source_id", "meter_id", "environment"),
        payment_id: ({ payment_fee }) => payment_fee?.id ?? null,
        ...membersOf((row: Entry) => row, "trace_id")
      },
      empty: () => ({
        purpose: say(
          "Everything that moves your credit: top-ups, what each message and number costs, what is set aside."
        )
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

type Entry = typeof LedgerEntry.Type

const noticeCard = (visit: Visit, notice: BillingNotice): Html =>
  html`<div class="notice warn" role="status"><p>${noticeText(notice)} <span class="muted">${instant(notice.created_at)}</span></p>
${visit.mayChange && form(`${billingAddress}/notices/${notice.id}/dismiss`, visit.csrf, html`<button>Seen to it</button>`)}</div>`

const holdTable = (holds: ReadonlyArray<OpenHold>): Html =>
  table(
    "Credit that is set aside",
    ["Since", "For", "Amount"],
    holds.map(({ amount_brl, created_at, meter_id, payment_id }) => [
      instant(created_at),
      thingOf(dottedWord(meter_id), payment_id),
      formatReais(amount_brl)
    ]),
    say("Nothing is set aside.")
  )
