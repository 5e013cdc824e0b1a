export { type ApiCall, ApiCalls } from "./ApiCalls.ts"
export { guideOf } from "./errors/GuideOf.ts"
