import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type UnpostedUsage, unpostedUsage } from "../usage/UsageRepo.ts"

/** The work that is due at an account. */
export interface AccountDue {
  /** The oldest usage that has a price; sandbox accounts have none. */
  readonly usage: ReadonlyArray<UnpostedUsage>
  /** True when there may be more usage than this. */
  readonly hasMoreUsage: boolean
  readonly hasCorrections: boolean
  /** True when a month's job is due by now. */
  readonly hasMonths: boolean
}

interface AskedAccount {
  readonly id: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** The most usage rows that one statement returns; the next pass reads the rest. */
const mostUsage = 2048
/** The most rows of one account, and the fewest however many accounts are read. */
const mostOfOne = 500
const fewestOfOne = 16

/**
 * Finds the due work of accounts. Concurrent passes of many accounts are read in one statement, so that a thousand idle
 * wallets cost few statements.
 */
export class AccountDueRepo extends Context.Service<
  AccountDueRepo,
  {
    due(accountId: string, now: number): Effect.Effect<AccountDue>
  }
>()("@carteiro/runtime/billing/owner/AccountDueRepo") {
  static readonly layer = Layer.effect(
    AccountDueRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const due = yield* readTogether((asks: ReadonlyArray<AskedAccount>) => {
        const count = Math.min(mostOfOne, Math.max(fewestOfOne, Math.floor(mostUsage / asks.length)))
        const ids = arrayParameter(
          "text",
          asks.map(({ id }) => id)
        )
        const instants = arrayParameter(
          "timestamptz",
          asks.map(({ now }) => now)
        )
        const rows = many(sql.unsafe<DueRow>(dueSql, [ids, instants, count]))
        return Effect.map(rows, (found) => answersOf(asks.length, found, count))
      })
      return AccountDueRepo.of({ due: (id, now) => due({ id, now }) })
    })
  )
}

// Materialised, so that the rows are looked up once and not for each joined usage; `limit 1` makes the planner use the
// index.
const dueSql = `with asked as materialized (
    select k.ask::int4 as ask, k.account_id, k.at, c.found is not null as has_corrections, m.found is not null as has_months
    from unnest($1::text[], $2::timestamptz[]) with ordinality as k(account_id, at, ask)
    left join lateral (select 1 as found from ledger_corrections c
      where c.account_id = k.account_id and c.posted_at is null limit 1) c on true
    left join lateral (select 1 as found from account_months m
      where m.account_id = k.account_id and m.done_at is null and m.due_at <= k.at limit 1) m on true
  )
  select a.ask, a.has_corrections, a.has_months, u.* from asked a
  left join lateral (${unpostedUsage("a.account_id", "a.at", "$3::int4")}) u on true
  order by a.ask, u.occurred_at, u.id`

type DueRow = {
  /** The position among the accounts of the statement, from 1. */
  readonly ask: number
  readonly has_corrections: boolean
  readonly has_months: boolean
} & (UnpostedUsage | { readonly id: null })

const answersOf = (asks: number, found: ReadonlyArray<DueRow>, count: number): ReadonlyArray<AccountDue> => {
  const usages = Array.from({ length: asks }, (): Array<UnpostedUsage> => [])
  const heads: Array<DueRow> = []
  for (const row of found) {
    heads[row.ask - 1] ??= row
    if (row.id !== null) usages[row.ask - 1]?.push(row)
  }
  return usages.map((usage, n) => ({
    usage,
    hasMoreUsage: usage.length === count,
    hasCorrections: heads[n]?.has_corrections === true,
    hasMonths: heads[n]?.has_months === true
  }))
}
