import { many } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { noticeColumns } from "./BillingNoticeTables.ts"

/** A notice that nobody has dismissed; instants in epoch milliseconds. */
export type OpenNotice = SelectedRow<typeof noticeColumns>

/** Rows of `billing_notices`. */
export class NoticeRepo extends Context.Service<
  NoticeRepo,
  {
    /** Returns notices newest first, at most ten. */
    open(organizationId: string): Effect.Effect<ReadonlyArray<OpenNotice>>
  }
>()("@carteiro/runtime/billing/notices/NoticeRepo") {
  static readonly layer = Layer.effect(
    NoticeRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      NoticeRepo.of({
        open: (organizationId) =>
          many(sql<OpenNotice>`select ${sql.literal(noticeColumns.list)} from billing_notices
            where organization_id = ${organizationId} and dismissed_at is null order by id desc limit 10`)
      })
    )
  )
}
