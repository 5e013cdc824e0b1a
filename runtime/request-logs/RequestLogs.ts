export { RequestLogReads } from "./read/RequestLogReads.ts"
