import type { DuePage } from "@carteiro/owners/DueWork.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { correctionColumns } from "./CorrectionTables.ts"

/** A correction that is not posted yet; the amount in 1/10,000 BRL. */
export interface Correction extends SelectedRow<typeof correctionColumns> {
  readonly source: "manual" | "promotion"
}

/** Rows of `ledger_corrections`. */
export class CorrectionRepo extends Context.Service<
  CorrectionRepo,
  {
    /** Returns the oldest corrections that are not posted. */
    open(accountId: string, count: number): Effect.Effect<ReadonlyArray<Correction>>
    isPosted(accountId: string, id: string): Effect.Effect<boolean>
    /** True when an account was corrected by an operator, or moved by anything but a promotion. */
    hasBegun(accountId: string): Effect.Effect<boolean>
    /** Returns accounts with corrections to post, after an id. */
    dueAccounts(after: string, limit: number): Effect.Effect<DuePage>
  }
>()("@carteiro/runtime/billing/corrections/CorrectionRepo") {
  static readonly layer = Layer.effect(
    CorrectionRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      CorrectionRepo.of({
        open: (accountId, count) =>
          many(sql<Correction>`select ${sql.literal(correctionColumns.list)} from ledger_corrections
            where account_id = ${accountId} and posted_at is null order by id limit ${count}`),
        isPosted: (accountId, id) =>
          Effect.map(
            one(sql<{ readonly posted: boolean }>`select posted_at is not null as posted from ledger_corrections
              where account_id = ${accountId} and id = ${id}`),
            (row) => row?.posted === true
          ),
        hasBegun: (accountId) =>
          Effect.map(
            one(sql`select 1 from ledger_entries where account_id = ${accountId} and from_account <> 'promotion'
              union all select 1 from ledger_corrections where account_id = ${accountId} limit 1`),
            (row) => row !== undefined
          ),
        dueAccounts: (after, limit) =>
          Effect.map(
            many(sql<{ readonly id: string }>`select distinct account_id as id from ledger_corrections
              where posted_at is null and account_id > ${after} order by account_id limit ${limit}`),
            (rows) => ({ ids: rows.map(({ id }) => id), next: rows.length < limit ? undefined : rows.at(-1)?.id })
          )
      })
    )
  )
}
