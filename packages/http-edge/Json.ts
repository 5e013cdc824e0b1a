export { canonicalJson } from "./json/CanonicalJson.ts"
export { parseText } from "./json/ForeignJson.ts"
export { findNearest } from "./json/Nearest.ts"
export { stringifyInSlices } from "./json/WriteJson.ts"
