export { Ids, lowestIdAt, parseId, ulidTimeOf } from "./ids/Ids.ts"
export { derivedId } from "./ids/Ulid.ts"
