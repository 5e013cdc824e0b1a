import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { openHoldColumns } from "../wallet/WalletTables.ts"
import type { DayMovement, Month, Statement, StatementLine } from "./Statement.ts"

/** The usage of one meter by one number; the amount in 1/10,000 BRL. */
export interface UsageLine {
  readonly meter_id: string
  /** Null for usage without a number. */
  readonly phone_number_id: string | null
  readonly quantity: number
  readonly amount: number
}

/** Credit that is held now. */
export type OpenHold = SelectedRow<typeof openHoldColumns>

/** Monthly sums over the ledger of an organization's production environment. */
export class StatementRepo extends Context.Service<
  StatementRepo,
  {
    month(organizationId: string, month: Month): Effect.Effect<Statement>
    /** Returns the movements of the balance, by day. */
    days(organizationId: string, month: Month): Effect.Effect<ReadonlyArray<DayMovement>>
    /** Returns usage lines, the costliest first. */
    usage(organizationId: string, month: Month): Effect.Effect<ReadonlyArray<UsageLine>>
    /** Returns holds newest first, at most a hundred. */
    holds(organizationId: string): Effect.Effect<ReadonlyArray<OpenHold>>
    /** Returns when the wallet was opened, in epoch milliseconds. */
    openedAt(organizationId: string): Effect.Effect<number | undefined>
  }
>()("@carteiro/runtime/billing/statements/StatementRepo") {
  static readonly layer = Layer.effect(
    StatementRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const delta = sql.literal(`(case when to_account = 'available' then amount else 0 end
        - case when from_account = 'available' then amount else 0 end)`)
      const since = (organizationId: string, at: number) =>
        sql`organization_id = ${organizationId} and account_id = ${organizationId} and id >= ${lowestIdAt("led", at)}`
      return StatementRepo.of({
        // The opening balance is the present balance minus later movements, in the snapshot of one statement.
        month: Effect.fnUntraced(function* (organizationId, { from, until }) {
          const end = lowestIdAt("led", until)
          const rows = yield* many(sql<StatementRow>`with entries as materialized (
              select id, type, source_type, meter_id, from_account, to_account, amount, ${delta} as delta
              from ledger_entries where ${since(organizationId, from)}
            ), lines as (
              select type, source_type, meter_id,
                case when source_type = 'credit_topup' then
                  case when to_account = 'available' then from_account else to_account end end as rail,
                count(*) as count, sum(amount)::int8 as amount
              from entries where id < ${end} group by 1, 2, 3, 4
            )
            select (w.balance - coalesce((select sum(delta) from entries), 0))::int8 as opening,
              (w.balance - coalesce((select sum(delta) from entries where id >= ${end}), 0))::int8 as closing, l.*
            from wallets w left join lines l on true where w.account_id = ${organizationId}
            order by l.type, l.source_type, l.meter_id, l.rail`)
          const lines = rows.flatMap(({ closing: _closing, opening: _opening, ...line }) =>
            line.type === null ? [] : [line as StatementLine]
          )
          return { opening: rows[0]?.opening ?? 0, closing: rows[0]?.closing ?? 0, lines }
        }),
        days: (organizationId, { from, until }) =>
          many(sql<DayMovement>`select to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD') as day,
              sum(${delta})::int8 as delta
            from ledger_entries where ${since(organizationId, from)} and id < ${lowestIdAt("led", until)}
            group by 1 order by 1`),
        usage: (organizationId, { from, until }) =>
          many(sql<UsageLine>`select u.meter_id, u.phone_number_id, sum(u.quantity)::int8 as quantity,
              sum(e.amount)::int8 as amount
            from ledger_entries e join usage_records u on u.organization_id = e.organization_id and u.id = e.source_id
            where e.organization_id = ${organizationId} and e.account_id = ${organizationId}
              and e.id >= ${lowestIdAt("led", from)} and e.id < ${lowestIdAt("led", until)}
              and e.type = 'debit' and e.source_type = 'usage'
            group by 1, 2 order by 4 desc, 1, 2 limit 200`),
        holds: (organizationId) =>
          many(sql<OpenHold>`select ${sql.literal(openHoldColumns.list)} from reservations
            where account_id = ${organizationId} and state = 'open' order by id desc limit 100`),
        openedAt: (organizationId) =>
          Effect.map(
            one(
              sql<{ readonly created_at: number }>`select created_at from wallets where account_id = ${organizationId}`
            ),
            (row) => row?.created_at
          )
      })
    })
  )
}

interface StatementRow extends Omit<StatementLine, "type"> {
  readonly opening: number
  readonly closing: number
  readonly type: StatementLine["type"] | null
}
