import type { Reply } from "@carteiro/http-edge/Reply.ts"
import type { CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { Customers } from "./BatchValidation.ts"
import type { BatchCall } from "./NewBatch.ts"

/**
 * Takes batches in: recipients are staged in statements of their own, and one small commit makes the batch of them together
 * with its idempotency record, so that ten thousand recipients delay no other caller. M-BAT-12..22
 */
export class BatchAcceptance extends Context.Service<
  BatchAcceptance,
  {
    /** Answers the 202 and the id of the batch. `customers` are those of inline recipients. */
    accept(
      call: BatchCall,
      body: CreateBatch,
      customers: Customers | undefined
    ): Effect.Effect<{ readonly id: string; readonly answer: Reply }, ApiError>
  }
>()("@carteiro/runtime/batches/accept/BatchAcceptance") {}
