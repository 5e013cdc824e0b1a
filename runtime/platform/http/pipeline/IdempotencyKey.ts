import type { OperationTraits } from "@carteiro/schema/conventions/Access.ts"
import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { InvalidIdempotencyKey } from "@carteiro/schema/conventions/SharedErrors.ts"

const shape = /^[\x20-\x7e]{1,255}$/

/**
 * The key of a request: undefined where the operation honors none or a blank header counts as absent, a refusal where
 * the header breaks its shape or a mandatory key is missing. gaps-1 B "Key shape", A-IDEM-02, A-IDEM-10, A-IDEM-11
 */
export const idempotencyKey = (
  headers: ReadonlyArray<string>,
  traits: OperationTraits
): string | undefined | ApiError => {
  const mode = traits.idempotency
  if (mode === undefined || mode === "none") return undefined
  if (headers.length > 1) return new InvalidIdempotencyKey({ param: "Idempotency-Key" })
  const key = headers[0] ?? ""
  if (key === "") return mode === "required" ? missing(traits) : undefined
  return shape.test(key) ? key : new InvalidIdempotencyKey({ param: "Idempotency-Key" })
}

const missing = (traits: OperationTraits): ApiError =>
  new ApiError({
    _tag: traits.missingKeyCode ?? "idempotency_key_required",
    status: 400,
    type: "validation_error",
    message: "This operation needs an Idempotency-Key header.",
    param: "Idempotency-Key"
  })
