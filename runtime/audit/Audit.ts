export type { AuditAction, AuditEntry, AuditSelection, AuditSettings } from "./AuditEntry.ts"
export { AuditLog } from "./AuditLog.ts"
