export { AnswerLimits, standardShares } from "./pipeline/AnswerShares.ts"
export { withClaim } from "./pipeline/Claiming.ts"
export { type InnerCall, type InnerRequest, makeInnerCalls } from "./pipeline/InnerCalls.ts"
export { Pipeline } from "./pipeline/Pipeline.ts"
