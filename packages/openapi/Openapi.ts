export { type ApiCall, ApiCalls, type DescribedParameter, type SampledRequest } from "./ApiCalls.ts"
export type { CodeSample } from "./description/CodeSamples.ts"
export { guideOf } from "./errors/GuideOf.ts"
