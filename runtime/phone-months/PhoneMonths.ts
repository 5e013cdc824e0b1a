export { CoverageReads } from "./routes/CoverageReads.ts"
