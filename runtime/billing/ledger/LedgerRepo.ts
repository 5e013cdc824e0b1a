import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { type Walked, walk } from "@carteiro/tables/BoundedWalk.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { entryColumns } from "../wallet/WalletTables.ts"
import type { BalanceRow, LedgerRow } from "./LedgerRead.ts"

/** Filters of a list of entries. */
export interface LedgerFilter {
  readonly environment: EnvironmentKind | undefined
  readonly source_type: string | undefined
}

const columns = entryColumns.list

/** Reads of the ledger, always of one organization. */
export class LedgerRepo extends Context.Service<
  LedgerRepo,
  {
    /** Returns the balance; undefined for a wallet that was never opened. */
    balance(organizationId: string): Effect.Effect<BalanceRow | undefined>
    /**
     * True when any entry exists in the wallet: from then on the balance decides the credit block.
     */
    hasMoved(organizationId: string): Effect.Effect<boolean>
    /** Returns how much a project has spent in a UTC month (`2026-01`). */
    spent(organizationId: string, projectId: string, month: string): Effect.Effect<number>
    /** Returns the entries with this id, or about the thing with this id: a usage record, a reservation, a top-up. */
    named(organizationId: string, id: string): Effect.Effect<ReadonlyArray<LedgerRow>>
    /** Returns the entries of one environment about things with these ids, or about their usage; newest first. */
    about(
      organizationId: string,
      environmentId: string,
      ids: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyArray<LedgerRow>>
    /**
     * Returns entries newest first, after `before` when given. With both filters, one is applied along a bounded walk.
     */
    list(
      organizationId: string,
      filter: LedgerFilter,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<LedgerRow>>
  }
>()("@carteiro/runtime/billing/ledger/LedgerRepo") {
  static readonly layer = Layer.effect(
    LedgerRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      LedgerRepo.of({
        balance: (organizationId) =>
          one(sql<BalanceRow>`select coalesce(w.balance, 0) as balance, coalesce(w.held, 0) as held, o.credit_blocked,
              coalesce(w.updated_at, o.created_at) as updated_at
            from organizations o left join wallets w on w.account_id = o.id where o.id = ${organizationId}`),
        hasMoved: (organizationId) =>
          Effect.map(
            one(sql`select 1 from ledger_entries where account_id = ${organizationId} limit 1`),
            (row) => row !== undefined
          ),
        spent: (organizationId, projectId, month) =>
          Effect.map(
            one(sql<{ readonly spent: number }>`select spent from project_spending
              where organization_id = ${organizationId} and project_id = ${projectId} and month = ${month}`),
            (row) => row?.spent ?? 0
          ),
        named: (organizationId, id) => {
          const entries = sql.literal(`select ${columns} from ledger_entries`)
          return many(
            sql<LedgerRow>`${entries} where organization_id = ${organizationId} and id = ${id}
              union ${entries} where account_id = ${organizationId} and source_id = ${id}
                and type in ('debit', 'credit', 'hold', 'release') order by id desc`
          )
        },
        about: (organizationId, environmentId, ids) => {
          const named = arrayParameter("text", ids)
          return many(
            sql<LedgerRow>`select ${sql.literal(columns)} from ledger_entries
              where account_id in (${organizationId}, ${environmentId}) and organization_id = ${organizationId}
                and type in ('debit', 'credit', 'hold', 'release')
                and source_id in (select unnest(${named}::text[]) union all
                  select id from usage_records where source_id = any(${named}::text[]) and environment_id = ${environmentId})
              order by id desc`
          )
        },
        list: (organizationId, { environment, source_type }, before, count) => {
          const along = [sql`organization_id = ${organizationId}`, sql`is_listed`, sql`id < ${before ?? "~"}`]
          const ofEnvironment =
            environment === undefined ? sql`environment is distinct from 'sandbox'` : sql`environment = ${environment}`
          // Each filter has an index, and both together have none.
          const isNarrowed = source_type !== undefined
          return walk<LedgerRow>(sql, {
            table: "ledger_entries",
            along: [...along, isNarrowed ? sql`source_type = ${source_type}` : ofEnvironment],
            narrowed: isNarrowed ? [ofEnvironment] : [],
            page: (conditions) =>
              sql`select ${sql.literal(columns)} from ledger_entries where ${sql.and(conditions)} order by id desc limit ${count}`
          })
        }
      })
    )
  )
}
