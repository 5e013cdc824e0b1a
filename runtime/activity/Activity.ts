export { activityIsElsewhere, continueActivityNumbers } from "./ActivityNumbers.ts"
export { type ActivityHour, ActivityReads } from "./ActivityReads.ts"
export { latencyBoundsMs, type Measure } from "./Measures.ts"
