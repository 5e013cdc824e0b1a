export { ReportAdmin } from "./report/ReportAdmin.ts"
export type { ReportEntry } from "./report/ReportAdminRepo.ts"
export { ReportReads } from "./report/ReportReads.ts"
export { dispositions, reportStatuses } from "./report/ReportStatus.ts"
