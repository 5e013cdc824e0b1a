export { RequestLogReads } from "./log/RequestLogReads.ts"
