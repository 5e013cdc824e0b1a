export { guideOf } from "./errors/GuideOf.ts"
