import { many } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { updateOf } from "@carteiro/tables/TableWrite.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { providerConnectionsTable, reportedColumns } from "../connection/ConnectionTables.ts"

/** A connection to an account on which the platform reports. */
export type AccountConnection = SelectedRow<typeof reportedColumns>

/** Reads connections by the platform's account id. */
export class AccountRepo extends Context.Service<
  AccountRepo,
  { live(bizAccountId: string): Effect.Effect<ReadonlyArray<AccountConnection>> }
>()("@carteiro/runtime/provider-connections/account/AccountRepo") {
  static readonly layer = Layer.effect(
    AccountRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      AccountRepo.of({
        live: (bizAccountId) =>
          many(sql<AccountConnection>`select ${sql.literal(reportedColumns.list)} from provider_connections where biz_account_id = ${bizAccountId} and provider = 'upstream'
              and status in ('connected', 'suspended') order by environment_id, id`)
      })
    )
  )
}

/**
 * Writes a report about a connection's account; a null leaves its column unchanged.
 */
export const tellAccount = updateOf(providerConnectionsTable, {
  name: "provider_connections.tell_account",
  set: [
    "status",
    "suspension_reason",
    "biz_account_ban_state",
    "biz_account_ban_date",
    "last_policy_warning_type",
    "last_policy_warning_at",
    "account_review_status",
    "restrictions",
    "biz_account_send_capabilities",
    "notice_times",
    "updated_at"
  ],
  values: {
    status: "coalesce(r.status, t.status)",
    suspension_reason: "case when r.status is null then t.suspension_reason else r.suspension_reason end",
    biz_account_ban_state: "coalesce(r.biz_account_ban_state, t.biz_account_ban_state)",
    biz_account_ban_date: "coalesce(r.biz_account_ban_date, t.biz_account_ban_date)",
    last_policy_warning_type: "coalesce(r.last_policy_warning_type, t.last_policy_warning_type)",
    last_policy_warning_at: "coalesce(r.last_policy_warning_at, t.last_policy_warning_at)",
    account_review_status: "coalesce(r.account_review_status, t.account_review_status)",
    restrictions: "coalesce(r.restrictions, t.restrictions)",
    biz_account_send_capabilities: "coalesce(r.biz_account_send_capabilities, t.biz_account_send_capabilities)",
    notice_times: "coalesce(r.notice_times, t.notice_times)"
  },
  where: "t.status in ('connected', 'suspended')"
})
