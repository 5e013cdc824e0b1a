import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { type AuditEntry, AuditLogApi } from "@carteiro/schema/audit/AuditLogApi.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import type { StoredAuditEntry } from "./AuditEntry.ts"
import { AuditRepo } from "./AuditRepo.ts"

/** Operation of people that reads the audit log. Decision 0155 */
export const AuditLogHttp = Routes.group(
  AuditLogApi,
  Effect.map(AuditRepo, (repo) =>
    Routes.handlers(AuditLogApi, {
      list: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const { limit, ...selection } = query
        const rows = yield* repo.list(caller.organization_id, selection, Number(limit))
        return reply({ traceId }, 200, { object: "list", data: rows.map(readEntry) })
      })
    })
  )
)

const readEntry = ({ created_at, ...entry }: StoredAuditEntry): AuditEntry => ({
  ...entry,
  object: "audit_entry",
  created_at: formatTimestamp(created_at)
})
