export { activityIsElsewhere, continueActivityNumbers } from "./ActivityNumbers.ts"
