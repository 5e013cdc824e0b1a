import { many } from "@carteiro/tables/Read.ts"
import { jsonTextOrNull, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { insertInto } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AuditSelection, StoredAuditEntry } from "./AuditEntry.ts"
import { auditColumns, auditLogTable } from "./AuditTables.ts"

const insertEntry = insertInto(auditLogTable, {
  columns: [
    "organization_id",
    "id",
    "environment_id",
    "member_id",
    "action",
    "subject",
    "before",
    "after",
    "request_id",
    "created_at"
  ]
})

type AuditRow = SelectedRow<typeof auditColumns>

const fromRow = (row: AuditRow): StoredAuditEntry => ({
  ...row,
  before: readJsonOrNull(row.before),
  after: readJsonOrNull(row.after)
})

/** Rows of `audit_log`, always within one organization. */
export class AuditRepo extends Context.Service<
  AuditRepo,
  {
    insert(entry: StoredAuditEntry & { readonly organization_id: string }): Row
    list(organizationId: string, wanted: AuditSelection, count: number): Effect.Effect<ReadonlyArray<StoredAuditEntry>>
  }
>()("@carteiro/runtime/audit/AuditRepo") {
  static readonly layer = Layer.effect(
    AuditRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      AuditRepo.of({
        insert: (entry) =>
          insertEntry.row({ ...entry, before: jsonTextOrNull(entry.before), after: jsonTextOrNull(entry.after) }),
        list: (organizationId, { action, before, member_id, subject }, count) =>
          many(
            sql<AuditRow>`select ${sql.literal(auditColumns.list)}
              from audit_log where organization_id = ${organizationId} and id < ${before ?? "~"}
                ${action === undefined ? sql`` : sql`and action = ${action}`}
                ${subject === undefined ? sql`` : sql`and subject = ${subject}`}
                ${member_id === undefined ? sql`` : member_id === "operator" ? sql`and member_id is null` : sql`and member_id = ${member_id}`}
              order by id desc limit ${count}`,
            fromRow
          )
      })
    )
  )
}
