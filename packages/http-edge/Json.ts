export { canonicalJson } from "./json/CanonicalJson.ts"
export { findNearest } from "./json/Nearest.ts"
export { stringifyInSlices } from "./json/WriteJson.ts"
