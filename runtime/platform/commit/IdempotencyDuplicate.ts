import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"

/**
 * The idempotency key was taken by another request between admission and commit. Nothing was written; the pipeline asks
 * admission again, which finds the record to replay. Nobody outside ever sees this code.
 */
export class IdempotencyDuplicate extends ApiError<"idempotency_duplicate"> {
  constructor() {
    super({ _tag: "idempotency_duplicate", status: 409, type: "idempotency_conflict" })
  }
}
