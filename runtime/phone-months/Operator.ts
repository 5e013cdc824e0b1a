export { CoverageReads } from "./months/CoverageReads.ts"
