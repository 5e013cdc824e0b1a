export { latencyBoundsMs, type Measure } from "./count/Measures.ts"
export { type ActivityHour, ActivityReads } from "./read/ActivityReads.ts"
