export { ReportAdmin } from "./report/ReportAdmin.ts"
export type { ReportEntry } from "./report/ReportAdminRepo.ts"
export { dispositions, reportStatuses } from "./report/ReportStatus.ts"
