export { derivedId } from "./ids/DerivedId.ts"
export { Ids, lowestIdAt, parseId, ulidTimeOf } from "./ids/Ids.ts"
