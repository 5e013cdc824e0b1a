export type { AuditAction, AuditEntry, AuditSelection, AuditSettings } from "./log/AuditEntry.ts"
export { AuditLog } from "./log/AuditLog.ts"
