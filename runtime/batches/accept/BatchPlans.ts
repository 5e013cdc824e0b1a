import type { Batch } from "@carteiro/schema/batches/Batch.ts"
import type { CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { BatchCall } from "./NewBatch.ts"

/** An inline recipient that no batch takes, by its index in the body. */
export interface FaultyRecipient {
  readonly index: number
  readonly error: ApiError
}

/** A recipient that the number would refuse as things stand. */
export interface HeldRecipient {
  /** E.164 with the leading plus. */
  readonly phone: string
  readonly error: ApiError
}

/** The forecast of a batch that nobody has started. */
export interface BatchPlan {
  /** Customers that it would be for, each once; a batch with a faulty recipient is refused as a whole. */
  readonly recipient_count: number
  /** How many of them were looked at: of an audience the first 10,000. */
  readonly judged_count: number
  readonly faulty: ReadonlyArray<FaultyRecipient>
  /** The indexes of inline recipients whose customer stands further up already. */
  readonly repeated: ReadonlyArray<number>
  readonly held: ReadonlyArray<HeldRecipient>
  readonly pacing: Batch["pacing"]
  /** The category by which its messages are priced. */
  readonly category: "marketing" | "utility" | "authentication"
}

/**
 * Plans batches without starting them: the checks of their acceptance and those of their number, recipient by
 * recipient. What it says holds for the instant at which it was asked. Decision 0071
 */
export class BatchPlans extends Context.Service<
  BatchPlans,
  {
    /** Refuses what concerns the batch as a whole as its acceptance would: the template, the number, the start. */
    plan(call: BatchCall, body: CreateBatch): Effect.Effect<BatchPlan, ApiError>
  }
>()("@carteiro/runtime/batches/accept/BatchPlans") {}
