export { ReportReads } from "./report/ReportReads.ts"
