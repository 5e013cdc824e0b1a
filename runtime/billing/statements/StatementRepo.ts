import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { openHoldColumns } from "../wallet/WalletTables.ts"
import type { Month, MonthSums, StatementLine } from "./Statement.ts"

/** Credit that is held now. */
export type OpenHold = SelectedRow<typeof openHoldColumns>

/** Monthly sums over the ledger of an organization's production environment. */
export class StatementRepo extends Context.Service<
  StatementRepo,
  {
    /**
     * Returns sums of entries from an instant on, of the month and after it, in one scan: of those before `settled`, and of
     * the others. Of both at most `mostUses` and one lines of usage, the costliest.
     */
    sums(organizationId: string, month: Month, from: number, settled: number): Effect.Effect<AccountSums>
    /** Returns holds newest first, at most a hundred. */
    holds(organizationId: string): Effect.Effect<ReadonlyArray<OpenHold>>
    /** Returns when the wallet was opened, in epoch milliseconds. */
    openedAt(organizationId: string): Effect.Effect<number | undefined>
  }
>()("@carteiro/runtime/billing/statements/StatementRepo") {
  static readonly layer = Layer.effect(
    StatementRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const delta = sql.literal(`(case when e.to_account = 'available' then e.amount else 0 end
        - case when e.from_account = 'available' then e.amount else 0 end)`)
      const part = sql.literal("grouping(type, day, used_meter)")
      return StatementRepo.of({
        // The balance is read in the snapshot of the entries that moved it.
        sums: (organizationId, { until }, from, settled) =>
          Effect.map(
            many(sql<GroupRow>`with entries as (
              select e.type, e.source_type, e.meter_id, e.amount, ${delta} as delta, e.id < ${lowestIdAt("led", until)} as is_of_month,
                e.id < ${lowestIdAt("led", settled)} as is_settled,
                case when e.source_type = 'credit_topup' then
                  case when e.to_account = 'available' then e.from_account else e.to_account end end as rail,
                (e.recorded_at at time zone 'UTC')::date as day, u.meter_id as used_meter, u.phone_number_id, u.quantity
              from ledger_entries e left join usage_records u on u.organization_id = e.organization_id and u.id = e.source_id
                and e.type = 'debit' and e.source_type = 'usage' and e.id < ${lowestIdAt("led", until)}
              where e.organization_id = ${organizationId} and e.account_id = ${organizationId}
                and e.id >= ${lowestIdAt("led", from)} and e.id < ${beyondAll}
            ), sums as (
              select ${part} as part, is_settled, is_of_month, type, source_type, meter_id, rail, day, used_meter, phone_number_id,
                count(*)::int8 as count, sum(amount)::int8 as amount, sum(delta)::int8 as delta,
                coalesce(sum(quantity), 0)::int8 as quantity
              from entries
              group by grouping sets ((is_settled, is_of_month, type, source_type, meter_id, rail), (is_settled, is_of_month, day),
                (is_settled, is_of_month, used_meter, phone_number_id), (is_settled, is_of_month))
              having (is_of_month or ${part} = ${parts.sum}) and (used_meter is not null or ${part} <> ${parts.usage})
            )
            select coalesce((select w.balance from wallets w where w.account_id = ${organizationId}), 0) as balance,
              g.part, g.is_settled, g.is_of_month, g.type, g.source_type, g.meter_id, g.rail, to_char(g.day, 'YYYY-MM-DD') as day,
              g.used_meter, g.phone_number_id, g.count, g.amount, g.delta, g.quantity
            from (select 1) as one left join (select *, row_number() over (partition by part, is_settled
                order by amount desc, used_meter, phone_number_id) as place from sums) g
              on g.part <> ${parts.usage} or g.place <= ${mostUses + 1}`),
            (rows): AccountSums => ({
              balance: rows[0]?.balance ?? 0,
              settled: sumsOf(rows.filter(({ is_settled }) => is_settled === true)),
              open: sumsOf(rows.filter(({ is_settled }) => is_settled === false))
            })
          ),
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

/** The groupings of one scan, as PostgreSQL numbers them: a bit for each of kind, day and use that a row is not grouped by. */
const parts = { kind: 0b011, day: 0b101, usage: 0b110, sum: 0b111 }

/** Of a range that ends, PostgreSQL expects few rows before it knows its bounds, and follows the index. */
const beyondAll = "led_~"

/** The most lines of usage that are read of a month whole: of more, only the costliest are. */
export const mostUses = 2000

/** Sums of entries, and the balance that they and those before them led to. */
export interface AccountSums {
  readonly balance: number
  readonly settled: MonthSums
  readonly open: MonthSums
}

/** A group of entries: of one kind, of one day, of one use, or of all. Null without any entry. */
interface GroupRow extends Omit<StatementLine, "type"> {
  readonly balance: number
  readonly part: number | null
  readonly is_settled: boolean | null
  readonly is_of_month: boolean | null
  readonly type: StatementLine["type"] | null
  readonly day: string | null
  readonly used_meter: string | null
  readonly phone_number_id: string | null
  readonly delta: number
  readonly quantity: number
}

const sumsOf = (rows: ReadonlyArray<GroupRow>): MonthSums => {
  const moved = (isOfMonth: boolean) =>
    rows.find(({ is_of_month, part }) => part === parts.sum && is_of_month === isOfMonth)?.delta ?? 0
  return {
    lines: rows.flatMap(({ amount, count, meter_id, part, rail, source_type, type }) =>
      part !== parts.kind || type === null ? [] : [{ type, source_type, meter_id, rail, count, amount }]
    ),
    days: rows.flatMap(({ day, delta }) => (day === null ? [] : [{ day, delta }])),
    usage: rows.flatMap(({ amount, phone_number_id, quantity, used_meter }) =>
      used_meter === null ? [] : [{ meter_id: used_meter, phone_number_id, quantity, amount }]
    ),
    delta: moved(true),
    later: moved(false)
  }
}
