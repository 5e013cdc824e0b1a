export { BatchDirectory } from "./batch/BatchDirectory.ts"
