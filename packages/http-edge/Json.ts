export { canonicalJson } from "./json/CanonicalJson.ts"
export { findNearest } from "./json/Nearest.ts"
export { stringifyInStretches } from "./json/WriteJson.ts"
