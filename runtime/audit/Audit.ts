export type { AuditAction } from "./AuditEntry.ts"
export { AuditLog, type NewAuditEntry } from "./AuditLog.ts"
