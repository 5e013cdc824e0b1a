import type { AuditSettings } from "@carteiro/schema/audit/AuditLogApi.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { auditColumns } from "./AuditTables.ts"

/** One change; `created_at` in epoch milliseconds. */
export interface StoredAuditEntry extends Omit<SelectedRow<typeof auditColumns>, "before" | "after"> {
  readonly before: AuditSettings | null
  readonly after: AuditSettings | null
}

/** Which changes are wanted; members that are undefined do not narrow. */
export interface AuditSelection {
  readonly action?: string | undefined
  /** Id of a member, or `operator`. */
  readonly member_id?: string | undefined
  /** Id of the thing that was changed. */
  readonly subject?: string | undefined
  readonly before?: string | undefined
}
