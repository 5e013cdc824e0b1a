import type { CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { BatchPlan } from "../accept/BatchPlans.ts"
import type { BatchCall } from "../accept/NewBatch.ts"
import type { BatchCommand } from "../batch/BatchState.ts"
import type { CommandItem } from "./BatchEntity.ts"

/** Commands of callers and people for batches. gaps-2 H "Pause, resume, cancel" */
export class BatchCommands extends Context.Service<
  BatchCommands,
  {
    /** Tells what would come of a batch, and starts nothing. Decision 0071 */
    plan(call: BatchCall, body: CreateBatch): Effect.Effect<BatchPlan, ApiError>
    /**
     * Accepts a batch as POST /v1/batches does, under an id that its form brings: sent twice, the form makes one batch.
     * M-BAT-12..22
     */
    create(call: BatchCall, body: CreateBatch, id: string): Effect.Effect<void, ApiError>
    /** Answers the text of the batch. */
    run(command: BatchCommand, id: string, item: CommandItem): Effect.Effect<string, ApiError>
    /** Has the owner of a new batch look at it. */
    wake(id: string): void
  }
>()("@carteiro/runtime/batches/owner/BatchCommands") {}
