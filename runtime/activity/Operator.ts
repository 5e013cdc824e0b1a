export { activityIsElsewhere } from "./ActivityNumbers.ts"
