import { callingMember } from "@carteiro/http-edge/Admission.ts"
import { reply, valueReply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { type AuditEntry, AuditLogApi } from "@carteiro/schema/audit/AuditLogApi.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import type { StoredAuditEntry } from "./AuditEntry.ts"
import { AuditLog } from "./AuditLog.ts"
import { AuditRepo } from "./AuditRepo.ts"

/** Operations of people that read the audit log and write into it. Decision 0155 */
export const AuditLogHttp = Routes.group(
  AuditLogApi,
  Effect.gen(function* () {
    const repo = yield* AuditRepo
    const log = yield* AuditLog

    return Routes.handlers(AuditLogApi, {
      list: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const { limit, ...selection } = query
        const rows = yield* repo.list(caller.organization_id, selection, Number(limit))
        return valueReply({ traceId }, 200, { object: "list", data: rows.map(readEntry) })
      }),

      record: Effect.fnUntraced(function* ({ body, caller, realNow, requestId, traceId }) {
        const made = { member_id: callingMember(caller).id, request_id: requestId, created_at: realNow }
        yield* log.record(caller.organization_id, { ...body, ...made })
        return reply({ traceId }, 201, { object: "audit_record" })
      })
    })
  })
)

const readEntry = ({ created_at, ...entry }: StoredAuditEntry): AuditEntry => ({
  ...entry,
  object: "audit_entry",
  created_at: formatTimestamp(created_at)
})
