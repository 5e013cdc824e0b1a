export { Ids, idOfTrace, lowestIdAt, parseId, traceOf, ulidTimeOf } from "./ids/Ids.ts"
export { derivedId } from "./ids/Ulid.ts"
