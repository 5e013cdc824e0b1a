import { Refusals } from "@carteiro/owners/Refusals.ts"
import { ApiError, ApiErrorCodec } from "@carteiro/schema/conventions/ApiError.ts"
import type { IdPrefix as ContractPrefix } from "@carteiro/schema/conventions/Ids.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"

declare module "@carteiro/owners/ProductTypes.ts" {
  // The engine knows neither ids nor refusals of a product: these are ours, wherever the engine names the like. Decision 0045
  interface ProductTypes {
    readonly idPrefix: ContractPrefix
    readonly refusal: ApiError
    readonly unavailable: ServiceUnavailable
    readonly duplicate: IdempotencyDuplicate
  }
}

/**
 * Another request took the idempotency key between admission and commit, and no row was written. The pipeline runs
 * admission again, which finds the record to replay. This code never leaves the product.
 */
export class IdempotencyDuplicate extends ApiError<"idempotency_duplicate"> {
  constructor() {
    super({ _tag: "idempotency_duplicate", status: 409, type: "idempotency_conflict" })
  }
}

/** The refusals of the contract, as the engine makes them and carries them between nodes. */
export const contractRefusals = Refusals.layer({
  codec: ApiErrorCodec,
  unavailable: () => new ServiceUnavailable({ retry_after_ms: 1000 }),
  duplicate: () => new IdempotencyDuplicate()
})
