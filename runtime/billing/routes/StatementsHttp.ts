import { valueReply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { StatementNotFound } from "@carteiro/schema/billing/StatementErrors.ts"
import {
  type OpenHold as ReadHold,
  type StatementLine as ReadLine,
  type UsageLine as ReadUsage,
  StatementsApi
} from "@carteiro/schema/billing/StatementsApi.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import { UnpaidMonths } from "../account/UnpaidMonths.ts"
import { type BalanceRow, readEntry } from "../ledger/LedgerRead.ts"
import { LedgerRepo } from "../ledger/LedgerRepo.ts"
import {
  dailyBalances,
  monthNamed,
  monthsBetween,
  type StatementLine,
  type UsageLine
} from "../statements/Statement.ts"
import { StatementReads } from "../statements/StatementReads.ts"
import { type OpenHold, StatementRepo } from "../statements/StatementRepo.ts"

/** Operations of people about the months and movements of their organization's account. Decision 0155 */
export const StatementsHttp = Routes.group(
  StatementsApi,
  Effect.gen(function* () {
    const ledger = yield* LedgerRepo
    const statements = yield* StatementRepo
    const reads = yield* StatementReads
    const unpaid = yield* UnpaidMonths

    return Routes.handlers(StatementsApi, {
      standing: Effect.fnUntraced(function* ({ caller: { organization_id: id }, traceId }) {
        const wallet = readWallet(yield* ledger.balance(id))
        const has_unpaid_month = yield* unpaid.any(id)
        return valueReply({ traceId }, 200, { object: "account_standing", ...wallet, has_unpaid_month })
      }),

      present: Effect.fnUntraced(function* ({ caller: { organization_id: id }, realNow, traceId }) {
        const [month] = monthsBetween(realNow, realNow)
        if (month === undefined) return yield* Effect.die(new Error("no month is now"))
        const wallet = yield* ledger.balance(id)
        const { days, opening, usage } = yield* reads.month(id, month, realNow)
        return valueReply({ traceId }, 200, {
          object: "account_month",
          ...readWallet(wallet),
          month: month.name,
          days: dailyBalances(opening, days, month, realNow),
          usage: usage.map(readUsage),
          holds: (yield* statements.holds(id)).map(readHold)
        })
      }),

      month: Effect.fnUntraced(function* ({ caller: { organization_id: id }, query, realNow, traceId }) {
        const months = monthsBetween((yield* statements.openedAt(id)) ?? realNow, realNow)
        const month = query.month === undefined ? months[0] : monthNamed(query.month)
        if (month === undefined || month.from > realNow) return yield* new StatementNotFound()
        const { closing, days, lines, opening, usage } = yield* reads.month(id, month, realNow)
        return valueReply({ traceId }, 200, {
          object: "account_statement",
          month: month.name,
          months: months.map(({ name }) => name),
          is_over: month.until <= realNow,
          opening_brl: formatBrl(opening),
          closing_brl: formatBrl(closing),
          lines: lines.map(readLine),
          days: dailyBalances(opening, days, month, realNow),
          usage: usage.map(readUsage)
        })
      }),

      entries: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const filter = { environment: query.environment, source_type: query.source_type }
        const page = yield* ledger.list(caller.organization_id, filter, query.before, Number(query.limit))
        return valueReply({ traceId }, 200, {
          object: "list",
          data: page.rows.map(readEntry),
          walked_to: page.walked_to
        })
      }),

      entriesNamed: ({ caller, query, traceId }) =>
        Effect.map(ledger.named(caller.organization_id, query.id), (rows) =>
          valueReply({ traceId }, 200, { object: "list", data: rows.map(readEntry) })
        ),

      entriesAbout: ({ caller, query, traceId }) =>
        Effect.map(ledger.about(caller.organization_id, caller.environment_id, query.ids.split(",")), (rows) =>
          valueReply({ traceId }, 200, { object: "list", data: rows.map(readEntry) })
        )
    })
  })
)

const readWallet = (row: BalanceRow | undefined) => ({
  balance_brl: formatBrl(row?.balance ?? 0),
  held_brl: formatBrl(row?.held ?? 0),
  is_blocked: row?.credit_blocked === true
})

const readUsage = ({ amount, ...line }: UsageLine): ReadUsage => ({ ...line, amount_brl: formatBrl(amount) })

const readLine = ({ amount, ...line }: StatementLine): ReadLine => ({ ...line, amount_brl: formatBrl(amount) })

const readHold = ({ amount, created_at, ...hold }: OpenHold): ReadHold => ({
  ...hold,
  amount_brl: formatBrl(amount),
  created_at: formatTimestamp(created_at)
})
