export { AnswerLimits, standardShares } from "./pipeline/AnswerShares.ts"
export { withClaim } from "./pipeline/Claiming.ts"
export { Pipeline } from "./pipeline/Pipeline.ts"
