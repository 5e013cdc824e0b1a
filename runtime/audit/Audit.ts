export type { AuditAction, AuditEntry, AuditSelection, AuditSettings } from "./AuditEntry.ts"
export { AuditLog, type NewAuditEntry } from "./AuditLog.ts"
