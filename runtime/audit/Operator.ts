export { AuditLog } from "./AuditLog.ts"
