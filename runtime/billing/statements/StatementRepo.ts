import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { openHoldColumns } from "../wallet/WalletTables.ts"
import type { Month, Statement, StatementLine } from "./Statement.ts"

/** Credit that is held now. */
export type OpenHold = SelectedRow<typeof openHoldColumns>

/** Monthly sums over the ledger of an organization's production environment. */
export class StatementRepo extends Context.Service<
  StatementRepo,
  {
    /** Returns a month by kind, day and use, from one scan of its entries. */
    month(organizationId: string, month: Month): Effect.Effect<Statement>
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
      return StatementRepo.of({
        // The opening balance is the present balance minus later movements, in the snapshot of one statement.
        month: Effect.fnUntraced(function* (organizationId, { from, until }) {
          const rows = yield* many(sql<GroupRow>`with entries as (
              select e.type, e.source_type, e.meter_id, e.amount, ${delta} as delta, e.id < ${lowestIdAt("led", until)} as is_of_month,
                case when e.source_type = 'credit_topup' then
                  case when e.to_account = 'available' then e.from_account else e.to_account end end as rail,
                (e.recorded_at at time zone 'UTC')::date as day, u.meter_id as used_meter, u.phone_number_id, u.quantity
              from ledger_entries e left join usage_records u on u.organization_id = e.organization_id and u.id = e.source_id
                and e.type = 'debit' and e.source_type = 'usage' and e.id < ${lowestIdAt("led", until)}
              where e.organization_id = ${organizationId} and e.account_id = ${organizationId}
                and e.id >= ${lowestIdAt("led", from)}
            ), sums as (
              select grouping(type, day, used_meter) as part, type, source_type, meter_id, rail, day, used_meter, phone_number_id,
                (count(*) filter (where is_of_month))::int8 as count,
                (sum(amount) filter (where is_of_month))::int8 as amount,
                coalesce(sum(delta) filter (where is_of_month), 0)::int8 as delta,
                coalesce(sum(delta), 0)::int8 as delta_since, coalesce(sum(quantity), 0)::int8 as quantity
              from entries
              group by grouping sets ((type, source_type, meter_id, rail), (day), (used_meter, phone_number_id), ())
            )
            select g.part, g.type, g.source_type, g.meter_id, g.rail, to_char(g.day, 'YYYY-MM-DD') as day, g.used_meter,
              g.phone_number_id, g.count, coalesce(g.amount, 0)::int8 as amount, g.delta, g.quantity,
              case when g.part = ${parts.sum} then coalesce((select w.balance from wallets w
                where w.account_id = ${organizationId}), 0) - g.delta_since end::int8 as opening
            from (select *, row_number() over (partition by part order by amount desc nulls last, used_meter, phone_number_id)
                as place from sums) g
            where (g.count > 0 or g.part = ${parts.sum}) and (g.part <> ${parts.usage} or g.used_meter is not null)
              and (g.part <> ${parts.usage} or g.place <= ${mostUsageLines})
            order by g.part, g.type, g.source_type, g.meter_id, g.rail, g.day, g.place`)
          return statementOf(rows)
        }),
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

/** The lines of usage that a statement shows, the costliest of all. */
const mostUsageLines = 200

/** A group of entries: of one kind, of one day, of one use, or of all. */
interface GroupRow extends Omit<StatementLine, "type"> {
  readonly part: number
  readonly type: StatementLine["type"] | null
  readonly day: string | null
  readonly used_meter: string | null
  readonly phone_number_id: string | null
  readonly delta: number
  readonly quantity: number
  readonly opening: number | null
}

const statementOf = (rows: ReadonlyArray<GroupRow>): Statement => {
  const sum = rows.find(({ part }) => part === parts.sum)
  const opening = sum?.opening ?? 0
  return {
    opening,
    closing: opening + (sum?.delta ?? 0),
    lines: rows.flatMap(({ amount, count, meter_id, part, rail, source_type, type }) =>
      part !== parts.kind || type === null ? [] : [{ type, source_type, meter_id, rail, count, amount }]
    ),
    days: rows.flatMap(({ day, delta }) => (day === null ? [] : [{ day, delta }])),
    usage: rows.flatMap(({ amount, phone_number_id, quantity, used_meter }) =>
      used_meter === null ? [] : [{ meter_id: used_meter, phone_number_id, quantity, amount }]
    )
  }
}
