export {
  Claim,
  type Completion,
  idempotencyWindowMs,
  readClaim,
  requestOf,
  type StoredResponse
} from "./idempotency/Claim.ts"
export {
  type ClaimVerdict,
  HashedKeys,
  hashesOf,
  hashKey,
  OpenClaims,
  type StoredRecord
} from "./idempotency/OpenClaims.ts"
export { openResponse, sealBody } from "./idempotency/SealedResponse.ts"
