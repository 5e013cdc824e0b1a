import type { AuditSettings } from "@carteiro/schema/audit/AuditLogApi.ts"
import { defineTable, jsonOf, nullable, select, text, timestamptz } from "@carteiro/tables/Table.ts"
import { people } from "../erasure/Standings.ts"

/** Changes that members and operators made, each with the person who made it. */
export const auditLogTable = defineTable("audit_log", {
  owner: "audit",
  erasure: people,
  reset: { leaves: "what members did belongs to the organization" },
  key: ["organization_id", "id"],
  columns: {
    organization_id: text,
    id: text,
    /** Null for a change of the organization as a whole. */
    environment_id: nullable(text),
    /** Null for a change of an operator. */
    member_id: nullable(text),
    action: text,
    /** Id of the thing that was changed; null for one without an id. */
    subject: nullable(text),
    before: nullable(jsonOf<AuditSettings>()),
    after: nullable(jsonOf<AuditSettings>()),
    /** Null for a command, which is no request. */
    request_id: nullable(text),
    created_at: timestamptz
  }
})

/** The columns of an entry that the audit log shows. */
export const auditColumns = select(
  auditLogTable,
  "id",
  "environment_id",
  "member_id",
  "action",
  "subject",
  "before",
  "after",
  "request_id",
  "created_at"
)
