import type { AuditSettings } from "@carteiro/schema/audit/AuditLogApi.ts"
import { defineTable, jsonOf, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { people } from "../erasure/Standings.ts"

/** Changes that members and operators made, each with the person who made it. */
export const auditLogTable = defineTable("audit_log", {
  owner: "audit",
  erasure: people,
  key: ["organization_id", "id"],
  columns: {
    organization_id: text,
    id: text,
    environment_id: nullable(text),
    member_id: nullable(text),
    action: text,
    subject: nullable(text),
    before: nullable(jsonOf<AuditSettings>()),
    after: nullable(jsonOf<AuditSettings>()),
    request_id: nullable(text),
    created_at: timestamptz
  }
})
