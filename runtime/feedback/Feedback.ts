export { ReportAdmin } from "./admin/ReportAdmin.ts"
export type { ReportEntry } from "./admin/ReportAdminRepo.ts"
export { ReportReads } from "./report/ReportReads.ts"
export { dispositions, reportStatuses } from "./report/ReportStatus.ts"
